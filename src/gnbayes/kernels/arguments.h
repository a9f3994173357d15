/* Arrays from Python by the buffer protocol, and the results of calls. */
#ifndef GNBAYES_ARGUMENTS_H
#define GNBAYES_ARGUMENTS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "kernels.h"

/* Arrays that a call holds on to. */
#define MAX_ARRAYS 32
typedef struct {
    Py_buffer views[MAX_ARRAYS];
    int n;
} Arrays;

ALWAYS_INLINE void release(Arrays *arrays) {
    while (arrays->n > 0)
        PyBuffer_Release(&arrays->views[--arrays->n]);
}

/* Data of an array of at least n items; NULL with an error set if it does not fit. */
ALWAYS_INLINE void *array(Arrays *arrays, PyObject *object, int64_t n, size_t itemsize, int flags) {
    Py_buffer *view = &arrays->views[arrays->n];
    if (arrays->n == MAX_ARRAYS || PyObject_GetBuffer(object, view, flags))
        return NULL;
    arrays->n++;
    if (n < 0 || (size_t)view->itemsize != itemsize || (uint64_t)view->len / itemsize < (uint64_t)n) {
        PyErr_Format(PyExc_ValueError, "array of %zd bytes in items of %zd does not fit %lld items of %zd", view->len,
                     view->itemsize, (long long)n, (Py_ssize_t)itemsize);
        return NULL;
    }
    return view->buf;
}

#define READ(object, n, type) ((const type *)array(arrays, object, n, sizeof(type), PyBUF_ANY_CONTIGUOUS))
#define WRITE(object, n, type) ((type *)array(arrays, object, n, sizeof(type), PyBUF_ANY_CONTIGUOUS | PyBUF_WRITABLE))

/* Release all buffers, and return None or the error that is set. */
ALWAYS_INLINE PyObject *done(Arrays *arrays, int has_failed) {
    release(arrays);
    if (has_failed && !PyErr_Occurred())
        PyErr_NoMemory();
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

ALWAYS_INLINE int refuse(const char *message) {
    PyErr_SetString(PyExc_ValueError, message);
    return -1;
}

/* fitting.c: functions of the module that fit tables. */
PyObject *py_sum_over_rows(PyObject *self, PyObject *args);
PyObject *py_cells_of_rows(PyObject *self, PyObject *args);
PyObject *py_count_cells(PyObject *self, PyObject *args);
PyObject *py_row_scores(PyObject *self, PyObject *args);
PyObject *py_axis_product(PyObject *self, PyObject *args);
PyObject *py_add_similarity(PyObject *self, PyObject *args);
PyObject *py_dot_products(PyObject *self, PyObject *args);
PyObject *py_two_loops(PyObject *self, PyObject *args);
PyObject *py_solve_tables(PyObject *self, PyObject *args);
PyObject *py_boost_rounds(PyObject *self, PyObject *args);
PyObject *py_add_trees(PyObject *self, PyObject *args);

/* team_functions.c: teams of threads. */
Team *read_team(PyObject *capsule);
PyObject *py_new_team(PyObject *self, PyObject *args);
PyObject *py_follow(PyObject *self, PyObject *args);
PyObject *py_end_team(PyObject *self, PyObject *args);

#endif

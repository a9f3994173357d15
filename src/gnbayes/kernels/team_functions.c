/* Functions of the module for teams of threads; a team is a capsule. */
#include "arguments.h"

#define TEAM "gnbayes.team"

Team *read_team(PyObject *capsule) { return PyCapsule_GetPointer(capsule, TEAM); }

static void drop_team(PyObject *capsule) { free_team(read_team(capsule)); }

/* Argument: number of followers. Returns the team. */
PyObject *py_new_team(PyObject *self, PyObject *args) {
    long long n_followers;
    (void)self;
    if (!PyArg_ParseTuple(args, "L", &n_followers))
        return NULL;
    if (n_followers < 0 || n_followers > MOST_FOLLOWERS) {
        refuse("no such team");
        return NULL;
    }
    Team *team = new_team(n_followers);
    return team ? PyCapsule_New(team, TEAM, drop_team) : PyErr_NoMemory();
}

/* Argument: team. Returns when the team is ended. */
PyObject *py_follow(PyObject *self, PyObject *args) {
    PyObject *capsule;
    (void)self;
    if (!PyArg_ParseTuple(args, "O", &capsule))
        return NULL;
    Team *team = read_team(capsule);
    if (!team)
        return NULL;
    const int64_t worker = join_team(team);
    for (int goes_on = worker > 0; goes_on;) {
        Py_BEGIN_ALLOW_THREADS
        goes_on = follow(team, worker);
        Py_END_ALLOW_THREADS
        /* The user may want to interrupt this. */
        if (PyErr_CheckSignals())
            return NULL;
    }
    Py_RETURN_NONE;
}

/* Argument: team. */
PyObject *py_end_team(PyObject *self, PyObject *args) {
    PyObject *capsule;
    (void)self;
    if (!PyArg_ParseTuple(args, "O", &capsule))
        return NULL;
    Team *team = read_team(capsule);
    if (!team)
        return NULL;
    end_team(team);
    Py_RETURN_NONE;
}

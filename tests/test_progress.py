from gnbayes.progress import progress_line


def test_short_work_shows_nothing(capsys):
    show = progress_line("work", verbose=1)
    show(0.5)
    show(1.0)
    assert capsys.readouterr().err == ""


def test_long_work_ends_its_line(capsys, monkeypatch):
    clock = iter([0, 1, 1.1, 2])
    monkeypatch.setattr("gnbayes.progress.time.monotonic", lambda: next(clock))
    show = progress_line("work", verbose=1)
    show(0.5)
    show(0.6)
    show(1.0)
    first = "work:  50%, 1 s, about 1 s left"
    assert capsys.readouterr().err == f"\r{first}\r{'work: 100%, 2 s':{len(first)}}\n"


def test_a_line_ends_once(capsys, monkeypatch):
    clock = iter([0, 1, 2])
    monkeypatch.setattr("gnbayes.progress.time.monotonic", lambda: next(clock))
    show = progress_line("work", verbose=1)
    show(1.0)
    show(1.0)
    assert capsys.readouterr().err == "\rwork: 100%, 1 s\n"

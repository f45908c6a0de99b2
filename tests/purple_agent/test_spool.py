"""Files that have arrived: kept under a word, removed, and counted together."""

import base64

import pytest

from purple_agent.spool import NoRoomError, Spool


def test_file_is_found_by_its_word_until_it_is_forgotten(tmp_path):
    spool = Spool(tmp_path, 100)
    writing = spool.begin()
    writing.write(b"data")
    word = base64.b64decode(writing.close())
    writing.abandon()  # what has arrived as a whole stays
    arrived = spool.find(word)
    assert arrived is not None
    assert arrived.path.read_bytes() == b"data"
    assert spool.find(b"file 0") is None
    spool.forget([word])
    assert list(tmp_path.iterdir()) == []
    assert spool.find(word) is None


def test_all_that_arrives_together_has_a_limit_and_room_comes_back(tmp_path):
    spool = Spool(tmp_path, 100)
    one, two = spool.begin(), spool.begin()
    one.write(b"x" * 60)
    with pytest.raises(NoRoomError):
        two.write(b"x" * 60)
    two.abandon()
    word = base64.b64decode(one.close())
    spool.forget([word])
    three = spool.begin()
    three.write(b"x" * 100)
    three.abandon()
    four = spool.begin()
    four.write(b"x" * 100)
    four.abandon()


def test_file_that_a_task_took_over_is_forgotten_all_the_same(tmp_path):
    spool = Spool(tmp_path / "in", 100)
    writing = spool.begin()
    writing.write(b"x" * 100)
    word = base64.b64decode(writing.close())
    arrived = spool.hand_over(word, tmp_path / "archive")
    assert arrived.path == tmp_path / "archive"
    assert arrived.path.read_bytes() == b"x" * 100
    spool.take(100)  # at once: the request lasts as long as the task
    spool.forget([word])
    assert arrived.path.exists()
    with pytest.raises(NoRoomError):
        spool.take(1)


def test_file_that_cannot_be_moved_stays_where_it_is(tmp_path):
    spool = Spool(tmp_path / "in", 100)
    writing = spool.begin()
    writing.write(b"x" * 100)
    word = base64.b64decode(writing.close())
    with pytest.raises(OSError, match="No such file"):
        spool.hand_over(word, tmp_path / "nowhere" / "archive")
    with pytest.raises(NoRoomError):
        spool.take(1)
    spool.forget([word])
    spool.take(100)


def test_what_arrives_elsewhere_counts_as_long_as_it_arrives(tmp_path):
    spool = Spool(tmp_path, 100)
    with spool.passing() as take:
        take(60)
        with pytest.raises(NoRoomError):
            take(60)
        with pytest.raises(NoRoomError):
            spool.take(60)
    spool.take(100)


def test_what_an_earlier_process_left_is_removed(tmp_path):
    (tmp_path / "left").write_text("x")
    Spool(tmp_path, 100)
    assert list(tmp_path.iterdir()) == []

"""What is refused before the service is there: settings that cannot be, a home that is in use."""

import fcntl
import os

import pytest

from purple_agent.server import WrongSettingError, _alone, settings_from
from purple_agent.settings import Settings
from signatures import RunFolderError


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        ({"port": 0}, "The flag --port cannot be used: "),
        ({"ask_for_check": "perhaps"}, "The flag --ask-for-check cannot be used: "),
        ({"port": 80}, "The variable SOLVERS_AGENT_MAX_BODY cannot be used: "),
    ],
)
def test_wrong_setting_is_named_as_it_was_given(monkeypatch, flags, sentence):
    if flags.get("port"):
        monkeypatch.setenv("SOLVERS_AGENT_MAX_BODY", "much")
    with pytest.raises(WrongSettingError) as raised:
        settings_from(flags)
    assert str(raised.value).startswith(sentence)
    assert "solvers serve --help" in str(raised.value)


def test_flag_is_named_where_the_variable_is_right(monkeypatch):
    monkeypatch.setenv("SOLVERS_AGENT_PORT", "8081")
    with pytest.raises(WrongSettingError, match="--port"):
        settings_from({"port": 0})


def test_home_in_use_is_said_and_free_again_later(tmp_path):
    settings = Settings(home=tmp_path)
    handle = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    with pytest.raises(RunFolderError, match="in use by another service"), _alone(settings):
        pytest.fail("was let in")
    os.close(handle)
    with _alone(settings):
        pass


def test_error_while_serving_is_not_taken_for_a_home_in_use(tmp_path):
    with pytest.raises(BlockingIOError), _alone(Settings(home=tmp_path)):
        raise BlockingIOError(11, "of a socket")

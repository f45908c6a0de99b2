"""An agent that answers any tabular task with a language model that writes and runs code."""

from purple_agent.llm.answer import AgentAnswer, answer, fallback
from purple_agent.llm.errors import AgentError
from purple_agent.llm.settings import AgentSettings

__all__ = ["AgentAnswer", "AgentError", "AgentSettings", "answer", "fallback"]

"""The conversation with the model, until there is a valid answer or a bound is reached."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from pydantic_ai import Agent, RunContext, UsageLimits
from pydantic_ai.capabilities import Hooks, ProcessHistory
from pydantic_ai.exceptions import AgentRunError, ModelHTTPError, ModelRetry, RunTimedOut
from pydantic_ai.messages import ModelResponse, TextPart, ThinkingPart
from pydantic_ai.models import Model, ModelRequestContext

from purple_agent.llm import prompt
from purple_agent.llm.history import cleaned, trimmer
from purple_agent.llm.settings import AgentSettings
from purple_agent.llm.task import PREDICTIONS, SUBMISSION
from purple_agent.llm.tools import tools
from purple_agent.llm.workbench import Workbench
from signatures.wording import sentences

CALLS = 10  # tool calls that a message may hold, on average
FINISHED = "The model ended its turn with a valid submission."


async def converse(model: Model, bench: Workbench, settings: AgentSettings) -> str:
    """Let the model work at the bench; return a sentence on why that ended.

    Whatever the endpoint or the model does wrong ends here and is told: an answer that had passed
    the checks before still counts.
    """
    agent = _agent(model, settings)
    opening = prompt.opening(bench.task, bench.folders, settings)
    try:
        await agent.run(
            opening,
            deps=bench,
            timeout=max(1.0, bench.seconds_left),
            usage_limits=UsageLimits(
                request_limit=settings.iterations,
                tool_calls_limit=settings.iterations * CALLS,
                total_tokens_limit=settings.total_tokens,
            ),
        )
    except RunTimedOut:
        return f"Time was up after {settings.seconds:,.0f} s."
    except ModelHTTPError as error:
        return _refused(error)
    except AgentRunError as error:
        return sentences([f"The conversation ended: {bench.evidence.hide(error.message)[:500]}"])
    return FINISHED


def _refused(error: ModelHTTPError) -> str:
    cure = {
        401: "Check the key",
        402: "Check the account's credit",
        403: "Check what the key is allowed to do",
        404: "Check MODEL_NAME and OPENAI_BASE_URL",
        429: "Wait, or raise SOLVERS_AGENT_RETRIES",
    }.get(error.status_code, "Look at events.jsonl for what it said")
    return f"The endpoint of {error.model_name!r} answered with status {error.status_code}. {cure}."


def _agent(model: Model, settings: AgentSettings) -> Agent[Workbench, str]:
    hooks: Hooks[Workbench] = Hooks()
    hooks.on.before_model_request(_say_so(settings))
    hooks.on.after_model_request(_receive)
    agent: Agent[Workbench, str] = Agent(
        model,
        deps_type=Workbench,
        instructions=prompt.INSTRUCTIONS,
        tools=tools(settings),
        retries={"tools": settings.iterations, "output": settings.nudges},
        model_settings={
            "max_tokens": settings.reply_tokens,
            "request_timeout": settings.request_seconds * (settings.retries + 1),
        },
        capabilities=[ProcessHistory(trimmer(settings.history_characters)), hooks],
    )
    agent.output_validator(_hand_in)
    return agent


async def _hand_in(context: RunContext[Workbench], text: str) -> str:
    """End the turn only where the files that lie there now are an answer; else send them back."""
    bench = context.deps
    verdict = await bench.check()
    if not verdict.fit:
        bench.evidence.event("sent back", text=text, reason=verdict.text)
        cure = f"Write a valid {SUBMISSION} with run_python, then end your turn."
        raise ModelRetry(message=f"The work is not done. {verdict.text} {cure}")
    if not verdict.complete and not bench.asked_for_more:
        # Asked for once: a submission alone is better than none.
        bench.asked_for_more = True
        bench.evidence.event("sent back", text=text, reason=verdict.text)
        raise ModelRetry(
            message=f"{verdict.text} Write {PREDICTIONS} for the rows held back, then end again."
        )
    return text


def _say_so(
    settings: AgentSettings,
) -> Callable[[RunContext[Workbench], ModelRequestContext], Awaitable[ModelRequestContext]]:
    async def say(
        context: RunContext[Workbench], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        number = context.usage.requests + 1
        context.deps.report(f"Asking the model, {number} of {settings.iterations}")
        return request_context

    return say


async def _receive(
    context: RunContext[Workbench],
    *,
    request_context: ModelRequestContext,
    response: ModelResponse,
) -> ModelResponse:
    """Ask again where a reply was used up before it came to anything, instead of giving up."""
    said = [part for part in response.parts if not isinstance(part, ThinkingPart)]
    empty = all(isinstance(part, TextPart) and not part.content for part in said)
    if response.finish_reason == "length" and empty:
        raise ModelRetry(message="Your reply was cut off before it came to anything. Be brief.")
    return replace(response, parts=[cleaned(part) for part in response.parts])

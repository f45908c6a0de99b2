"""To whom a comment speaks, and how: what it calls them, what it commands, what manners it has."""

import re
from collections.abc import Sequence

from solvers.tasks.detecting_insults.words import INSULT, YOU

WITHIN = 8  # words after "you" in which it may be called something

_TOKEN = re.compile(r"[a-z']+|[.!?\n]+|,")
_WORD = re.compile(r"[a-z']+")
_END = re.compile(r"[.!?\n]+")
_SPOKEN_TO = re.compile(r"\b(?:you|u|ur|your|you're|youre)\b")
_OTHERS = re.compile(
    r"(?:he|she|they|him|them|his|her|hers|their|it|its|he's|she's|they're|obama|romney|bush|gop"
    r"|republican|democrat|liberal|congress|president|government|team|player|coach)s?"
)
# What may stand between "you" and what someone is called.
_BETWEEN = re.compile(
    r"are|re|r|an?|the|such|so|just|nothing|but|really|truly|very|still|one|of|most|as|all|is|being"
    r"|sound|like|look|my|this|that|you're|ur|what|were|must|be|total|complete|typical|another"
    r"|little|big|biggest|dumbest"
)
_COMMAND = re.compile(
    r"(?:go|get|shut|stop|grow|learn|try|take|kiss|suck|eat|fuck|bite|crawl|stick|shove|die|keep"
    r"|quit|look|read|pull|put|please|come|blow|do|don't|dont|tell|wake|move|find)\b"
)
_SAYINGS = re.compile(
    r"people like you|you people|your kind|your type|your ilk|you guys|like yourself"
    r"|people like this|get a life|grow up|go away|go back|shut up|your own|what a|such an?"
    r"|how about you|says the|coming from|the likes of you|you must be|you sound like"
    r"|you look like"
    r"|are you (?:really |that |so )?(?:stupid|dumb|retarded|kidding|serious|blind|high|drunk|crazy"
    r"|insane)|what(?:'s| is) wrong with you|no wonder|do us a favor|bet you|i hope you|obviously"
    r"|clearly|too (?:stupid|dumb)|you can't|you cant|you don't|you dont|you know nothing"
    r"|know what you"
)
_POLITE = re.compile(
    r"\b(?:thank|thanks|please|agree|good|great|love|nice|sorry|hope|wish|well|best|congrat\w*|lol"
    r"|haha\w*|interesting|true|right)\b"
)
_SELF = re.compile(r"\b(?:i|me|my|i'm|im|mine|we|our|us)\b")


def addressed(text: str) -> dict[str, float]:
    """Tell of a plain text whom it speaks to.

    Examples
    --------
    >>> told = addressed("you are such a fool. he is not")
    >>> told["called"], told["sentences_to_you"], told["last_word_insults"]
    (1.0, 1.0, 0.0)
    """
    tokens = _TOKEN.findall(text)
    shares = {
        "others_share": sum(bool(_OTHERS.fullmatch(token)) for token in tokens),
        "polite_share": len(_POLITE.findall(text)),
        "self_share": len(_SELF.findall(text)),
        "insult_share": sum(map(_insults, tokens)),
    }
    return {
        "called": _called(tokens, further=0),
        "called_with_more": _called(tokens, further=1),
        "sayings": float(len(_SAYINGS.findall(text))),
        **{name: count / (len(tokens) + 1) for name, count in shares.items()},
        **_by_sentence(text),
    }


def _insults(word: str) -> bool:
    return INSULT.match(word) is not None


def _called(tokens: Sequence[str], further: int) -> float:
    """Count the times "you are such a ..." ends in an insult, so many words further on."""
    count = 0
    for place, token in enumerate(tokens):
        if YOU.fullmatch(token):
            near = range(place + 1, min(place + 1 + WITHIN, len(tokens)))
            end = next((p for p in near if not _BETWEEN.fullmatch(tokens[p])), len(tokens))
            count += any(map(_insults, tokens[end + further : end + further + 1]))
    return float(count)


def _by_sentence(text: str) -> dict[str, float]:
    """Look at sentences: which insult, which of these speak to "you", and which command."""
    sentences = [sentence.strip() for sentence in _END.split(text) if sentence.strip()]
    insult = [any(map(_insults, sentence.split())) for sentence in sentences]
    to_you = sum(
        bool(_SPOKEN_TO.search(s)) for s, bad in zip(sentences, insult, strict=True) if bad
    )
    words = _WORD.findall(text)
    return {
        "sentences": float(len(sentences)),
        "commands": float(sum(_COMMAND.match(sentence) is not None for sentence in sentences)),
        "sentences_to_you": float(to_you),
        "share_to_you": to_you / (len(sentences) + 1),
        "first_sentence_insults": float(any(insult[:1])),
        "last_sentence_insults": float(any(insult[-1:])),
        "first_word_insults": float(any(map(_insults, words[:1]))),
        "last_word_insults": float(any(map(_insults, words[-1:]))),
    }

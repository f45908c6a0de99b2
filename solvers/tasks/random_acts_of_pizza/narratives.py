"""Why somebody asks, and how: words of the stories that requests tell."""

import re

STORIES = {
    "money": r"""
        money cash broke bills? rent bank account pay(?:check|cheque|day)? paid payed bucks dollars?
        afford budget financial\w* debts? loan overdraft\w* poor deposit funds""",
    "job": r"""
        jobs? work\w* unemploy\w* employ\w* laid fired interviews? hir(?:e|ed|ing) shifts? boss
        contract career""",
    "student": r"""
        student\w* college university uni school exams? finals? semester class(?:es)? study\w* dorm
        roomm?ates? tuition campus thesis homework""",
    "family": r"""
        family wife husband mom mum mother dad father parents? sons? daughters? kids? child\w*
        bab(?:y|ies) pregnan\w* fianc\w+ brother sister""",
    "craving": r"""
        crav\w+ drunk stoned high beers? party birthday celebrat\w* movies? games? girlfriend
        boyfriend friends? friday saturday weekend lazy bored""",
    "trouble": r"""
        hospital surgery sick ill disab\w* cancer medic\w* doctor\w* died death funeral car accident
        homeless evict\w* shelter divorc\w* depress\w* stolen robbed broken? lost stamps""",
    "hunger": r"""
        hungry hunger starv\w+ eat\w* ate meals? food fridge ramen noodles rice pasta beans peanut
        groceries cupboards?""",
    "thanks": r"thank\w* thanx thx apprecia\w+ grateful gratitude bless\w* kind\w* generous\w*",
    "return": r"""
        forward return repay favou?rs? pif reciproc\w+ trade exchange draw\w* paint\w* write sing
        offer\w* help\w*""",
    "polite": r"please pls plz sorry hope\w* could would may sir ma'am humbl\w+ hello hi hey",
    "proof": r"proof prove pics? pictures? photos? verif\w+ imgur jpg png link receipts? https?",
    "time": r"""
        today tonight tomorrow yesterday monday tuesday wednesday thursday until till weeks? months?
        days? years? ago since""",
}
_STORIES = {
    name: re.compile(r"\b(?:" + "|".join(words.split()) + r")\b") for name, words in STORIES.items()
}


def stories(text: str) -> dict[str, int]:
    """Count the words of each story in a text.

    Examples
    --------
    >>> told = stories("Poor student, will pay it forward. Thanks!")
    >>> {name: n for name, n in told.items() if n}
    {'money': 2, 'student': 1, 'thanks': 1, 'return': 1}
    """
    small = text.lower()
    return {name: len(words.findall(small)) for name, words in _STORIES.items()}

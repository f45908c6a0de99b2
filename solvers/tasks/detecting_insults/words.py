"""Words of insults, whatever they are disguised as, and what stands near "you"."""

import re

# Letters that are drawn with other signs, where letters stand beside them.
_DRAWN = str.maketrans({"@": "a", "$": "s", "0": "o", "1": "i", "3": "e", "!": "i", "+": "t"})
_SIGNS = re.compile(r"(?<=[a-z])[@$013!+*]+(?=[a-z])|\b[@$](?=[a-z])|(?<=[a-z])\$+(?!\w)")
_SPELLED = re.compile(r"\b(?:[a-z][ .*_-]){2,}[a-z]\b")
_LONG = re.compile(r"(.)\1{2,}")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+")
_NAME = re.compile(r"(?<!\w)@\w+")
_WORD = re.compile(r"[a-z']+|[!?]+")
YOU = re.compile(r"(?:you|u|ya|yo|your|ur|yours|you're|youre|yourself|thou|urself|yourselves)")
AROUND = 3

# Stems: a word begins with one, or is it, where `\b` ends it. From no data, but general English.
STEMS = {
    "swear": r"""
        fuck fuk fck fuq phuck motherf shit shyt crap damn bullsh wtf stfu gtfo asshol arse ass\b
        asses\b azz bitch biatch bastard dick prick cunt cock pussy twat wank douch fag slut whore
        hoe skank tard nigg turd piss""",
    "fool": """
        idiot moron stupid dumb retard imbecil fool dunce ignoran clueless brainless dimwit halfwit
        nitwit numbnut dolt simpleton brainwash dense dummy airhead tool clown joke jerk delusion
        insane crazy nut psycho""",
    "low": r"""
        loser pathetic coward scum trash garbage filth vermin pigs?\b rats?\b dogs?\b worthless
        useless disgust ugly fat troll creep pervert sicko liar hypocrit bigot racist nazi punk wimp
        sissy freak lame inbred redneck hillbill parasit maggot worm snake toad cretin
        degenerat""",
    "lewd": r"""
        effing friggin frickin goddam hell\b dipshit jackass jerkoff jackoff dildo penis vagina
        balls boob tits titt blowjob bj\b cum\b blow\b lick\b rape anal\b anus butt\b butth bollock
        bugger queer homo gay dyke lesbo tranny spic\b kike chink gook wetback raghead paki\b
        cracker honk[yi] hooker whor ho\b trick\b pimp thot bimbo""",
    "folly": r"""
        idoit stoopid dum\b mindless numbskul knucklehead bonehead blockhead meathead egghead dope\b
        dork dweeb dumm buffoon bozo goof whack wack mental lunatic loon deranged demented illiterat
        uneducated incoheren senil iq\b dingbat twit\b schmuck putz noob newb silly ridiculous
        libtard lemming sheep koolaid drone puppet parrot""",
    "vice": r"""
        lozer sleaz slim[ey] monkey apes?\b gorilla donkey jackal cow\b swine hog\b animal beast
        lard obese perv\b pedo molest rapist sick\b lying lies\b fascis commie traitor treason
        terroris wuss hick\b leech bums?\b thug crackhead junkie addict drunk virgin nerd geek
        weirdo whin crybab bab(?:y|ies) bully dirtbag slob stink smell rot\b rotten evil vile satan
        demon devil arrogan narcissis egotis conceit smug pompous wannabe poser fraud fake phony
        shill hater jealous bitter miserable shame embarrass disgrace hopeless desperate sad\b
        pitiful pity laughable sorry\b racis""",
    "away": r"shut suck die\b kill kiss choke rot\b burn hell\b leave\b grow\b hang\b",
    "orders": r"jump\b crawl stick\b shove bite\b eat\b get\b go\b drop\b slap punch kick beat\b",
    "parts": "mouth face brain head mom momma mother mama daddy basement balls butt",
    "home": r"""
        skull mum\b dad\b sister wife parents trailer bridge rock\b cave diaper meds medication
        therap school grade spell grammar educat dictionary english life\b job\b""",
}
INSULTING = ("swear", "fool", "low", "lewd", "folly", "vice")
_STEMS = {name: re.compile("|".join(sorted(stems.split()))) for name, stems in STEMS.items()}
INSULT = re.compile("|".join(_STEMS[name].pattern for name in INSULTING))


def plain(text: str) -> str:
    """Write a comment in small letters, its disguises off: ``f*ck``, ``a$$``, ``i d i o t``.

    Examples
    --------
    >>> plain("@bob You STUUUPID a$$, m0ron! see http://a.b/c i.d.i.o.t")
    'someone you stuupid ass, moron! see address idiot'
    """
    text = _NAME.sub("someone", _ADDRESS.sub("address", text.lower()))
    text = _SPELLED.sub(lambda found: re.sub(r"[^a-z]", "", found[0]), text)
    text = _SIGNS.sub(lambda found: found[0].translate(_DRAWN), text)
    return _LONG.sub(r"\1\1", text)


def near_you(text: str) -> str:
    """Give the words within `AROUND` of a "you", of a plain text; others are left out.

    Examples
    --------
    >>> near_you("the sun is hot and you are a fool")
    'is hot and you are a fool'
    """
    words = _WORD.findall(text)
    at = [place for place, word in enumerate(words) if YOU.fullmatch(word)]
    kept = sorted({p for a in at for p in range(a - AROUND, a + AROUND + 1) if 0 <= p < len(words)})
    return " ".join(words[place] for place in kept)


def stems(text: str) -> dict[str, int]:
    """Count the words of a plain text that begin like one of each list.

    Examples
    --------
    >>> told = stems("shut up, moron")
    >>> {name: n for name, n in told.items() if n}
    {'fool': 1, 'away': 1}
    """
    words = _WORD.findall(text)
    return {name: sum(bool(s.match(word)) for word in words) for name, s in _STEMS.items()}

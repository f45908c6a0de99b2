"""Synthetic requests, from no data: strings of words with some reason to be granted."""

import json

import numpy as np
import pandas as pd

FILLER = [
    "in",
    "the",
    "town",
    "would",
    "like",
    "a",
    "pizza",
    "for",
    "my",
    "room",
    "with",
    "cheese",
]
MOVING = ["family", "proof", "job", "paycheck", "forward", "thanks", "kids", "rent"]
PLACES = ["pics", "funny", "music", "books", "games", "news", "art", "food", "maps"]
AFTERWARDS = [
    "number_of_upvotes_of_request_at_retrieval",
    "number_of_downvotes_of_request_at_retrieval",
    "request_number_of_comments_at_retrieval",
    "requester_account_age_in_days_at_retrieval",
    "requester_number_of_comments_at_retrieval",
    "requester_number_of_posts_at_retrieval",
]


def requests(
    n_train: int, n_test: int, seed: int
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Make synthetic train, test and sample tables; some requests are a title without a text."""
    random = np.random.default_rng(seed)
    n = n_train + n_test
    known = random.random(n) < 0.5
    told = random.poisson(1.5, n)
    texts = [_text(int(words), random) for words in told]
    odds = known + 0.7 * told - 2.5
    rows = pd.DataFrame(
        {
            "request_id": [f"t3_x{number:04d}" for number in random.permutation(n)],
            "request_title": [f"[Request] {_text(1, random)}" for _ in range(n)],
            "request_text_edit_aware": ["" if random.random() < 0.05 else text for text in texts],
            "unix_timestamp_of_request_utc": random.integers(1_305_000_000, 1_380_000_000, n),
            "requester_username": [f"someone_{number}" for number in random.permutation(n)],
            **_history(known, random),
            "requester_received_pizza": random.random(n) < 1 / (1 + np.exp(-odds)),
        }
    ).assign(**dict.fromkeys(AFTERWARDS, 0))
    later = [*AFTERWARDS, "requester_received_pizza"]
    test = rows.iloc[n_train:].drop(columns=later).reset_index(drop=True)
    return rows.iloc[:n_train], test, test[["request_id"]].assign(requester_received_pizza=0)


def _text(n_moving: int, random: np.random.Generator) -> str:
    words = [*random.choice(FILLER, int(random.integers(3, 30))), *random.choice(MOVING, n_moving)]
    return " ".join(map(str, random.permutation(words)))


def _history(known: np.ndarray, random: np.random.Generator) -> dict[str, object]:
    """Those who are known have posted, in some places."""
    n = len(known)
    places = [
        random.choice(PLACES, int(random.integers(1, 6)), replace=False).tolist() if k else []
        for k in known
    ]
    up, down = (known * random.poisson(mean, n) for mean in (200, 40))
    counts = {
        "account_age_in_days": known * random.integers(1, 900, n),
        "days_since_first_post_on_raop": known * random.poisson(0.3, n) * 10,
        "number_of_comments": known * random.poisson(30, n),
        "number_of_comments_in_raop": known * random.poisson(0.3, n),
        "number_of_posts": known * random.poisson(5, n),
        "number_of_posts_on_raop": known * random.poisson(0.1, n),
        "number_of_subreddits": [len(found) for found in places],
        "upvotes_minus_downvotes": up - down,
        "upvotes_plus_downvotes": up + down,
        "subreddits": [json.dumps(found) for found in places],
    }
    return {f"requester_{name}_at_request": values for name, values in counts.items()}

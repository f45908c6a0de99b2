"""Groups of features: when it is asked, who asks, and how."""

import numpy as np
import pandas as pd

from solvers.tasks.random_acts_of_pizza.contract import TEXT
from solvers.tasks.random_acts_of_pizza.narratives import stories

COUNTS = [
    "account_age_in_days", "days_since_first_post_on_raop", "n_comments", "n_comments_in_raop",
    "n_posts", "n_posts_on_raop", "n_subreddits", "upvotes_plus_downvotes",
]  # fmt: skip


def words(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """What is read: the request, and where the requester has posted."""
    return rows[["request", "subreddits"]].astype(TEXT)


def moment(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """When it is asked: givers come and go over years and over the day."""
    when = rows["when"]
    hour = when.dt.hour + when.dt.minute / 60
    return pd.DataFrame(
        {
            "days": rows["unix_timestamp_of_request_utc"] / 86_400,
            "hour": (hour - 9) % 24,  # from when America sleeps on
            "hour_sin": np.sin(hour * np.pi / 12),
            "hour_cos": np.cos(hour * np.pi / 12),
            "weekday": when.dt.day_of_week,
            "day_of_month": when.dt.day,
            "month": when.dt.month,
        }
    ).astype("float64")


def crowd(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """How many others, of train and test, ask within hours or days before and after."""
    at = rows["unix_timestamp_of_request_utc"].to_numpy() / 3600
    order = np.sort(at)
    told = {}
    for hours in (3, 24, 168):
        before = np.searchsorted(order, at) - np.searchsorted(order, at - hours)
        after = np.searchsorted(order, at + hours, side="right") - np.searchsorted(
            order, at, side="right"
        )
        told |= {f"asked_{hours}_hours_before": before, f"asked_{hours}_hours_after": after}
    return pd.DataFrame(told, index=rows.index).astype("float64")


def history(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """What the requester did before."""
    karma, votes = rows["upvotes_minus_downvotes"], rows["upvotes_plus_downvotes"]
    said = rows["n_comments"] + rows["n_posts"] + 1
    logs = {f"log_{k}": np.log1p(v.clip(lower=0)) for k, v in rows[COUNTS].items()}
    return pd.DataFrame(
        logs
        | {
            "log_karma": np.sign(karma) * np.log1p(karma.abs()),
            "liked": (karma + 1) / (votes + 2),
            "karma_a_post": np.log1p(karma.clip(lower=0) / said),
            "comments_a_day": np.log1p(rows["n_comments"] / (rows["account_age_in_days"] + 1)),
            "posts_of_all": rows["n_posts"] / (rows["n_posts"] + rows["n_comments"] + 1),
            "new_account": (rows["account_age_in_days"] < 1),
            "known_on_raop": rows["subreddits"].str.contains("Random_Acts_Of_Pizza"),
        }
    ).astype("float64")


def wording(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """How long, how careful, how loud."""
    title, text, request = rows["title"], rows["text"], rows["request"]
    n = request.str.len() + 1
    return pd.DataFrame(
        {
            "log_characters": np.log1p(text.str.len()),
            "log_title": np.log1p(title.str.len()),
            "log_words": np.log1p(text.str.count(r"\w+")),
            "word_length": text.str.count(r"\w") / (text.str.count(r"\w+") + 1),
            "paragraphs": np.log1p(text.str.count(r"\n\s*\n")),
            "capitals": request.str.count("[A-Z]") / n,
            "loud_words": np.log1p(request.str.count(r"\b[A-Z]{3,}\b")),
            "exclamations": np.log1p(request.str.count("!")),
            "questions": np.log1p(request.str.count(r"\?")),
            "commas": request.str.count(",") / n,
            "digits": np.log1p(request.str.count(r"\d")),
            "money_sums": np.log1p(request.str.count(r"[$\u00a3\u20ac]\s?\d")),
            "links": request.str.count(r"https?://|www\."),
            "smiles": request.str.count(r"[:;]-?[)D(P]|&lt;3"),
            "edited": request.str.contains(r"\bedit\b", case=False),
            "title_parts": title.str.count(r"[\[({]"),
            "title_commas": title.str.count(","),
            "throwaway": rows["username"].fillna("").str.contains("throw", case=False),
            "name_digits": rows["username"].fillna("").str.count(r"\d"),
        }
    ).astype("float64")


def narratives(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """Which stories are told, by how many words."""
    told = pd.DataFrame(rows["request"].map(stories).tolist(), index=rows.index)
    return np.log1p(told).add_prefix("about_").astype("float64")


FEATURES = (words, moment, crowd, history, wording, narratives)

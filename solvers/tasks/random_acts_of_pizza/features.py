"""Groups of features: when it is asked, who asks, and how."""

import numpy as np
import pandas as pd

from solvers.tasks.random_acts_of_pizza.contract import TEXT
from solvers.tasks.random_acts_of_pizza.narratives import stories

COUNTS = [
    "account_age_in_days", "days_since_first_post_on_raop", "n_comments", "n_comments_in_raop",
    "n_posts", "n_posts_on_raop", "n_subreddits", "upvotes_plus_downvotes",
]  # fmt: skip
DAY = 86_400  # seconds


def words(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """Title and text, for the models that read."""
    return rows[["request"]].astype(TEXT)


def moment(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """When it is asked: givers come and go over years and over the day."""
    when = rows["when"]
    hour = when.dt.hour + when.dt.minute / 60
    return pd.DataFrame(
        {
            "days": rows["unix_timestamp_of_request_utc"] / DAY,
            "hour": (hour - 9) % 24,  # from when America sleeps
            "day_of_month": when.dt.day,
            "month": when.dt.month,
        }
    ).astype("float64")


def crowd(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """How many others, of train and test, ask within a day and a week before and after."""
    at = rows["unix_timestamp_of_request_utc"].to_numpy()
    order = np.sort(at)
    first, after = (np.searchsorted(order, at, side=side) for side in ("left", "right"))
    told = {}
    for name, days in (("day", 1), ("week", 7)):
        told[f"asked_{name}_before"] = first - np.searchsorted(order, at - days * DAY)
        told[f"asked_{name}_after"] = np.searchsorted(order, at + days * DAY, side="right") - after
    return pd.DataFrame(told, index=rows.index).astype("float64")


def history(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """What the requester did before."""
    karma, votes = rows["upvotes_minus_downvotes"], rows["upvotes_plus_downvotes"]
    said = rows["n_comments"] + rows["n_posts"] + 1
    logs = {f"log_{k}": np.log1p(v) for k, v in rows[COUNTS].items()}
    return pd.DataFrame(
        logs
        | {
            "log_karma": np.sign(karma) * np.log1p(karma.abs()),
            "liked": (karma + 1) / (votes + 2),
            "karma_a_post": np.log1p(karma.clip(lower=0) / said),
            "comments_a_day": np.log1p(rows["n_comments"] / (rows["account_age_in_days"] + 1)),
            "posts_of_all": rows["n_posts"] / (rows["n_posts"] + rows["n_comments"] + 1),
        }
    ).astype("float64")


def wording(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """How long, how careful, how loud."""
    title, text, request = rows["title"], rows["text"], rows["request"]
    return pd.DataFrame(
        {
            "log_characters": np.log1p(text.str.len()),
            "log_title": np.log1p(title.str.len()),
            "log_words": np.log1p(text.str.count(r"\w+")),
            "loud_words": np.log1p(request.str.count(r"\b[A-Z]{3,}\b")),
            "exclamations": np.log1p(request.str.count("!")),
            "digits": np.log1p(request.str.count(r"\d")),
            "title_parts": title.str.count(r"[\[({]"),
            "title_commas": title.str.count(","),
            "throwaway": rows["username"].fillna("").str.contains("throw", case=False),
        }
    ).astype("float64")


def narratives(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """Which stories are told, by how many words."""
    told = pd.DataFrame(rows["request"].map(stories).tolist(), index=rows.index)
    return told.transform(np.log1p).add_prefix("about_").astype("float64")


FEATURES = (words, moment, crowd, history, wording, narratives)

"""Topics of documents, told by their words: Zhao, Tan & Xu (2017), section 6.4, tables 1 and 2."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.bench.experiments.base import Claim, Progress, Result, Run, Table, number, spread
from core.bench.experiments.runs import fit
from core.errors import CleanplateError
from core.frames.frame import Layout, Planes

FOLDER = "documents"
"""Of the data: a folder for each topic, which holds its documents as .txt."""

METHODS = {"ol-kl": "OL-KL", "b-kl": "B-KL", "ol-wang2": "OL-Wang2"}
PAPER_RAND = {"ol-kl": 0.697, "b-kl": 0.701, "ol-wang2": 0.643}
PAPER_SECONDS = {"ol-kl": 29.25, "b-kl": 183.32, "ol-wang2": 32.46}
"""Table 2 of the paper, on the Guardian documents."""

REPEATS, PASSES = 20, 2
"""Starts, as in the paper; and how often online methods see the documents."""

ABSENT = 1e-3
"""What the paper puts where a word is not in a document."""

ALMOST = 0.02
"""Difference of Rand indices that counts as almost as good."""

LEAST_DOCUMENTS, MOST_WORDS, SHOWN = 3, 5000, 5
"""A word counts that is in so many documents; the most frequent ones, at most; words that tell a topic."""

DRAWN = {
    "weather": "rain cloud wind storm snow frost thunder forecast sunny degrees",
    "football": "goal match league player striker referee stadium penalty coach season",
    "music": "song album guitar melody singer concert drums chorus piano band",
    "cooking": "oven flour butter recipe onion pepper simmer dough garlic sauce",
    "space": "planet orbit rocket star telescope moon astronaut galaxy comet satellite",
}
"""Words of the topics of drawn documents."""

COMMON = "people time year day world week thing place work part said made found came".split()  # noqa: SIM905
DRAWN_DOCUMENTS, DRAWN_LENGTH, ON_TOPIC = 60, 80, 0.4
"""Documents of a topic, their words, and the share of these that belong to it."""


@dataclass(frozen=True)
class Documents:
    """Documents as bags of words.

    Attributes
    ----------
    V : (n, F) float32
        TF-IDF, one document a row.
    words : tuple of str
        What the columns stand for.
    topics : tuple of str
    labels : (n,) intp
        Topic of each document.
    """

    V: NDArray[np.float32]
    words: tuple[str, ...]
    topics: tuple[str, ...]
    labels: NDArray[np.intp]


def weighted(texts: Sequence[Sequence[str]], topics: Sequence[str], labels: Sequence[int]) -> Documents:
    """Return documents (words each) by term frequency times inverse document frequency, ``tf · ln(n / df)``."""
    counts = [Counter(text) for text in texts]
    frequency = Counter(word for count in counts for word in count)
    known = [word for word, n in frequency.most_common() if LEAST_DOCUMENTS <= n < len(texts)][:MOST_WORDS]
    place = {word: i for i, word in enumerate(known)}
    V = np.full((len(texts), len(known)), ABSENT, np.float32)
    for row, count in zip(V, counts, strict=True):
        for word, n in count.items():
            if word in place:
                row[place[word]] = n * np.log(len(texts) / frequency[word])
    return Documents(V, tuple(known), tuple(topics), np.array(labels, np.intp))


def drawn(seed: int, n: int = DRAWN_DOCUMENTS) -> Documents:
    """Return documents of known topics: words of their own, words of all, and some of the other topics."""
    rng = np.random.default_rng(seed)
    lists = [words.split() for words in DRAWN.values()]
    everything = [*COMMON, *(word for words in lists for word in words)]
    texts, labels = [], []
    for topic, own in enumerate(lists):
        for _ in range(n):
            n_own = rng.binomial(DRAWN_LENGTH, ON_TOPIC)
            texts.append([*rng.choice(own, n_own), *rng.choice(everything, DRAWN_LENGTH - n_own)])
            labels.append(topic)
    return weighted(texts, tuple(DRAWN), labels)


def read(folder: Path) -> Documents:
    """Return the documents of a folder that has a folder for each topic.

    Raises
    ------
    CleanplateError
        There are no two topics, or a file cannot be read.
    """
    topics = sorted(p for p in folder.iterdir() if p.is_dir()) if folder.is_dir() else []
    files = [(topic, path) for topic in topics for path in sorted(topic.glob("*.txt"))]
    if len({topic for topic, _ in files}) < 2:
        raise CleanplateError(f"There are no documents in {folder}; give each topic a folder with .txt files.")
    try:
        texts = [re.findall(r"[^\W\d_]{3,}", path.read_text(encoding="utf-8").lower()) for _, path in files]
    except (OSError, UnicodeDecodeError) as error:
        raise CleanplateError(f"A document in {folder} cannot be read as text; save it as UTF-8.") from error
    return weighted(texts, [topic.name for topic in topics], [topics.index(topic) for topic, _ in files])


def rand_index(found: NDArray[np.intp], truth: NDArray[np.intp]) -> float:
    """Return the share of pairs on which two partitions (n,) agree: together in both, or apart in both."""
    table = np.zeros((found.max() + 1, truth.max() + 1))
    np.add.at(table, (found, truth), 1)

    def pairs(counts: NDArray[np.float64]) -> float:
        return float((counts * (counts - 1) / 2).sum())

    both, all_pairs = pairs(table), pairs(np.array([len(found)], np.float64))
    return 1 + (2 * both - pairs(table.sum(axis=0)) - pairs(table.sum(axis=1))) / all_pairs


def words_of(W: NDArray[np.float32], words: Sequence[str]) -> list[list[str]]:
    """Return the words with the largest entries of each row of a dictionary (K, F)."""
    return [[words[i] for i in np.argsort(-row, kind="stable")[:SHOWN]] for row in W]


def run(data: Path | None, seed: int, quick: bool) -> Run:
    """Learn the topics with each method from several starts; see `core.bench.experiments.base`."""
    folder = None if data is None else data / FOLDER
    documents = drawn(seed, 12 if quick else DRAWN_DOCUMENTS) if folder is None or not folder.is_dir() else read(folder)
    repeats, K = 2 if quick else REPEATS, len(documents.topics)
    layout = Layout(1, len(documents.words), Planes.GREY)
    rand: dict[str, list[float]] = {key: [] for key in METHODS}
    seconds: dict[str, list[float]] = {key: [] for key in METHODS}
    shown: dict[str, list[list[str]]] = {}
    for done, (repeat, key) in enumerate((r, key) for r in range(repeats) for key in METHODS):
        yield Progress(done, repeats * len(METHODS), METHODS[key])
        chosen = {"rank": K, "content": "images", "frames": max(2, len(documents.V))}
        found = fit(key, layout, documents.V, chosen, seed + repeat, PASSES)
        H = found.encoding.H * np.linalg.norm(found.W, axis=1)
        rand[key].append(rand_index(H.argmax(axis=1), documents.labels))
        seconds[key].append(found.seconds)
        shown.setdefault(key, words_of(found.W, documents.words))
    origin = "Drawn documents" if folder is None or not folder.is_dir() else "Documents"
    return Result(
        title="Topics of documents",
        paper="Zhao, Tan & Xu 2017, section 6.4, tables 1 and 2",
        data=f"{origin}: {len(documents.V)} of {K} topics, {len(documents.words)} words, as TF-IDF; the paper's are "
        f"5413 of the Guardian. A folder {FOLDER}/ with a folder for each topic takes their place.",
        setting=f"K = {K}, {repeats} starts, {PASSES} passes of online methods; a document belongs to its largest "
        "coefficient, of basis images of norm 1.",
        tables=(
            Table(
                "Rand index, and seconds of learning", ("Method", "Rand index", "paper's", "s", "paper's s"),
                tuple(
                    (
                        name, spread(rand[key], 3), number(PAPER_RAND[key], 3), spread(seconds[key]),
                        number(PAPER_SECONDS[key]),
                    )
                    for key, name in METHODS.items()
                ),
            ),
            *(
                Table(
                    f"Words of the topics, {name}", ("Topic", *map(str, range(1, SHOWN + 1))),
                    tuple((str(k + 1), *words) for k, words in enumerate(shown[key])),
                )
                for key, name in METHODS.items()
            ),
        ),
        claims=_claims(rand, seconds, judged=origin == "Documents"),
        figures={"rand_index": rand, "seconds": seconds, "words": shown, "seed": seed},
    )  # fmt: skip


def _claims(rand: dict[str, list[float]], seconds: dict[str, list[float]], *, judged: bool) -> tuple[Claim, ...]:
    accuracy, time = ({key: float(np.mean(values)) for key, values in of.items()} for of in (rand, seconds))
    shown = ", ".join(f"{name} {number(accuracy[key], 3)}" for key, name in METHODS.items())
    times = ", ".join(f"{name} {number(time[key])} s" for key, name in METHODS.items())
    kl, batch, squared = (accuracy[key] for key in METHODS)
    found = (
        Claim("OL-KL tells documents apart almost as well as B-KL.", kl >= batch - ALMOST, shown),
        Claim("Both do so better than OL-Wang2.", min(kl, batch) > squared, shown),
        Claim(
            "The online methods learn in less than half the time of B-KL.",
            2 * max(time["ol-kl"], time["ol-wang2"]) < time["b-kl"], times,
        ),
    )  # fmt: skip
    return found if judged else tuple(replace(c, holds=None, ours=f"{c.ours}, on drawn documents") for c in found)

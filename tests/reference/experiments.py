"""Slow, obvious versions of what experiments count: loops, one thing at a time."""

import itertools
import math


def patches(image, side, stride):
    """Square patches of an image (a list of rows), row by row; the last of each row and column reach to the edge."""

    def corners(length):
        at, found = 0, []
        while at < length - side:
            found.append(at)
            at += stride
        return [*found, length - side]

    found = []
    for y in corners(len(image)):
        for x in corners(len(image[0])):
            found.append([image[y + i][x + j] for i in range(side) for j in range(side)])
    return found


def tf_idf(word, text, texts, absent):
    """How often a word is in a text, times the logarithm of how rare texts with it are."""
    count = sum(1 for other in text if other == word)
    with_it = sum(1 for other in texts if word in other)
    return count * math.log(len(texts) / with_it) if count else absent


def rand_index(one, other):
    """The share of pairs that both partitions treat alike."""
    pairs = list(itertools.combinations(range(len(one)), 2))
    return sum((one[a] == one[b]) == (other[a] == other[b]) for a, b in pairs) / len(pairs)

"""The kernels of what sways, of ranks, and of likeness, slow and obvious."""

from math import exp, sqrt


def ranked_size(values, every, place):
    return sorted(abs(float(x)) for x in values[::every])[place]


def median_of_grid(plane, every):
    sizes = sorted(abs(float(x)) for x in plane[::every, ::every].ravel())
    return sizes[len(sizes) // 2]


def noise_around(variance, every, side, out):
    rows, columns = out.shape
    for i in range(rows):
        for j in range(columns):
            total = 0.0
            for y in range(i - side // 2, i - side // 2 + side):
                for x in range(j - side // 2, j - side // 2 + side):
                    at = min(max(y, 0), rows - 1) * every, min(max(x, 0), columns - 1) * every
                    total += sqrt(variance[at])
            out[i, j] = total / side**2
    return out.max()


def discount(around, calm, each, most, every, foreground, shadow, less_foreground, less_shadow):
    for i in range(foreground.shape[0]):
        for j in range(foreground.shape[1]):
            over = float(around[i // every, j // every]) - float(calm)
            asked = min(max(each * over, 0), most)
            less_foreground[i, j] = foreground[i, j] - asked
            less_shadow[i, j] = shadow[i, j] - asked


def add_likeness(start, stop, cells, unit, centres, halves, weights, out):
    for i in range(start, stop):
        total = 0.0
        for c in range(len(weights)):
            apart = sum((float(cells[i, d] * unit[d]) - float(centres[d, c])) ** 2 for d in range(len(unit)))
            total += weights[c] * exp(-apart / 2)
        out[i] = total

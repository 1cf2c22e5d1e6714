"""What `Foreground.update` does with tasks that other tests want done at once."""

from core.runtime import bands


def learn(statistics, cells, before, logit, unseen=None):
    tasks, differs = statistics.learning(cells, before, logit, unseen)
    bands.all_of(tasks, 0)
    return differs


def follow(ghosts, cells, differs, static_frames, sure=None):
    bands.all_of(ghosts.ageing(cells, differs), 0)
    return ghosts.follow(cells, differs, static_frames, sure)

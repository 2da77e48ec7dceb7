"""Measured values of two profilers side by side, with their goals."""
import statistics

OURS, THEIRS = "hearth", "async-profiler"


class Goal:
    """A bound on a score that each round's pair of values gives; `text` as the table shows it."""

    def __init__(self, text, score, bound, most=True):
        self.text, self.score, self.bound, self.most = text, score, bound, most

    def verdict(self, pairs):
        """Whether the median score keeps the bound, or that the spread of the rounds leaves it open."""
        scores = [self.score(ours, theirs) for ours, theirs in pairs]
        if not scores:
            return "–"
        middle = statistics.median(scores)
        over = middle - self.bound if self.most else self.bound - middle
        if over <= 0:
            return "yes"
        return "in noise" if over <= spread(scores) else "no"


def at_most(bound):
    return Goal(f"≤ {bound:g}", lambda ours, _: ours, bound)


def at_least(bound):
    return Goal(f"≥ {bound:g}", lambda ours, _: ours, bound, most=False)


def ratio_at_most(bound):
    return Goal(f"ratio ≤ {bound:g}", lambda ours, theirs: ours / theirs, bound)


def difference_at_most(bound):
    return Goal(f"more by ≤ {bound:g}", lambda ours, theirs: ours - theirs, bound)


def spread(values):
    """Half the width of the median's 95 % interval (1.57 interquartile ranges over the root of the count)."""
    if len(values) < 5:
        return 0.0
    first, _, third = statistics.quantiles(values, n=4)
    return 1.57 * (third - first) / len(values) ** 0.5


def cell(values):
    if not values:
        return "–"
    width = spread(values)
    return f"{statistics.median(values):.2f}" + (f" ±{width:.2f}" if width else "")


class ScoreTable:
    """For each measure and agent a value a round, or more; those that are compared have the same number."""

    def __init__(self):
        self.values, self.units, self.goals = {}, {}, {}

    def record(self, measure, unit, agent, value, goal=None):
        self.values.setdefault(measure, {OURS: []}).setdefault(agent, []).append(value)
        self.units[measure], self.goals[measure] = unit, goal

    def rows(self, measure):
        """One for each peer; where there is nobody to compare with, one."""
        values = self.values[measure]
        others = [agent for agent in values if agent != OURS] or [THEIRS]
        return [self.row(measure, other, "" if other == THEIRS else f", {other}") for other in others]

    def row(self, measure, other, whose):
        ours, theirs = self.values[measure][OURS], self.values[measure].get(other, [])
        pairs = list(zip(ours, theirs or ours))
        ratio = "–"
        if theirs and statistics.median(theirs) > 0:
            ratio = f"{statistics.median(ours) / statistics.median(theirs):.2f}"
        goal = self.goals[measure]
        text, met = (goal.text, goal.verdict(pairs)) if goal else ("", "")
        return f"{f'{measure} ({self.units[measure]}){whose}':54}{cell(ours):>15}{cell(theirs):>16}{ratio:>8}   {text:14}{met}"

    def __str__(self):
        head = f"{'':54}{'hearth':>15}{'async-profiler':>16}{'ratio':>8}   {'goal':14}met"
        return "\n".join([head, *(row for measure in self.values for row in self.rows(measure))])

"""Labelled clips that are drawn from a seed, on which the masks' learned parts are trained."""

from app.rendering.basis_use import LEAST_PART, BasisUse


def test_an_image_that_made_part_of_a_frame_once_has_been_used():
    use = BasisUse()
    assert use.unused([0.999, 0.001, 0.0]) == [False, True, True]
    assert use.unused([0.9, 0.1, 0.0]) == [False, False, True]
    assert use.unused([1.0, 0.0, 0.0]) == [False, False, True]
    assert BasisUse().unused([1.0, 0.0, 0.0]) == [False, True, True]


def test_what_counts_goes_by_an_equal_share_and_another_rank_begins_anew():
    use = BasisUse()
    many = [1 / 100] * 99 + [0.5 * LEAST_PART / 100]
    assert use.unused(many) == [False] * 99 + [True]
    assert use.unused([1.0, 0.0]) == [False, True]


def test_where_shares_are_not_known_nothing_is_said():
    assert BasisUse().unused([None, None]) == [False, False]

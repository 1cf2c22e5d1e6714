from core.session.values_as_read import ValuesAsRead


def test_what_nobody_has_changed_is_as_it_was_read():
    read = ValuesAsRead({"lam": 1, "gone": 3, "rank": None, "grow": None}, rank=4)
    kept = read.where_unchanged({"lam": 1.0, "rank": 4, "grow": None, "new": 2.0})
    assert kept == {"lam": 1, "rank": None, "grow": None, "new": 2.0}
    assert isinstance(kept["lam"], int)


def test_what_was_changed_is_what_it_is_now():
    read = ValuesAsRead({"lam": 1, "rank": None}, rank=4)
    assert read.where_unchanged({"lam": 2.0, "rank": 3}) == {"lam": 2.0, "rank": 3}


def test_a_rank_that_was_chosen_is_compared_as_it_was_chosen():
    read = ValuesAsRead({"rank": 5}, rank=3)
    assert read.where_unchanged({"rank": 3}) == {"rank": 3}

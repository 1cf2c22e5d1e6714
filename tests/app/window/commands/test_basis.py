"""What is asked of the engine about basis images."""

from types import SimpleNamespace

from app.window.commands.basis import BasisCommands


def test_a_basis_image_is_dropped_by_the_engine_and_the_rank_in_force_is_told(worker, qtbot):
    basis = BasisCommands(worker)

    class Session:
        def __init__(self):
            self.control = SimpleNamespace(values={"rank": 2})

        def drop_basis(self, k, *, replace=False):
            self.dropped = k, replace

    session = Session()
    worker.with_session.side_effect = lambda action: action(session)
    with qtbot.waitSignal(basis.rank_changed) as rank:
        basis.drop(1)
    assert rank.args == [{"rank": 2}]
    assert session.dropped == (1, False)
    with qtbot.assertNotEmitted(basis.rank_changed):
        basis.reset(0)
    assert session.dropped == (0, True)
    assert worker.show_basis.call_count == 2

"""The command ``bench pieces``."""

from app.cli.main import invoke


def test_the_folder_for_films_is_made(tmp_path, monkeypatch, capsys):
    written = []

    def refuse(sequence, path, *_):
        written.append(path)
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr("core.bench.pieces.write_film", refuse)
    monkeypatch.setattr("core.bench.sequences.find_sequences", lambda *_: [type("Named", (), {"name": "highway"})])
    folder = tmp_path / "not" / "there"
    assert invoke(["bench", "pieces", "--data", str(tmp_path), "--folder", str(folder)]) == 2
    assert written[0].is_relative_to(folder), capsys.readouterr().err

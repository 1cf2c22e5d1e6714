import pytest

from app.system.log import explain

NO_TEXT = "film-\udcff.mp4"
"""How Python has the name of a file whose bytes are no text."""


@pytest.mark.parametrize("is_writable", [True, False])
def test_an_error_about_a_file_whose_name_is_no_text_is_explained(tmp_path, is_writable):
    log = tmp_path / "log"
    if not is_writable:
        log.mkdir()
    said = explain(ValueError(f"no frame in {NO_TEXT}"), f"opening {NO_TEXT}", log)
    assert said.encode("utf-8").startswith(b"Something went wrong while opening film-\\udcff.mp4 (ValueError")
    if is_writable:
        assert "ValueError: no frame in film-\\udcff.mp4" in log.read_text("utf-8")
    else:
        assert "no details could be written" in said

"""Boards that draw themselves, and the notebooks."""

import pathlib
import xml.etree.ElementTree as xml

import nebel
import pytest
from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "crates" / "python" / "notebooks").glob("*.ipynb"))


def men_of(svg):
    """The figures of a drawing; the text must be well-formed."""
    texts = [node.text for node in xml.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
    return [text[0] for text in texts if text and text[0] in "♙♘♗♖♕♔♟♞♝♜♛♚"]


def test_boards_views_and_beliefs_draw_themselves():
    umpire = nebel.Umpire()
    assert len(men_of(umpire._repr_svg_())) == 32
    umpire.attempt("e2e4")
    umpire.attempt("d7d5")
    assert set(men_of(umpire.view("white")._repr_svg_())) == set("♙♘♗♖♕♔"), "own men and no others"
    assert set(men_of(umpire.view("black")._repr_svg_())) == set("♟♞♝♜♛♚")
    assert len(men_of(umpire.transcript._repr_svg_())) == 32
    belief = nebel.Belief.of_view(umpire.view("white"))
    drawn = belief._repr_svg_()
    assert "2 positions" in drawn and len(men_of(drawn)) == 16 + 18, "two pawns on four squares"
    umpire.resign()
    assert "1-0" in umpire._repr_svg_() or "0-1" in umpire._repr_svg_()


def test_a_view_draws_the_same_whatever_is_hidden():
    one, other = nebel.Umpire(), nebel.Umpire()
    for umpire, reply in ((one, "a7a6"), (other, "h7h6")):
        umpire.attempt("e2e4")
        umpire.attempt(reply)
    assert one.view("white")._repr_svg_() == other.view("white")._repr_svg_()


def test_a_belief_is_plotted():
    pytest.importorskip("matplotlib", reason="matplotlib is not installed").use("Agg")
    figure = nebel.Belief("white").plot()
    assert [axis.get_title() for axis in figure.axes][:3] == ["any man", "pawn", "knight"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_notebooks_run(path):
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") for cell in notebook.cells), "kept without outputs"
    client = nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3")
    client.execute(cwd=str(pathlib.Path(path).parent))
    assert any("image/svg+xml" in output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", []))


def test_there_are_two_notebooks():
    assert len(NOTEBOOKS) == 2

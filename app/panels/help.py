"""Pages of help: keys, glossary, about."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFrame, QTextBrowser, QVBoxLayout, QWidget

from app.shortcuts import key_list
from app.side_window import SideWindow

GLOSSARY = (
    ("Clean plate", "The scene without what passes through it. Export it as “plate”."),
    ("Background", "What the model explains of this frame: a sum of basis images. It follows light that changes."),
    ("Foreground", "What is left of the frame where the mask is set."),
    ("Mask", "The pixels that are taken for foreground: a small network decides for each place by how it differs from "
     "the background, how alike both are textured around it, and the noise that was learnt there. Edges follow the "
     "picture, and what is painted goes before."),
    ("Matte", "The mask with soft edges: how much of each pixel the foreground covers: white all, black nothing. It is "
     "the transparency of an exported foreground."),
    ("Residual", "Input minus background, with its sign: red is brighter than the background, blue is darker."),
    ("Outliers", "What the method itself sets aside of a frame, with its sign: spoilt parts of faces, say."),
    ("Probability", "How probably a pixel is foreground, as the mask's network sees it, before edges and sizes count."),
    ("Plate confidence", "How often each pixel of the clean plate was seen: white always, dark rarely. What was never "
     "seen is magenta in the window, and black in the picture that is saved."),
    ("Measure", "M, then a click on a pixel or a drag: mean ± deviation, smallest and largest of each picture there "
     "(of luma, in colour), and under Profile its mean over time, from then on."),
    ("Histogram", "How often each sample occurs; its lines set black and white, for display only. Gamma below 1 "
     "brightens the dark parts."),
    ("Grow and feather", "What is done to a finished mask: it gets wider (below 0: narrower), and the matte's edge a "
     "ramp. Both count in pixels of the results. What is learnt and cleaned goes by the mask as it was found."),
    ("Areas", "What you exclude of the input (A). Never foreground: what moves there is background, in no mask, and is "
     "learnt as all else is. Keep as it is: cleaned frames show the input there, and nothing else changes. They lie "
     "still in the picture, count for all frames, and stay where they are when a region or a size is chosen."),
    ("Strokes", "What you paint by hand (B). Background holds for all frames, foreground from the frame on that you "
     "painted: both are learnt and known again by their look. For a span or one frame, they only correct the masks "
     "there."),
    ("Basis images", "Pictures that the method learns; every background is a mixture of them, never with minus signs. "
     "That is the nonnegative matrix factorization V ≈ W H: W holds the basis images, H how much of each."),
    ("Δ of a basis image", "By how much it has changed over the last 50 frames: large while it is still being learnt, "
     "near 0 % once it is certain. 1 % means that a hundredth of it is another."),
    ("Rank K", "How many basis images there are. One or two do for a still camera in steady light; more follow moving "
     "light, shadows and swaying leaves. Too many, and slow objects become part of the background."),
    ("Outlier penalty λ", "How large a difference must be to be set aside as an outlier, from which the basis learns "
     "little. Lower: more is. Masks are found otherwise (Sensitivity) and hardly follow it, but where it is far too "
     "high: then what passes bends the background. Automatic ties it to the noise of the input."),
    ("Memory", "How long the model remembers. Short: it adapts soon, and what stops is absorbed soon. Long: steady."),
    ("Learn every", "The basis is improved only at every n-th frame; each frame is split all the same."),
    ("Sensitivity", "How readily a pixel is taken for foreground: at 50 %, where that is more probable than not."),
    ("Warm-up", "The first frames, during which the background is that of the few frames seen: what stood there may "
     "leave a ghost. The status line counts them. A second pass does without."),
    ("Pass", "One reading of the input. With one pass, no frame uses anything after it. With two, the first one learns "
     "and the second one gives the results, so the first frames are as good as the last."),
    ("In and out points", "The first and the last frame that are exported. All frames are learnt from all the same."),
    ("Showing, not learning", "A frame that you go to is shown by what was learnt so far, and teaches nothing. Playing "
     "goes on from it, and learns again where learning stopped, or once it has come to the end. The timeline has a "
     "mark where that is, and “Learn on” (End) goes there at once."),
    ("Objective", "The number that the method makes small: misfit of the background plus λ times the outliers."),
    ("PSNR", "How near two images are, in decibels: 6 dB more halve the error."),
    ("F-measure", "How well the mask agrees with a known truth, 0 to 1."),
)  # fmt: skip

ABOUT = """<h3>Cleanplate {version}</h3>
<p>Separates what stays from what passes, live, by online robust nonnegative matrix factorization.</p>
<p>The default method solves the loss of R. Zhao and V. Y. F. Tan, “Online nonnegative matrix factorization with
outliers”, IEEE Transactions on Signal Processing 65(3), 2017, on a sample of pixels, and learns the basis by
coordinate descent.</p>
<p>BSD 3-Clause licence. The command line does the same: <code>cleanplate run --help</code>.</p>"""


class Page(SideWindow):
    """A page of rich text in a window that does not block."""

    def __init__(self, title: str, html: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        # No label: that lays out all of a long page, several times, before it is shown.
        self.text = QTextBrowser()
        self.text.setHtml(html)
        self.text.setAccessibleName(title)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        rows = QVBoxLayout(self)
        rows.addWidget(self.text, 1)
        rows.addWidget(closing_button(self))


def closing_button(page: QDialog) -> QDialogButtonBox:
    """Return the button, in its place, that closes a page."""
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    for made in buttons.buttons():
        made.setAccessibleName("Close")
        made.setToolTip("Close this page")
        made.setIcon(QIcon())
    buttons.rejected.connect(page.close)
    return buttons


def shortcuts_page(parent: QWidget) -> Page:
    """Return the list of every key."""
    parts = []
    for heading, rows in key_list().items():
        parts.append(f"<h3>{heading}</h3><table cellpadding='4'>")
        for keys, text, about in rows:
            parts.append(f"<tr><td width='110'><b>{keys}</b></td><td width='150'>{text}</td><td>{about}</td></tr>")
        parts.append("</table>")
    page = Page("Keyboard shortcuts", "".join(parts), parent)
    page.resize(720, 640)
    return page


def glossary_page(parent: QWidget) -> Page:
    """Return the glossary."""
    page = Page("Glossary", "".join(f"<p><b>{word}.</b> {text}</p>" for word, text in GLOSSARY), parent)
    page.resize(620, 640)
    return page


def about_page(parent: QWidget) -> Page:
    """Return the page about the program."""
    try:
        number = version("cleanplate")
    except PackageNotFoundError:
        number = ""
    page = Page("About Cleanplate", ABOUT.format(version=number), parent)
    page.resize(460, 320)
    return page

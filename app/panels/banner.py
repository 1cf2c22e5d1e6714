"""A calm line over the panes for errors, warnings and news: it never blocks, and goes when it is dismissed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton

from app import theme
from app.engine.threads import on_own_thread
from app.panels.controls import button, named
from app.panels.sentence import Sentence
from app.panels.window_words import in_window

MOST = 20
"""Sentences that wait to be read; of more, the oldest warnings go, and then the oldest errors."""


NEWS_MS = 10_000
"""How long news stay while nothing else is shown over them; warnings and errors stay until they are dismissed."""


class Offer(NamedTuple):
    """What a person can do about a sentence, at a click.

    Attributes
    ----------
    word, tip : str
        On the button, and under the pointer.
    act : callable
    """

    word: str
    tip: str
    act: Callable[[], None]


class _Said(NamedTuple):
    sentence: str
    is_error: bool
    n_of_reading: int = 0
    offer: Offer | None = None
    is_news: bool = False
    is_of_saving: bool = False


class Banner(QFrame):
    """One sentence at a time: the newest, and news behind all errors; those before it come as it is dismissed."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("banner")
        self.setAccessibleName("Message")
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 6, 6, 6)
        row.setSpacing(8)
        self._icon = QLabel()
        self._text = Sentence()
        self.more = QLabel()
        self.more.setProperty("role", "caption")
        self.more.setToolTip("Earlier messages; dismiss this one to read them")
        self.offer = button("", "", "", "link")
        self.offer.clicked.connect(self._on_offer)
        close = QToolButton()
        close.setIcon(theme.icon("close"))
        close.setProperty("role", "flat")
        named(close, "Dismiss the message", "Dismiss the message")
        close.clicked.connect(self._on_close)
        row.addWidget(self._icon)
        row.addWidget(self._text, 1)
        row.addWidget(self.offer)
        row.addWidget(self.more)
        row.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        self._said: list[_Said] = []
        self._news_timer = QTimer(self, singleShot=True, interval=NEWS_MS)
        self._news_timer.timeout.connect(self._on_news_over)
        self._paint()
        theme.theme_changed().connect(self._paint)
        self.hide()

    @property
    def text(self) -> str:
        """The sentence shown; empty where there is none."""
        return "" if self._shown is None else self._shown.sentence

    @on_own_thread
    def show_error(self, sentence: str, offer: Offer | None = None) -> None:
        """Show what failed, and what a person can do about it: who says the same without an offer takes none away."""
        self._say(_Said(sentence, is_error=True, offer=offer))

    @on_own_thread
    def show_not_saved(self, sentence: str) -> None:
        """Show why what a person wanted to save is not, until they save something else."""
        self._say(_Said(sentence, is_error=True, is_of_saving=True))

    def show_warning(self, sentence: str, offer: Offer | None = None) -> None:
        """Show what a person should know, and what they can do about it."""
        self._say(_Said(sentence, is_error=False, offer=offer))

    def show_news(self, sentence: str) -> None:
        """Show what has become of something, for a while; behind the errors that are shown."""
        self._say(_Said(sentence, is_error=False, is_news=True))

    @on_own_thread
    def show_reading(self, sentences: Sequence[str], offer: Offer | None = None) -> None:
        """Show what was skipped or mended while reading, as it now stands; how it stood before goes.

        With what a person can do about one of the sentences. It is the newest where there are more sentences than
        before; where one only counts on, it keeps its place.
        """
        before = next((one for one in self._said if one.n_of_reading), None)
        place = None if before is None or len(sentences) > before.n_of_reading else self._said.index(before)
        self._said = [one for one in self._said if one is not before]
        if sentences:
            said = _Said(" ".join(sentences), is_error=False, n_of_reading=len(sentences), offer=offer)
            self._say(said, place)
        else:
            self._show()

    @on_own_thread
    def withdraw(self, sentence: str) -> None:
        """Take a sentence away that is no longer so."""
        sentence = in_window(sentence)
        self._said = [one for one in self._said if one.sentence != sentence]
        self._show()

    def withdraw_not_saved(self) -> None:
        """Take away why something was not saved: a person has gone on, and saves something else."""
        self._said = [one for one in self._said if not one.is_of_saving]
        self._show()

    def clear(self) -> None:
        """Take all sentences away, but why something is not saved."""
        self._said = [one for one in self._said if one.is_of_saving]
        self._show()

    def clear_error(self) -> None:
        """Take errors away, but why something is not saved: what was asked for since went well."""
        self._said = [one for one in self._said if not one.is_error or one.is_of_saving]
        self._show()

    @property
    def _shown(self) -> _Said | None:
        has_error = any(one.is_error for one in self._said)
        return next((one for one in reversed(self._said) if not (has_error and one.is_news)), None)

    def _say(self, said: _Said, place: int | None = None) -> None:
        """Show a sentence as the newest, or at a place; one that was said before is not there twice."""
        said = said._replace(sentence=in_window(said.sentence))
        before = [one for one in self._said if one._replace(offer=said.offer) == said]
        offer = said.offer or next((one.offer for one in before), None)
        self._said = [one for one in self._said if one not in before]
        self._said.insert(len(self._said) if place is None else place, said._replace(offer=offer))
        if len(self._said) > MOST:
            self._said.remove(next((one for one in self._said if not one.is_error), self._said[0]))
        self._show()

    def _show(self) -> None:
        self._text.say(self.text)
        offer = None if self._shown is None else self._shown.offer
        self.offer.setVisible(offer is not None)
        if offer is not None:
            self.offer.setText(offer.word)
            named(self.offer, offer.word, offer.tip)
        n_more = len(self._said) - 1
        self.more.setText(f"{n_more} more")
        self.more.setVisible(n_more > 0)
        self._paint()
        self.setVisible(self._shown is not None)
        if self._shown is not None and self._shown.is_news:
            self._news_timer.start()
        else:
            self._news_timer.stop()

    def _paint(self) -> None:
        colours = theme.colours()
        shown = self._shown
        is_news = shown is not None and shown.is_news
        token: theme.Token = "bad" if shown is not None and shown.is_error else "link" if is_news else "warn"
        self._icon.setPixmap(theme.icon("info" if is_news else "warning", token).pixmap(16, 16))
        self.setStyleSheet(
            f"#banner {{ background: {colours.raised}; border-left: 3px solid {colours.of(token)};"
            " border-radius: 4px; }"
        )

    def _on_offer(self) -> None:
        shown = self._shown
        self._on_close()
        if shown is not None and shown.offer is not None:
            shown.offer.act()

    def _on_news_over(self) -> None:
        if self.underMouse():
            self._news_timer.start()  # Someone may be reading it.
        else:
            self._on_close()

    def _on_close(self) -> None:
        self._said = [one for one in self._said if one != self._shown]
        self._show()

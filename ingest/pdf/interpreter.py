"""Running a page's content streams, with what pdfminer.six passes over: clips, transparency, layers, shadings.

ISO 32000-1, 8.4 (graphics state), 8.11 (optional content). What a form draws starts in the state of the page around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from pdfminer.pdfdocument import PDFDocument
from pdfminer.pdfinterp import PDFGraphicState, PDFPageInterpreter
from pdfminer.pdftypes import PDFObjRef, PDFStream, resolve1, stream_value
from pdfminer.psparser import PSLiteral
from pdfminer.utils import Matrix

from ingest.pdf.glyphs import Recorder
from ingest.pdf.paints import Clip, area_of

_MOST_FORMS: Final = 50_000
"""Forms that one page may draw: of ten that each draw ten that each draw ten there is no end."""
_MOST_CLIPS: Final = 16
"""Outlines that cut each other; what lies beyond is taken for not cut."""
_EVERYWHERE: Final = (float("-inf"), float("-inf"), float("inf"), float("inf"))


class GraphicState(PDFGraphicState):
    """A graphics state that knows its clip and how transparent its paint is."""

    def __init__(self) -> None:
        super().__init__()
        self.alpha = 1.0
        self.stroke_alpha = 1.0
        self.plain = True
        """Neither blended nor masked."""
        self.clip: Clip | None = None

    def copy(self) -> GraphicState:
        """The same state, to be changed."""
        other = GraphicState()
        vars(other).update(vars(self))
        return other


@dataclass(frozen=True, slots=True)
class Layers:
    """Which layers of a file are not shown when it is opened."""

    off: frozenset[int]
    """Numbers of their objects."""

    def hides(self, group: Any) -> bool:
        """Whether an optional content group, or a rule about some, is off; one that is not understood is on."""
        if isinstance(group, PDFObjRef) and group.objid in self.off:
            return True
        rule = resolve1(group)
        if not self.off or not isinstance(rule, dict) or "OCGs" not in rule or "VE" in rule:
            return False
        members = resolve1(rule["OCGs"])
        groups = members if isinstance(members, list) else [rule["OCGs"]]
        off = [isinstance(one, PDFObjRef) and one.objid in self.off for one in groups]
        policy = _name(rule.get("P")) or "AnyOn"
        shown = {"AllOn": not any(off), "AnyOff": any(off), "AllOff": all(off)}.get(policy, not all(off))
        return bool(off) and not shown


def layers_of(document: PDFDocument) -> Layers:
    """The layers that the file's default configuration turns off."""
    properties = resolve1(document.catalog.get("OCProperties"))
    default = resolve1(properties.get("D")) if isinstance(properties, dict) else None
    if not isinstance(properties, dict) or not isinstance(default, dict):
        return Layers(frozenset())
    off = _numbers(default.get("OFF"))
    if _name(default.get("BaseState")) == "OFF":
        off |= _numbers(properties.get("OCGs")) - _numbers(default.get("ON"))
    return Layers(off)


def _numbers(groups: Any) -> frozenset[int]:
    found = resolve1(groups)
    return (
        frozenset(one.objid for one in found if isinstance(one, PDFObjRef)) if isinstance(found, list) else frozenset()
    )


def _name(value: Any) -> str:
    value = resolve1(value)
    return str(value.name) if isinstance(value, PSLiteral) else ""


class Interpreter(PDFPageInterpreter):
    """Stops at a form that draws itself: pdfminer.six goes on without it, PDFium takes all memory there is."""

    device: Recorder
    graphicstate: GraphicState
    layers: Layers = Layers(frozenset())
    _above: Interpreter | None = None
    _cutting: bool | None = None
    """Whether the path becomes a clip, by the even-odd rule or not."""
    _floor = 0

    def init_state(self, ctm: Matrix) -> None:
        """Start as the page around it left off, or afresh."""
        super().init_state(ctm)
        self.graphicstate = self._above.graphicstate.copy() if self._above else GraphicState()
        if self._above:
            self.textstate = self._above.textstate.copy()

    def subinterp(self) -> PDFPageInterpreter:
        """An interpreter for a form."""
        inner = super().subinterp()
        if isinstance(inner, Interpreter):
            inner._above, inner.layers = self, self.layers
        return inner

    def execute(self, streams: Sequence[object]) -> None:
        """Run content streams.

        Raises:
            RecursionError: one of them is running already, or too many were run.
        """
        self.device.runs += 1
        if self.device.runs > _MOST_FORMS or any(stream_value(s).objid in self.parent_stream_ids for s in streams):
            raise RecursionError
        self._floor = len(self.device.unshown)
        super().execute(streams)
        del self.device.unshown[self._floor :]

    def do_gs(self, name: Any) -> None:
        """Set transparency from a dictionary of the resources (8.4.5)."""
        known = resolve1(self.resources.get("ExtGState"))
        entry = resolve1(known.get(_name(name))) if isinstance(known, dict) else None
        if not isinstance(entry, dict):
            return
        state = self.graphicstate
        fill, stroke, blend, mask = (resolve1(entry.get(key)) for key in ("ca", "CA", "BM", "SMask"))
        if isinstance(fill, int | float):
            state.alpha = float(fill)
        if isinstance(stroke, int | float):
            state.stroke_alpha = float(stroke)
        if blend is not None or mask is not None:
            state.plain = _name(blend or PSLiteral("Normal")) in ("Normal", "Compatible") and not isinstance(mask, dict)

    def do_W(self) -> None:
        """Cut what follows to the path, as soon as it is painted or ended."""
        self._cutting = False

    def do_W_a(self) -> None:
        """Do so by the even-odd rule."""
        self._cutting = True

    def _ended(self, path: Sequence[Any]) -> None:
        if self._cutting is None:
            return
        area = area_of(path, self.ctm, self._cutting)
        clip = self.graphicstate.clip or Clip(_EVERYWHERE)
        self._cutting = None
        if area is not None and len(clip.areas) < _MOST_CLIPS:
            self.graphicstate.clip = clip.cut(area)

    def do_n(self) -> None:
        """End the path."""
        path = self.curpath
        super().do_n()
        self._ended(path)

    def do_S(self) -> None:
        """Stroke the path."""
        path = self.curpath
        super().do_S()
        self._ended(path)

    def do_f(self) -> None:
        """Fill the path."""
        path = self.curpath
        super().do_f()
        self._ended(path)

    do_F = do_f

    def do_f_a(self) -> None:
        """Fill the path by the even-odd rule."""
        path = self.curpath
        super().do_f_a()
        self._ended(path)

    def do_B(self) -> None:
        """Fill and stroke the path."""
        path = self.curpath
        super().do_B()
        self._ended(path)

    def do_B_a(self) -> None:
        """Fill and stroke the path by the even-odd rule."""
        path = self.curpath
        super().do_B_a()
        self._ended(path)

    def do_sh(self, name: object) -> None:
        """Fill what the clip leaves with a shading."""
        self.device.shade(self.graphicstate)

    def do_Do(self, xobjid_arg: Any) -> None:
        """Draw a form or an image, on its layer."""
        drawn = resolve1(self.xobjmap.get(_name(xobjid_arg)))
        layer = drawn.attrs.get("OC") if isinstance(drawn, PDFStream) else None
        self.device.state = self.graphicstate
        self.device.unshown.append(layer is not None and self.layers.hides(layer))
        super().do_Do(xobjid_arg)
        self.device.unshown.pop()

    def do_EI(self, obj: Any) -> None:
        """Draw an image that stands in the content itself."""
        self.device.state = self.graphicstate
        super().do_EI(obj)

    def do_BMC(self, tag: Any) -> None:
        """Begin marked content."""
        self.device.unshown.append(False)

    def do_BDC(self, tag: Any, props: Any) -> None:
        """Begin marked content, perhaps of a layer."""
        named = resolve1(self.resources.get("Properties"))
        group = named.get(_name(props)) if isinstance(named, dict) and isinstance(props, PSLiteral) else None
        self.device.unshown.append(_name(tag) == "OC" and group is not None and self.layers.hides(group))

    def do_EMC(self) -> None:
        """End marked content."""
        if len(self.device.unshown) > self._floor:
            self.device.unshown.pop()

"""Names of elements by what they are to a reader."""

from __future__ import annotations

from typing import Final


def names_in(text: str) -> frozenset[str]:
    """The names in `text`, which blanks part."""
    return frozenset(text.split())


VOID: Final = names_in(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr"
)
"""Elements without content."""
HEADINGS: Final = names_in("h1 h2 h3 h4 h5 h6")
LISTS: Final = names_in("ol ul menu dir")
BLOCKS: Final = names_in(
    "address article aside blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset"
    " figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main marquee menu"
    " nav noscript ol optgroup option p plaintext pre search section summary table tbody td template tfoot th thead"
    " tr ul xmp"
)
"""Elements that part words."""
INLINE: Final = names_in(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q s samp small span strike"
    " strong sub sup time tt u var wbr"
)
"""Elements within words."""
KNOWN: Final = (
    BLOCKS
    | INLINE
    | VOID
    | names_in(
        "button head html iframe map math meter object output picture progress rb rp rt ruby script select style"
    )
    | names_in("select style svg textarea title video audio canvas applet noembed noframes")
)

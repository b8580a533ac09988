"""A reading process, which answers requests on its standard input, one by one.

python -m ingest.pool.worker MEBIBYTES IMAGE_PAGES [FOLDER]

IMAGE_PAGES is the setting; FOLDER is the process's own, for the temporary files of the programs that it runs.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import BinaryIO, cast

from ingest.errors import CaveatError, SourceError
from ingest.handbook.reading import FileReading, FileRequest, read_file
from ingest.pool import limits
from ingest.pool.wire import READY, answer_frame, receive_request, send
from ingest.settings import ImagePages


def main() -> None:
    """Answer until the parent closes the pipe, or memory has been used that is not given back."""
    requests, replies = _own_streams()
    mebibytes, image_pages, *folder = sys.argv[1:]
    limits.end_with(requests.fileno(), folder[0] if folder else None)
    memory = int(mebibytes) << 20
    limits.confine(memory, cast(ImagePages, image_pages))
    try:
        serve(requests, replies, memory)
    except MemoryError:
        # At once, since tidying up would need memory.
        os._exit(limits.OUT_OF_MEMORY)
    except BrokenPipeError:
        os._exit(0)


def _own_streams() -> tuple[BinaryIO, BinaryIO]:
    """The pipes of the parent, moved to where no library that prints or reads can reach them."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    return requests, replies


def serve(requests: BinaryIO, replies: BinaryIO, memory: int) -> None:
    """Answer requests until there are no more, or until half of `memory` bytes were used.

    Raises:
        MemoryError: a file needs more than there is.
    """
    send(replies, READY)
    while (request := receive_request(requests)) is not None:
        limits.alarm(request.settings.read_seconds + limits.GRACE)
        frame = answer_frame(_answer(request, memory))
        limits.alarm(0)
        send(replies, frame)
        # A large file leaves a large process, which the next file would pay for.
        if limits.peak() > memory / 2:
            return


def _answer(request: FileRequest, memory: int) -> FileReading | CaveatError:
    try:
        return read_here(request)
    except MemoryError:
        raise
    except CaveatError as error:
        if _is_of_memory(error, memory):
            raise MemoryError from error
        return error
    # A parser's fault that nobody foresaw is this file's misfortune, and not that of the others.
    except Exception as error:
        return _unforeseen(error, request.where)


def read_here(request: FileRequest) -> FileReading:
    """Read one file in this process.

    Raises:
        SourceError: as `read_file`, or it nests deeper than Python can follow.
    """
    try:
        return read_file(request)
    except RecursionError:
        raise SourceError(
            "nested deeper than can be read", where=request.where, fix="flatten its lists, tables or quotes"
        ) from None


def _is_of_memory(error: BaseException, memory: int) -> bool:
    """Whether an error stands for a lack of memory, which parsers take for damage."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, MemoryError):
            return True
        seen = seen.__cause__ or seen.__context__
    return limits.peak() >= limits.NEAR * memory


def _unforeseen(error: Exception, where: str) -> SourceError:
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    place = f" at {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else ""
    return SourceError(
        f"the reader failed{place} ({type(error).__name__}: {error})",
        where=where,
        fix="save it anew with the program that made it, or in another format, and report this",
    )


if __name__ == "__main__":
    main()

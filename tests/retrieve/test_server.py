"""The MCP server as a client sees it: a process on stdio."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult, TextContent, Tool

CODE = (
    "import sys; from retrieve.server import serve; from retrieve.settings import RetrieveSettings;"
    " serve(sys.argv[1], RetrieveSettings(reranker='none'), clock=lambda: int(sys.argv[2]))"
)
FEE = {"query": "fee"}
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "incident": ("search", {"query": "seat downgrade credit calculation table", "as_of": "2026-03-15"}),
    "section": ("get_section", {"section": "4.2.2", "as_of": "2025-08-01"}),
    "history": ("history", {"section": "4.2.2", "as_of": "2025-08-01"}),
    "documents": ("list_documents", {"as_of": "2026-01-01"}),
    "empty query": ("search", {"query": " "}),
    "two readings": ("search", {"query": "seats", "as_of": "01/07/2024"}),
    "unknown document": ("search", {"query": "seats", "documents": ["nope.md"]}),
    "unknown section": ("get_section", {"section": "77.7"}),
    "no argument": ("get_section", {}),
    "misspelt argument": ("search", {"query": "seats", "asOf": "2026-01-01"}),
}


@dataclass
class Session:
    """What one client of a server process saw."""

    tools: list[Tool]
    results: dict[str, CallToolResult]


@pytest.fixture(scope="module")
def session(office: Any, root: Path) -> Session:
    """All of CALLS in one session with a server process on the office's state."""
    arguments = ["-c", CODE, str(office.state), str(office.now)]
    server = StdioServerParameters(command=sys.executable, args=arguments, cwd=root)

    async def talk() -> Session:
        async with Client(server, read_timeout_seconds=60) as client:
            tools = (await client.list_tools()).tools
            return Session(tools, {key: await client.call_tool(*call) for key, call in CALLS.items()})

    return asyncio.run(talk())


def said(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def test_an_argument_that_is_not_known_is_refused_and_not_ignored(session: Session) -> None:
    assert session.results["misspelt argument"].is_error
    assert "asOf" in said(session.results["misspelt argument"])


def test_a_client_lists_four_read_only_tools_with_as_of(session: Session) -> None:
    tools = session.tools

    assert [tool.name for tool in tools] == ["search", "get_section", "history", "list_documents"]
    assert all("as_of" in tool.input_schema["properties"] for tool in tools)
    assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools)
    assert all(tool.description for tool in tools)


def test_a_client_gets_the_incidents_section_with_as_of(session: Session) -> None:
    result = session.results["incident"]

    first = json.loads(said(result))["passages"][0]
    assert first == result.structured_content["passages"][0]
    assert first["section"] == "4.2"
    assert "30 calendar days" in first["text"]
    assert "credit_usd" in first["text"]


def test_a_client_gets_sections_histories_and_documents(session: Session) -> None:
    section, history, documents = (
        session.results[key].structured_content for key in ("section", "history", "documents")
    )

    assert "10 calendar days" in section["text"]
    assert [version["in_force"] for version in history["versions"]] == [True, False]
    assert [entry["doc_id"] for entry in documents["documents"]] == ["04-seats.md", "09-order.md"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("empty query", "query: an empty query; fix: ask in words"),
        ("two readings", "2024-01-07"),
        ("unknown document", 'unknown document "nope.md"'),
        ("unknown section", 'no section was ever called "77.7"'),
        ("no argument", "Field required"),
    ],
)
def test_a_fault_is_a_tool_error_that_says_what_is_wrong(session: Session, call: str, message: str) -> None:
    result = session.results[call]

    assert result.is_error
    assert message in said(result)
    assert "Traceback" not in said(result)


def test_nothing_but_the_protocol_goes_to_stdout(office: Any, root: Path) -> None:
    noisy = CODE.replace("import sys;", "import sys; from retrieve import search; _old = search.Clockwork;")
    noisy = noisy.replace("serve(", "search.Clockwork = lambda: print('noise') or _old(); serve(", 1)
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    requests = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "tools/call",
            "params": {"name": "search", "arguments": {"query": "fee"}},
        },
    ]
    with subprocess.Popen(
        [sys.executable, "-c", noisy, str(office.state), str(office.now)],
        **dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE),
        cwd=root,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        for request in requests:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.stdin.close()
        assert process.stdout.read() == ""
        assert "noise" in process.stderr.read()

    assert [answer["id"] for answer in answers] == [1, 2]
    assert process.returncode == 0

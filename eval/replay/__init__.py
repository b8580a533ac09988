"""Record an agent's calls at named boundaries; replay them, some frozen and the rest live, to prove a fix."""

from eval.replay.crossing import Values
from eval.replay.envelope import Envelope, Failure
from eval.replay.failures import RecordedFailure
from eval.replay.session import CutPointSession
from eval.replay.trace import Trace, read_trace
from ingest.errors import ModelDrift, NetworkRefused, ReplayDivergence

__all__ = [
    "CutPointSession",
    "Envelope",
    "Failure",
    "ModelDrift",
    "NetworkRefused",
    "RecordedFailure",
    "ReplayDivergence",
    "Trace",
    "Values",
    "read_trace",
]

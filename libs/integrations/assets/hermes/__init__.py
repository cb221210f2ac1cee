# @switchyard-integration@
"""Reports the session and the state of Hermes to Switchyard. Written by `sy integration install hermes`."""

import json
import os
import subprocess
import time

LAUNCHER = "@launcher@"


def _in_yard():
    return bool(os.environ.get("SWITCHYARD_SOCKET") and os.environ.get("SWITCHYARD_SURFACE_ID"))


def _tell(event, **payload):
    """Never waits and never fails: what goes wrong is not Hermes' concern."""
    try:
        payload["seq"] = time.time_ns() // 1000
        child = subprocess.Popen(
            [LAUNCHER, "hook", "hermes", event],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        child.stdin.write(json.dumps(payload).encode())
        child.stdin.close()
    except Exception:
        pass


def _reporter(event, **more):
    def report(**kwargs):
        # A session with a parent is that of a sub-agent.
        if not kwargs.get("parent_session_id"):
            _tell(event, session_id=kwargs.get("session_id"), **more)

    return report


def register(ctx):
    if not _in_yard():
        return
    ctx.register_hook("on_session_start", _reporter("session"))
    ctx.register_hook("pre_llm_call", _reporter("working"))
    ctx.register_hook("pre_approval_request", _reporter("blocked", question="permission"))
    ctx.register_hook("post_approval_response", _reporter("working"))
    ctx.register_hook("on_session_end", _reporter("idle"))

"""A bare client: does what it must, one thing after the other, and prints nothing.

`client.py list SERVER…` lists all resources; `client.py read SERVER…` reads the first one.
"""

import json
import subprocess
import sys

kind, server = sys.argv[1], sys.argv[2:]
child = subprocess.Popen(server, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
sent = 0


def send(message):
    child.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    child.stdin.flush()


def ask(method, params):
    global sent
    sent += 1
    send({"id": sent, "method": method, "params": params})
    return json.loads(child.stdout.readline())["result"]


about = {"name": "bare", "version": "1"}
ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about})
send({"method": "notifications/initialized"})
if kind == "list":
    items, params = [], {}
    while True:
        page = ask("resources/list", params)
        items.extend(page["resources"])
        if not page.get("nextCursor"):
            break
        params = {"cursor": page["nextCursor"]}
    assert len(items) > 1000
else:
    contents = ask("resources/read", {"uri": "test://records/0"})["contents"]
    assert len(contents[0]["text"].encode()) > 1000
child.stdin.close()
child.wait()

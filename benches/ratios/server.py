"""A well-behaved server of bulk in plain Python: `server.py list N` or `server.py read MEGABYTES`."""

import json
import sys

PAGE = 1000
LINE = b"The quick brown fox jumps over the lazy dog, 0123456789.\\n" * 1200


def item(n):
    return {
        "uri": f"test://records/{n}",
        "name": f"record-{n}",
        "mimeType": "text/plain",
        "description": f"the record with the number {n}",
    }


def listing(kind, total, cursor):
    if kind == "read":
        return {"resources": [item(0)]}
    first = int(cursor or 0)
    result = {"resources": [item(n) for n in range(first, min(first + PAGE, total))]}
    if first + PAGE < total:
        result["nextCursor"] = str(first + PAGE)
    return result


def answer(out, id_, member):
    message = {"jsonrpc": "2.0", "id": id_, **member}
    out.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
    out.flush()


def text(out, id_, megabytes):
    head = {"uri": "test://records/0", "mimeType": "text/plain", "text": ""}
    start = json.dumps({"jsonrpc": "2.0", "id": id_, "result": {"contents": [head]}})
    out.write(start.removesuffix('"}]}}').encode())
    for _ in range((megabytes << 20) // len(LINE)):
        out.write(LINE)
    out.write(b'"}]}}\n')
    out.flush()


def main():
    kind, size = sys.argv[1], int(sys.argv[2])
    out = sys.stdout.buffer
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if "id" not in message:
            continue
        method, params = message["method"], message.get("params") or {}
        if method == "initialize":
            result = {
                "protocolVersion": "2025-11-25",
                "capabilities": {"resources": {}},
                "serverInfo": {"name": "bulk", "version": "1"},
            }
        elif method == "resources/list":
            result = listing(kind, size, params.get("cursor"))
        elif method == "resources/templates/list":
            result = {"resourceTemplates": []}
        elif method == "resources/read":
            text(out, message["id"], size)
            continue
        else:
            answer(out, message["id"], {"error": {"code": -32601, "message": "no"}})
            continue
        answer(out, message["id"], {"result": result})


main()

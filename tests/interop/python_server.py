"""A server on the Python SDK: resources in pages, templates, prompts, changes, questions.

Reading `py:grow` adds a resource and says so. Reading `py:ask` asks the client for a model call:
inside the answer in the modern era, by a request of its own in the legacy one.

Without arguments it speaks over stdio; `http PORT` serves Streamable HTTP at /mcp and the older
HTTP+SSE at /sse, `json PORT` the same with answers in one piece.
"""

import sys

import anyio
import uvicorn
from mcp import types
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.sse import SseServerTransport
from mcp.server.stdio import stdio_server
from starlette.responses import Response
from starlette.routing import Mount, Route

PAGE = 2
MODERN = "2026-07-28"
GREETING = "größe 漢字 \u202e\x1b[2J\n"
PIXEL = "AAECAwT/"

uris = [f"py:item/{n}" for n in range(1, 6)]


async def list_resources(ctx, params):
    start = int(params.cursor.removeprefix("from/=+")) if params and params.cursor else 0
    end = start + PAGE
    rows = [types.Resource(uri=uri, name=uri) for uri in uris[start:end]]
    cursor = f"from/=+{end}" if end < len(uris) else None
    return types.ListResourcesResult(resources=rows, next_cursor=cursor)


async def list_templates(ctx, params):
    row = types.ResourceTemplate(uri_template="py:item/{n}", name="an item")
    return types.ListResourceTemplatesResult(resource_templates=[row])


def question():
    content = types.TextContent(type="text", text="how many?")
    message = types.SamplingMessage(role="user", content=content)
    return types.CreateMessageRequestParams(messages=[message], max_tokens=10)


async def ask(ctx, params):
    """The answer of a model, or what is to be asked first."""
    if ctx.protocol_version != MODERN:
        result = await ctx.session.create_message(messages=question().messages, max_tokens=10)
        return result.content.text
    if params.input_responses is None:
        request = types.CreateMessageRequest(method="sampling/createMessage", params=question())
        return types.InputRequiredResult(input_requests={"count": request}, request_state="s/=+1")
    answer = params.input_responses["count"]
    return f"{answer.content.text} ({params.request_state})"


async def read_resource(ctx, params):
    uri = str(params.uri)
    if uri == "py:grow":
        uris.append(f"py:item/{len(uris) + 1}")
        await ctx.session.send_resource_list_changed()
    if uri == "py:item/2":
        body = types.BlobResourceContents(uri=uri, blob=PIXEL, mime_type="application/x-five")
    elif uri == "py:ask":
        text = await ask(ctx, params)
        if isinstance(text, types.InputRequiredResult):
            return text
        body = types.TextResourceContents(uri=uri, text=text)
    else:
        body = types.TextResourceContents(uri=uri, text=GREETING, mime_type="text/plain")
    return types.ReadResourceResult(contents=[body])


def tool(name, properties, output=None):
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return types.Tool(name=name, input_schema=schema, output_schema=output)


async def list_tools(ctx, params):
    number = {"type": "integer"}
    total = {"type": "object", "properties": {"sum": number}, "required": ["sum"]}
    return types.ListToolsResult(
        tools=[
            tool("ask_model", {}),
            tool("ask_roots", {}),
            tool("add", {"a": number, "b": number}, total),
            tool("lie", {}, total),
            tool("fail", {}),
            tool("count", {"to": number}),
        ]
    )


async def ask_roots(ctx, params):
    """Where the client lets a server work, or what is to be asked first."""
    if ctx.protocol_version != MODERN:
        result = await ctx.session.list_roots()
        return str(result.roots[0].uri)
    if params.input_responses is None:
        request = types.ListRootsRequest(method="roots/list")
        return types.InputRequiredResult(input_requests={"where": request})
    return str(params.input_responses["where"].roots[0].uri)


async def call_tool(ctx, params):
    arguments = params.arguments or {}
    structured, failed, text = None, False, "done"
    if params.name in ("ask_model", "ask_roots"):
        text = await (ask if params.name == "ask_model" else ask_roots)(ctx, params)
        if isinstance(text, types.InputRequiredResult):
            return text
    elif params.name == "add":
        structured = {"sum": arguments["a"] + arguments["b"]}
    elif params.name == "lie":
        structured = {"sum": "many"}
    elif params.name == "fail":
        text, failed = "no", True
    elif params.name == "count":
        token = ctx.meta["progress_token"] if isinstance(ctx.meta, dict) else ctx.meta.progress_token
        for n in range(1, arguments["to"] + 1):
            await ctx.session.send_progress_notification(token, n, arguments["to"], f"step {n}")
    content = [types.TextContent(type="text", text=text)]
    return types.CallToolResult(content=content, structured_content=structured, is_error=failed)


async def list_prompts(ctx, params):
    arguments = [
        types.PromptArgument(name="need", required=True),
        types.PromptArgument(name="may", required=False),
    ]
    return types.ListPromptsResult(prompts=[types.Prompt(name="echo", arguments=arguments)])


async def get_prompt(ctx, params):
    content = types.TextContent(type="text", text=repr(sorted((params.arguments or {}).items())))
    message = types.PromptMessage(role="user", content=content)
    return types.GetPromptResult(description="an echo", messages=[message])


server = Server(
    "python",
    version="1",
    on_list_resources=list_resources,
    on_list_resource_templates=list_templates,
    on_read_resource=read_resource,
    on_list_prompts=list_prompts,
    on_get_prompt=get_prompt,
    on_list_tools=list_tools,
    on_call_tool=call_tool,
)
options = server.create_initialization_options(NotificationOptions(resources_changed=True))


async def main():
    async with stdio_server() as (read, write):
        await server.run(read, write, options)


def serve(port, json):
    old = SseServerTransport("/messages/")

    async def stream(request):
        scope, receive, send = request.scope, request.receive, request._send
        async with old.connect_sse(scope, receive, send) as (read, write):
            await server.run(read, write, options)
        return Response()

    routes = [
        Route("/sse", endpoint=stream, methods=["GET"]),
        Mount("/messages/", app=old.handle_post_message),
    ]
    app = server.streamable_http_app(json_response=json, custom_starlette_routes=routes)
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")


if len(sys.argv) > 2:
    serve(int(sys.argv[2]), sys.argv[1] == "json")
else:
    anyio.run(main)

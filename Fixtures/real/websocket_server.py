"""The service of `sockets.py`: cars over HTTP, and their changes over WebSockets, by uvicorn and Strawberry.

    websocket_server.py PORT

It reads its state and then each change from its input, one line of JSON each, and ends with it. A list is at
`/cars`. The changes are at

- `/changes`, in a form of its own: `join` a topic, after the change with a number if one is given;
- `/realtime/v1/websocket`, as Supabase Realtime sends them: channels of Phoenix;
- `/graphql`, as subscriptions by `graphql-transport-ws`.
"""

import asyncio
import json
import sys
import threading
from collections.abc import AsyncGenerator

import strawberry
import uvicorn
from strawberry.asgi import GraphQL

state = json.loads(sys.stdin.readline())
cars, log = state["cars"], state["log"]
readers = set()


def change(line, loop):
    """Takes a change: `{"seq": 1, "kind": "stored", "model": {}}`."""

    def take():
        said = json.loads(line)
        key = str(said["model"]["id"])
        if said["kind"] == "stored":
            cars[key] = said["model"]
        else:
            cars.pop(key, None)
        log.append(said)
        for reader in readers:
            reader.put_nowait(said)

    loop.call_soon_threadsafe(take)


class Reader:
    """The changes from now on, or after the one with a number."""

    def __init__(self, since=None):
        self.queue = asyncio.Queue()
        for said in log if since is not None else []:
            if said["seq"] > since:
                self.queue.put_nowait(said)
        readers.add(self.queue)

    async def __aenter__(self):
        return self.queue

    async def __aexit__(self, *_):
        readers.discard(self.queue)


@strawberry.type
class Car:
    id: int
    name: str
    origin: str


@strawberry.type
class Change:
    kind: str
    model: Car


@strawberry.type
class Query:
    count: int = 0


@strawberry.type
class Subscription:
    @strawberry.subscription
    async def cars_changed(self) -> AsyncGenerator[Change, None]:
        async with Reader() as queue:
            while True:
                said = await queue.get()
                model = {key: said["model"][key] for key in ("id", "name", "origin")}
                yield Change(kind={"stored": "UPDATED", "removed": "REMOVED"}[said["kind"]], model=Car(**model))


graphql = GraphQL(strawberry.Schema(query=Query, subscription=Subscription))


async def messages(receive):
    """The messages of a WebSocket, until its end."""
    while True:
        said = await receive()
        if said["type"] == "websocket.disconnect":
            return
        yield json.loads(said["text"])


async def plain(message, send, tasks):
    if message["type"] == "join":
        since = message.get("since")
        reader = Reader(None if since is None else int(since))
        await send({"type": "joined", "topic": message["topic"]})

        async def pass_on():
            async with reader as queue:
                while True:
                    said = await queue.get()
                    await send({"type": said["kind"], "topic": "cars", "seq": said["seq"], "model": said["model"]})

        tasks[message["topic"]] = asyncio.create_task(pass_on())
    if message["type"] == "leave":
        tasks.pop(message["topic"]).cancel()


async def phoenix(message, send, tasks):
    topic, event = message["topic"], message["event"]

    async def pass_on():
        async with Reader() as queue:
            await send({"event": "system", "topic": topic, "ref": None, "payload": {
                "channel": topic, "extension": "postgres_changes", "status": "ok",
                "message": "Subscribed to PostgreSQL"}})
            while True:
                said = await queue.get()
                stored = said["kind"] == "stored"
                await send({"event": "postgres_changes", "topic": topic, "ref": None, "payload": {"ids": [1], "data": {
                    "schema": "public", "table": "cars", "type": "UPDATE" if stored else "DELETE", "errors": None,
                    "record": said["model"] if stored else {},
                    "old_record": {"id": said["model"]["id"]}}}})

    await send({"event": "phx_reply", "topic": topic, "ref": message["ref"],
                "payload": {"status": "ok", "response": {}}})
    if event == "phx_join":
        tasks[topic] = asyncio.create_task(pass_on())
    if event == "phx_leave":
        tasks.pop(topic).cancel()
        await send({"event": "phx_close", "topic": topic, "ref": message["ref"], "payload": {}})


async def converse(receive, send, speak):
    await receive()
    await send({"type": "websocket.accept"})

    async def say(message):
        await send({"type": "websocket.send", "text": json.dumps(message)})

    tasks = {}
    try:
        async for message in messages(receive):
            await speak(message, say, tasks)
    finally:
        for task in tasks.values():
            task.cancel()


async def application(scope, receive, send):
    path = scope.get("path", "")
    if path == "/graphql":
        return await graphql(scope, receive, send)
    if scope["type"] == "websocket":
        return await converse(receive, send, phoenix if path.startswith("/realtime") else plain)
    if scope["type"] == "http":
        body = json.dumps(list(cars.values())).encode()
        # How many there are, where a service of PostgREST says it.
        span = f"0-{len(cars) - 1}/{len(cars)}" if cars else "*/0"
        head = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()),
                (b"content-range", span.encode())]
        await send({"type": "http.response.start", "status": 200, "headers": head})
        await send({"type": "http.response.body", "body": body})


async def serve():
    loop = asyncio.get_running_loop()
    server = uvicorn.Server(uvicorn.Config(
        application, host="127.0.0.1", port=int(sys.argv[1]), ws="websockets-sansio", log_level="error", lifespan="off"))

    def read():
        for line in sys.stdin:
            change(line, loop)
        loop.call_soon_threadsafe(setattr, server, "should_exit", True)

    threading.Thread(target=read, daemon=True).start()
    await server.serve()


asyncio.run(serve())

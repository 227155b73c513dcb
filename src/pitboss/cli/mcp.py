"""`pitboss mcp`: offer a seat and tools to a language model over the Model Context Protocol."""

import asyncio
import importlib
import socket
import sys
from functools import partial

import click

from pitboss.cli.output import echo, fail


@click.command(short_help="offer a seat and tools to a model over MCP")
@click.option(
    "--http",
    "port",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Serve HTTP on this port; 0: a free one.",
)
@click.option(
    "--arena",
    default="http://127.0.0.1:8765",
    show_default=True,
    metavar="URL",
    help="Address of the arena whose tables the model can join.",
)
def mcp(port: int | None, arena: str) -> None:
    """Offer a seat and tools to a language model over the Model Context Protocol.

    Without --http, the server uses standard input and output, as clients that start it expect. With --http it listens
    on this machine only, at the path /mcp. A server plays one seat: start one for each model.

    \b
    Examples:
      pitboss mcp
      pitboss mcp --arena https://arena.example.org
      pitboss mcp --http 8800
    """
    for package in ("mcp", "aiohttp"):
        importlib.import_module(package)  # a missing package is reported with the command that installs it
    from pitboss.client.agent_tools import AgentTools, codes_file
    from pitboss.client.mcp_server import serve_http, serve_stdio

    if not arena.startswith(("http://", "https://", "ws://", "wss://")):
        fail("mcp", f"--arena {arena}: expected an address such as http://127.0.0.1:8765")
    tools = AgentTools(arena, codes=codes_file())
    try:
        if port is None:
            asyncio.run(serve_stdio(tools))
        else:
            with socket.create_server(("127.0.0.1", port)) as listening:
                asyncio.run(serve_http(tools, listening, partial(echo, err=True)))
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        fail("mcp", f"port {port}: {error.strerror or error}")

"""Which pages may open a websocket: browsers ask no permission for it, as they do for requests."""

from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from catalog.server.settings import Settings


def may_connect(connection: HTTPConnection, settings: Settings) -> bool:
    """Whether the page that opens the connection is our own or one of the settings' CORS origins.

    Programs that are no browsers name no origin and may.
    """
    origin = connection.headers.get("origin")
    if origin is None or "*" in settings.cors_origins or origin in settings.cors_origins:
        return True
    own = {connection.headers.get("host", "").lower(), urlsplit(settings.public_url or "").netloc.lower()}
    return urlsplit(origin).netloc.lower() in own - {""}

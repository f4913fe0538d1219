"""Settings from the environment."""

from pathlib import Path

import pytest

from catalog.api.prefix import Prefix
from catalog.domain.errors import quote
from catalog.server.limits import Limits
from catalog.server.settings import VARIABLES, Cache, Settings, SettingsError


def test_nothing_set_means_the_defaults_on_loopback() -> None:
    assert Settings.from_environ({"PORT": "", "UNRELATED": "x"}) == Settings()
    assert Settings().host == "127.0.0.1"


def test_everything_set(tmp_path: Path) -> None:
    environ = {
        "HOST": "0.0.0.0",
        "PORT": "9000",
        "PUBLIC_URL": "https://example.org/api/",
        "CORS_ORIGINS": "https://a.example, http://localhost:3000/",
        "MAX_BODY_BYTES": "4096",
        "REQUEST_TIMEOUT": "2.5",
        "DOCUMENT_CACHE": "10",
        "CATALOG_CACHE": "Entities",
        "ANSWER_CACHE": "1000",
        "PERSISTED_QUERIES": "77",
        "TRUSTED_DOCUMENTS": str(tmp_path),
        "REPORT_COST": "yes",
        "COMPRESS_FROM": "0",
        "GRAPHIQL": "off",
        "MAX_SOCKETS": "11",
        "MAX_STREAMS": "12",
        "MAX_SOCKET_OPERATIONS": "13",
        "FEED_POLL_SECONDS": "0.25",
        "METRICS": "no",
        "LOG_FORMAT": "json",
        "LOG_LEVEL": "WARNING",
        "FEDERATION_PREFIX": "kernels",
        "FEDERATION_PREFIX_ENTITIES": "yes",
        "MAX_CHARACTERS": "50000",
        "MAX_TOKENS": "5000",
        "MAX_DEPTH": "9",
        "MAX_INTROSPECTION_DEPTH": "8",
        "MAX_ROOT_FIELDS": "7",
        "MAX_REPEATED_FIELDS": "6",
        "MAX_LIST_ITEMS": "55",
        "MAX_COST": "12345",
    }
    assert environ.keys() == VARIABLES.keys()
    settings = Settings.from_environ(environ)
    assert settings == Settings(
        host="0.0.0.0",
        port=9000,
        public_url="https://example.org/api",
        cors_origins=("https://a.example", "http://localhost:3000"),
        max_body_bytes=4096,
        request_timeout=2.5,
        document_cache=10,
        cache=Cache.ENTITIES,
        answer_cache=1000,
        persisted_queries=77,
        trusted_documents=tmp_path,
        report_cost=True,
        compress_from=0,
        graphiql=False,
        max_sockets=11,
        max_streams=12,
        max_socket_operations=13,
        feed_poll_seconds=0.25,
        metrics=False,
        log_format="json",
        log_level="warning",
        federation_prefix="kernels",
        federation_prefix_entities=True,
        limits=Limits(
            max_characters=50_000,
            max_tokens=5000,
            max_depth=9,
            max_introspection_depth=8,
            max_root_fields=7,
            max_repeated_fields=6,
            max_list_items=55,
            max_cost=12345,
        ),
    )
    assert settings.cache is Cache.ENTITIES
    assert settings.base_path == "/api"
    assert settings.prefix == Prefix("kernels", entities=True)


def test_a_prefix_for_entities_alone_is_refused() -> None:
    with pytest.raises(SettingsError, match="FEDERATION_PREFIX is wanted"):
        Settings.from_environ({"FEDERATION_PREFIX_ENTITIES": "true"})


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("PORT", "http"),
        ("PORT", "-1"),
        ("PORT", "65536"),
        ("PORT", "8000.0"),
        ("PORT", "٣"),
        ("HOST", "a b"),
        ("MAX_BODY_BYTES", "1MiB"),
        ("REQUEST_TIMEOUT", "0"),
        ("REQUEST_TIMEOUT", "nan"),
        ("REQUEST_TIMEOUT", "inf"),
        ("REQUEST_TIMEOUT", "soon"),
        ("PERSISTED_QUERIES", "off"),
        ("MAX_STREAMS", "-1"),
        ("MAX_SOCKET_OPERATIONS", "0"),
        ("FEED_POLL_SECONDS", "0"),
        ("TRUSTED_DOCUMENTS", "/no/such/folder"),
        ("GRAPHIQL", "maybe"),
        ("LOG_FORMAT", "xml"),
        ("LOG_LEVEL", "loud"),
        ("PUBLIC_URL", "example.org"),
        ("PUBLIC_URL", "ftp://example.org"),
        ("PUBLIC_URL", "https://example.org/?a"),
        ("PUBLIC_URL", "https://user@example.org/"),
        ("PUBLIC_URL", "http://[::1"),
        ("PUBLIC_URL", "http://example.org:port"),
        ("CORS_ORIGINS", "example.org"),
        ("CORS_ORIGINS", "https://example.org/path"),
    ],
)
def test_a_wrong_value_is_an_error_that_names_variable_and_value(variable: str, value: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.from_environ({variable: value})
    assert str(caught.value).startswith(f"{variable}={quote(value)}: ")
    assert (caught.value.variable, caught.value.value) == (variable, value)

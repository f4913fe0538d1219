"""The endpoints beside /graphql: health, readiness, schema, manifests; and what is not there."""

from hashlib import sha256

import httpx
import pytest

from catalog.server.settings import Settings
from tests.server.sample import DIGEST, MANIFEST, TWINS, StoreDownError, Watch, make_app, schema

HEX = DIGEST.removeprefix("sha256:")
IMMUTABLE = "public, max-age=31536000, immutable"


def code(response: httpx.Response) -> str:
    assert response.headers["content-type"] == "application/json"
    [error] = response.json()["errors"]
    return str(error["extensions"]["code"])


async def test_health(client: httpx.AsyncClient, watch: Watch) -> None:
    watch.ready_error = StoreDownError()
    response = await client.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})


async def test_ready_shows_what_the_probe_says(client: httpx.AsyncClient) -> None:
    response = await client.get("/readyz")
    assert (response.status_code, response.headers["cache-control"]) == (200, "no-store")
    assert response.json() == {"status": "ready", "engine": "sample", "revision": 7}


@pytest.mark.parametrize(
    ("error", "expected"),
    [(StoreDownError("bolt://10.0.0.7"), "SERVICE_UNAVAILABLE"), (OSError("10.0.0.7"), "INTERNAL")],
)
async def test_not_ready_is_503_with_the_reason(
    client: httpx.AsyncClient, watch: Watch, error: Exception, expected: str
) -> None:
    watch.ready_error = error
    response = await client.get("/readyz")
    assert (response.status_code, response.json()["status"], code(response)) == (503, "unavailable", expected)
    assert "10.0.0.7" not in response.text


async def test_the_schema_has_an_entity_tag(client: httpx.AsyncClient) -> None:
    response = await client.get("/schema.graphql", headers={"accept-encoding": "identity"})
    assert response.text == schema.as_str().rstrip() + "\n"
    assert response.headers["etag"] == f'"{sha256(response.content).hexdigest()}"'
    again = await client.get("/schema.graphql", headers={"if-none-match": response.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("digest", [DIGEST, HEX])
async def test_a_manifest_is_its_digests_bytes_for_ever(client: httpx.AsyncClient, digest: str) -> None:
    response = await client.get(f"/manifests/{digest}")
    assert (response.status_code, response.content) == (200, MANIFEST)
    assert "sha256:" + sha256(response.content).hexdigest() == DIGEST
    assert response.headers["content-type"] == "application/json"
    assert response.headers["cache-control"] == IMMUTABLE
    assert response.headers["etag"] == f'"{DIGEST}"'
    head = await client.head(f"/manifests/{digest}")
    assert (head.status_code, head.headers["content-length"], head.content) == (200, str(len(MANIFEST)), b"")


@pytest.mark.parametrize("tag", [f'"{DIGEST}"', f'W/"{DIGEST}"', f'"x", "{DIGEST}"', "*"])
async def test_a_manifest_that_the_client_has_is_304(client: httpx.AsyncClient, tag: str) -> None:
    response = await client.get(f"/manifests/{DIGEST}", headers={"if-none-match": tag})
    kept = tag if tag.startswith("W/") else f'"{DIGEST}"'  # weak where the client's copy came compressed
    assert (response.status_code, response.content, response.headers["etag"]) == (304, b"", kept)


@pytest.mark.parametrize("prefix", [HEX[:8], "sha256:" + HEX[:23], HEX[:63]])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_a_unique_prefix_redirects(client: httpx.AsyncClient, prefix: str, method: str) -> None:
    response = await client.request(method, f"/manifests/{prefix}")
    assert response.status_code == 307
    assert response.next_request is not None
    assert response.next_request.url.path == f"/manifests/{DIGEST}"


async def test_an_ambiguous_prefix_lists_the_candidates(client: httpx.AsyncClient) -> None:
    response = await client.get("/manifests/" + "ab" * 8)
    assert (response.status_code, code(response)) == (300, "AMBIGUOUS")
    assert response.json()["errors"][0]["extensions"]["candidates"] == sorted(TWINS)


@pytest.mark.parametrize("digest", ["0" * 8, "sha256:" + "0" * 64])
async def test_an_unknown_manifest_is_404(client: httpx.AsyncClient, digest: str) -> None:
    response = await client.get(f"/manifests/{digest}")
    assert (response.status_code, code(response)) == (404, "NOT_FOUND")


@pytest.mark.parametrize(
    "digest", ["abc", "A" * 8, "g" * 64, "0" * 65, "sha512:" + "0" * 64, "sha256:", "%0a" + "0" * 8]
)
async def test_a_malformed_digest_is_400(client: httpx.AsyncClient, digest: str) -> None:
    response = await client.get(f"/manifests/{digest}")
    assert (response.status_code, code(response)) == (400, "BAD_USER_INPUT")


@pytest.mark.parametrize(
    ("prefix", "status", "expected"),
    [("dead" * 2, 503, "SERVICE_UNAVAILABLE"), ("beef" * 2, 500, "INTERNAL")],
)
async def test_a_failing_store_is_explained_or_masked(
    client: httpx.AsyncClient, prefix: str, status: int, expected: str
) -> None:
    response = await client.get(f"/manifests/{prefix}")
    assert (response.status_code, code(response)) == (status, expected)
    assert "bolt" not in response.text


@pytest.mark.parametrize(
    "path", ["/nothing", "/graphql/", "/manifests/", "/graphql/assets/0/page.js", "/manifests/a/b"]
)
async def test_an_unknown_path_is_404_json(client: httpx.AsyncClient, path: str) -> None:
    response = await client.get(path)
    assert (response.status_code, code(response)) == (404, "NOT_FOUND")


@pytest.mark.parametrize("path", ["/", "/healthz", "/readyz", "/schema.graphql", f"/manifests/{DIGEST}"])
async def test_a_wrong_method_is_405_json(client: httpx.AsyncClient, path: str) -> None:
    response = await client.post(path)
    assert (response.status_code, response.headers["allow"], code(response)) == (
        405,
        "GET, HEAD",
        "BAD_USER_INPUT",
    )
    assert (await client.head(path)).status_code == 200


@pytest.mark.parametrize("path", ["/graphql", "/api/graphql"])
async def test_a_sub_path_works_whether_the_proxy_strips_it_or_not(path: str) -> None:
    transport = httpx.ASGITransport(make_app(settings=Settings(public_url="https://example.org/api")))
    async with httpx.AsyncClient(transport=transport, base_url="http://catalog.test") as client:
        response = await client.post(path, json={"query": "{hello}"})
        assert response.json() == {"data": {"hello": "world"}}


async def test_graphiql_can_be_left_out() -> None:
    transport = httpx.ASGITransport(make_app(settings=Settings(graphiql=False)))
    async with httpx.AsyncClient(transport=transport, base_url="http://catalog.test") as client:
        response = await client.get("/graphql", headers={"accept": "text/html"})
        assert (response.status_code, code(response)) == (406, "BAD_USER_INPUT")

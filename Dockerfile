# The catalog's server. Alone it keeps its data in /data (embedded engine); with NEO4J_URI it uses that server.
FROM python:3.11-slim AS build
WORKDIR /src
RUN python -m venv /opt/catalog
COPY requirements ./requirements
RUN /opt/catalog/bin/pip install --no-cache-dir --require-hashes -r requirements/runtime.txt -r requirements/engine.txt
COPY pyproject.toml README.md LICENSE ./
COPY graph ./graph
COPY catalog ./catalog
RUN /opt/catalog/bin/pip install --no-cache-dir --no-deps .

FROM python:3.11-slim
RUN useradd --system --uid 10001 --create-home catalog && install -d -o catalog -g catalog -m 700 /data
COPY --from=build /opt/catalog /opt/catalog
ENV PATH=/opt/catalog/bin:$PATH PYTHONUNBUFFERED=1 CATALOG_DATA_DIR=/data HOST=0.0.0.0 PORT=8000
USER catalog
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=6s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f\"http://127.0.0.1:{os.environ['PORT']}/readyz\", timeout=5)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["catalog"]
CMD ["serve"]

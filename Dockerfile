# syntax=docker/dockerfile:1
# An arena in a container, behind a proxy with TLS:
#
#   docker build -t pitboss .
#   docker run --init -p 127.0.0.1:8765:8765 -v pitboss-data:/data pitboss --public-url https://arena.example
#
# Options after the image's name are those of `pitboss arena serve`. With its own certificate in /data:
#
#   docker run --init -p 8765:8765 -v pitboss-data:/data --no-healthcheck --entrypoint pitboss pitboss \
#     arena serve --host 0.0.0.0 --db /data/pitboss.db --tls-cert /data/cert.pem --tls-key /data/key.pem
#
# The journal is in /data. Mount the folder, not the file: a journal is several files.

FROM python:3.12-slim AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /build
RUN python -m venv /opt/pitboss
COPY requirements/run.lock requirements/run.lock
RUN /opt/pitboss/bin/pip install --no-deps --require-hashes -r requirements/run.lock
COPY pyproject.toml README.md LICENSE ./
COPY src src
RUN /opt/pitboss/bin/pip install --no-deps --no-build-isolation . \
    && /opt/pitboss/bin/pitboss --version

FROM python:3.12-slim
LABEL org.opencontainers.image.title="pitboss" org.opencontainers.image.licenses="MIT"
# An account that can only write to the journal's folder.
RUN groupadd --system --gid 10001 pitboss \
    && useradd --system --uid 10001 --gid pitboss --no-create-home --home-dir /data --shell /usr/sbin/nologin pitboss \
    && install --directory --owner=pitboss --group=pitboss --mode=0700 /data
COPY --from=build /opt/pitboss /opt/pitboss
ENV PATH=/opt/pitboss/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 NUMBA_CACHE_DIR=/tmp/numba
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8765
# SIGTERM stops the server within seconds; the next start continues from the journal.
STOPSIGNAL SIGTERM
# Requests for /api/arena do not open tables (--keep-open in docs/arena.md).
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8765/api/arena', timeout=3)"]
ENTRYPOINT ["pitboss", "arena", "serve", "--host", "0.0.0.0", "--insecure", "--db", "/data/pitboss.db", "--keep-open"]

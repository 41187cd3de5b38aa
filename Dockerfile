# The service, and the command line beside it. It holds no secret and needs none to be built.
FROM python:3.12-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /src
COPY . .
# Everything at the versions and with the hashes of the lock, setuptools too, which builds ours.
RUN python -m venv /opt/egcforest \
 && /opt/egcforest/bin/python -m pip install --quiet --require-hashes --requirement requirements-service.lock \
 && /opt/egcforest/bin/python -m pip install --quiet --no-deps --no-build-isolation .

FROM python:3.12-slim
COPY --from=build /opt/egcforest /opt/egcforest
# Uploads wait in /data; it is the one folder that is written to.
RUN useradd --uid 10001 --user-group --no-create-home egcforest \
 && install --directory --owner egcforest --group egcforest --mode 0700 /data
ENV PATH=/opt/egcforest/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    EGCFOREST_DATA_DIR=/data
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["egcforest"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8080"]

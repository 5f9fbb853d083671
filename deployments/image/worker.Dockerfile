# syntax=docker/dockerfile:1
# What a worker runs: the package with its tasks, the model providers and the S3 store.
#
#   docker build -t mlab-worker -f deployments/image/worker.Dockerfile .
ARG PYTHON=3.11
FROM python:${PYTHON}-slim

ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
COPY . /tmp/mlab
RUN cd /tmp/mlab \
    && pip install --no-cache-dir --extra-index-url "${TORCH_INDEX}" --constraint requirements.lock '.[all]' \
    && cd / && rm -r /tmp/mlab \
    && useradd --create-home --uid 1000 mlab
USER mlab
WORKDIR /home/mlab
# A volume that is mounted here belongs to whom this folder belongs.
RUN mkdir data
# A run that is silent for longer than the automation of flows.deploying.register waits is taken for dead.
ENV MLAB_HOME=/home/mlab/data DO_NOT_TRACK=true MLFLOW_DISABLE_TELEMETRY=true PREFECT_CLIENT_MAX_RETRIES=9 \
    PREFECT_CLIENT_RETRY_EXTRA_CODES=500 PREFECT_FLOWS_HEARTBEAT_FREQUENCY=30
CMD ["prefect", "worker", "start", "--pool", "mlab", "--type", "process", "--install-policy", "never"]

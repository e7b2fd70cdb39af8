# syntax=docker/dockerfile:1
# The service alone: locked packages without development tools, verified native libraries, no shell script at start.

FROM node:22.23.3-bookworm AS build
RUN apt-get update \
  && apt-get install --yes --no-install-recommends python3-pip \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY sdk/package.json sdk/
COPY client/package.json client/
COPY console/package.json console/
RUN npm ci --omit=dev --ignore-scripts --workspaces=false \
  # The image brings its own Node 22; the ones for other machines would only weigh.
  && rm -rf node_modules/node-linux-* node_modules/node-bin-darwin-*
# uWebSockets.js itself is published on GitHub only. Where the build may reach it: --build-arg UWS=v20.52.0
ARG UWS=
RUN if [ -n "$UWS" ]; then \
      npm install --no-save --omit=dev --ignore-scripts --workspaces=false "uWebSockets.js@github:uNetworking/uWebSockets.js#$UWS"; \
    fi
COPY bootstrap bootstrap
RUN VOUCHSAFE_CACHE_FOLDER=/tmp/natives node bootstrap/fetch-natives.mjs /app/natives

FROM node:22.23.3-bookworm-slim
ENV NODE_ENV=production \
    LIB_ANONCREDS_PATH=/app/natives \
    LIB_INDY_VDR_PATH=/app/natives \
    VOUCHSAFE_DATA_FOLDER=/data \
    VOUCHSAFE_HOST=0.0.0.0
WORKDIR /app
COPY --from=build /app ./
COPY src src
COPY console/dist console/dist
COPY native/cl-engine/prebuilt native/cl-engine/prebuilt
COPY deploy/create-secrets.ts deploy/sandbox-ledger.ts deploy/
# Named volumes take over the owner of these folders, so that the service can write without being root.
RUN install --directory --owner=node --group=node --mode=0700 /data /secrets /ledger
VOLUME ["/data"]
USER node
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:9464/live').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--disable-warning=ExperimentalWarning", "--no-allocation-site-pretenuring", "--max-semi-space-size=32", "--heap-growing-percent=100", "--v8-pool-size=0"]
CMD ["src/main.ts"]

# Coinslot in a container. It needs a PostgreSQL: see compose.yaml.
#   docker build -t coinslot .
# A tag can be moved to another image, a digest cannot; it is the one of all platforms. The digest of a newer image:
#   docker buildx imagetools inspect node:24-bookworm-slim --format '{{.Manifest.Digest}}'
ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20

FROM ${NODE_IMAGE} AS build
WORKDIR /app
# The manifests alone first: what is installed is kept until one of them changes.
COPY package.json package-lock.json ./
COPY apps/server/package.json apps/server/
COPY apps/dashboard/package.json apps/dashboard/
COPY apps/docs/package.json apps/docs/
COPY packages/contract/package.json packages/contract/
COPY packages/texts/package.json packages/texts/
COPY packages/checkout-page/package.json packages/checkout-page/
COPY packages/sdk/package.json packages/sdk/
COPY packages/exam/package.json packages/exam/
COPY packages/cli/package.json packages/cli/
COPY packages/testing/package.json packages/testing/
COPY examples/game/package.json examples/game/
RUN npm ci --no-audit --no-fund --include=dev --include=optional
COPY . .
# The same script that `npm start` runs first; it finds the dependencies in place and builds server, dashboard and documentation.
RUN node tools/prepare.mjs start
# The program is one file with its packages in it (docs/adr/0030-one-file.md). Beside it stay only packages with code for the machine or with
# files that are read, no compiler, no test tools and no embedded PostgreSQL.
RUN npm prune --omit=dev --no-audit --no-fund \
 && find node_modules -mindepth 1 -maxdepth 1 ! -name @node-rs ! -name @zxcvbn-ts ! -name fastest-levenshtein -exec rm -rf {} + \
 && rm -rf apps/*/src packages/*/src \
 && find . -name '*.map' -not -path './node_modules/*' -delete

FROM ${NODE_IMAGE}
ENV NODE_ENV=production PORT=4242 OPS_PORT=9464 OPS_HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
# Only what runs: no sources, no tools, no working copy.
COPY --from=build --chown=root:root /app/package.json /app/LICENSE /app/README.md /app/CHANGELOG.md /app/ARCHITECTURE.md /app/SECURITY.md ./
COPY --from=build --chown=root:root /app/node_modules node_modules
COPY --from=build --chown=root:root /app/ops ops
COPY --from=build --chown=root:root /app/apps/server apps/server
COPY --from=build --chown=root:root /app/apps/dashboard/dist apps/dashboard/dist
COPY --from=build --chown=root:root /app/apps/docs/dist apps/docs/dist
COPY --from=build --chown=root:root /app/packages packages
RUN mkdir /data && chown node:node /data
# The user node, by number: Kubernetes believes no name that it is not root.
USER 1000:1000
EXPOSE 4242 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.OPS_PORT || process.env.PORT) + '/healthz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=16", "--no-parallel-scavenge", "apps/server/dist/main.js"]
CMD ["start"]

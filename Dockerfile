# The web app in a container: `docker build -t nebel .`, then `docker run -p 8080:8080 -v nebel:/data nebel`.
FROM node:22-bookworm-slim AS node
FROM rust:1.95-bookworm AS build
# The pages are built with Node.
COPY --from=node /usr/local /usr/local
WORKDIR /nebel
COPY . .
RUN cargo build --release --locked

FROM debian:bookworm-slim
COPY --from=build /nebel/target/release/nebel /usr/local/bin/nebel
RUN useradd --create-home nebel && mkdir /data && chown nebel /data
USER nebel
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["nebel", "--host", "0.0.0.0", "--data", "/data"]

//! The pages, built into the program; or, for work on them, read from a folder.

use std::{borrow::Cow, path::Path};

use axum::{
    body::Bytes,
    extract::State,
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};

use crate::{App, api::error::ApiError};

#[derive(rust_embed::RustEmbed)]
#[folder = "$OUT_DIR/pages"]
struct Built;

/// A file of the pages, `index.html` for `/`.
pub(crate) async fn file(State(app): State<App>, method: Method, uri: Uri, asked: HeaderMap) -> Response {
    if !matches!(method, Method::GET | Method::HEAD) {
        return ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "There is nothing here but pages, to be read.")
            .into_response();
    }
    let name = uri.path().trim_start_matches('/');
    let name = if name.is_empty() { "index.html" } else { name };
    let read = |name: &str| match &app.config.pages {
        Some(folder) => from_folder(folder, name),
        None => Built::get(name).map(|file| file.data),
    };
    // The build packs what is worth it; whoever does not take it packed gets the file itself.
    let packed = takes_packed(&asked).then(|| read(&format!("{name}.gz"))).flatten();
    let is_packed = packed.is_some();
    let Some(content) = packed.or_else(|| read(name)) else {
        return ApiError::new(StatusCode::NOT_FOUND, "There is no such page.").into_response();
    };
    // Files named by their content never change; the page that names them does.
    let is_fixed = name.starts_with("assets/");
    let lifetime = if is_fixed { "public, max-age=31536000, immutable" } else { "no-cache" };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(media_type(name))),
        (header::CACHE_CONTROL, HeaderValue::from_static(lifetime)),
        (header::VARY, HeaderValue::from_static("Accept-Encoding")),
    ];
    // What is built in is not copied for each who asks.
    let content = match content {
        Cow::Borrowed(built_in) => Bytes::from_static(built_in),
        Cow::Owned(read) => read.into(),
    };
    let mut response = (headers, content).into_response();
    if is_packed {
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
}

/// Whether a browser takes files that are packed. Who refuses it explicitly (`gzip;q=0`) does not.
fn takes_packed(asked: &HeaderMap) -> bool {
    let accepted = asked.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|accepted| accepted.split(',').any(|each| each.trim().eq_ignore_ascii_case("gzip")))
}

/// A file in the folder or below; names that lead elsewhere are no files.
fn from_folder(folder: &Path, name: &str) -> Option<Cow<'static, [u8]>> {
    let is_plain =
        name.split('/').all(|part| !part.is_empty() && !part.starts_with('.') && !part.contains('\\'));
    is_plain.then(|| std::fs::read(folder.join(name)).ok()).flatten().map(Cow::Owned)
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "webmanifest" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "mp3" => "audio/mpeg",
        "ogg" => "audio/ogg",
        "wav" => "audio/wav",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

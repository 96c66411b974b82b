//! Who may ask: addresses within their rate, browsers from our own pages, names that are ours.
//!
//! A page of another site can make a browser send requests here. What it cannot do is forge the headers `Host`
//! and `Origin`: a name that is not ours was pointed at us by somebody else (DNS rebinding), and an origin that
//! is not the host comes from another site's page.

use std::{net::IpAddr, sync::Arc};

use axum::{
    Extension,
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use crate::{api::error::ApiError, listener::Peer, quota::Rates};

/// What the guard knows.
#[derive(Debug)]
pub(crate) struct Guard {
    pub(crate) rates: Rates,
    /// A name besides `localhost` by which the server may be called.
    pub(crate) host: Option<String>,
}

/// Lets a request pass, or answers it.
pub(crate) async fn check(
    State(guard): State<Arc<Guard>>,
    Extension(peer): Extension<Peer>,
    request: Request,
    next: Next,
) -> Response {
    if matches!(*request.method(), Method::TRACE | Method::CONNECT) {
        return ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "This server neither echoes nor connects.")
            .into_response();
    }
    if !guard.rates.allow(peer.source()) {
        let refused = ApiError::new(StatusCode::TOO_MANY_REQUESTS, "Too many requests: wait a moment.");
        // Requests that stand in line on one connection cost too much, even if all are refused.
        return ([(header::CONNECTION, "close")], refused).into_response();
    }
    let passes = guard.is_our_name(request.headers()) && is_same_site(request.method(), request.headers());
    if !passes {
        return ApiError::new(StatusCode::FORBIDDEN, "Requests from other sites are refused.")
            .into_response();
    }
    next.run(request).await
}

impl Guard {
    /// Whether the request names this machine: by number, as `localhost`, or as it was told to be called.
    fn is_our_name(&self, headers: &HeaderMap) -> bool {
        let Some(host) = text(headers, &header::HOST) else { return false };
        let name = host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()));
        let name = name.map_or(host, |(name, _)| name);
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        bare.parse::<IpAddr>().is_ok()
            || name.eq_ignore_ascii_case("localhost")
            || self.host.as_deref().is_some_and(|host| host.eq_ignore_ascii_case(name))
    }
}

/// Whether the request comes from our own page, or from no page at all. Browsers send `Origin` with every
/// WebSocket and every request that changes something.
fn is_same_site(method: &Method, headers: &HeaderMap) -> bool {
    let is_socket = headers.contains_key(header::UPGRADE);
    if *method == Method::GET && !is_socket {
        return true;
    }
    let from_here = matches!(
        text(headers, &HeaderName::from_static("sec-fetch-site")),
        None | Some("same-origin" | "none")
    );
    let origin_is_host = match (headers.get(header::ORIGIN), text(headers, &header::HOST)) {
        (None, _) => true,
        (Some(origin), Some(host)) => {
            let origin = origin.to_str().ok();
            let origin =
                origin.and_then(|origin| origin.strip_prefix("http://").or(origin.strip_prefix("https://")));
            origin == Some(host)
        }
        (Some(_), None) => false,
    };
    from_here && origin_is_host
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// Headers of every answer: nothing from other hosts is loaded, nobody frames the page, nothing is guessed.
pub(crate) const HEADERS: [(HeaderName, HeaderValue); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
             font-src 'self'; media-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; \
             form-action 'none'; frame-ancestors 'none'",
        ),
    ),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quota::steady;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect()
    }

    #[test]
    fn only_our_names_are_answered() {
        let guard = Guard { rates: Rates::new(steady(1.0, 1.0)), host: Some("nebel.lan".to_owned()) };
        for host in
            ["127.0.0.1:8080", "localhost", "localhost:1", "[::1]:8080", "192.168.0.3", "nebel.lan:80"]
        {
            assert!(guard.is_our_name(&headers(&[("host", host)])), "{host}");
        }
        for host in ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil", ""] {
            assert!(!guard.is_our_name(&headers(&[("host", host)])), "{host}");
        }
        assert!(!guard.is_our_name(&HeaderMap::new()));
    }

    #[test]
    fn other_sites_change_nothing_and_open_no_socket() {
        let host = ("host", "localhost:8080");
        let post = |pairs: &[_]| is_same_site(&Method::POST, &headers(pairs));
        assert!(post(&[host]) && post(&[host, ("origin", "http://localhost:8080")]));
        assert!(!post(&[host, ("origin", "http://evil.example")]));
        assert!(!post(&[host, ("origin", "http://localhost:9999")]), "another port is another site");
        assert!(!post(&[host, ("origin", "null")]) && !post(&[host, ("sec-fetch-site", "cross-site")]));
        let get = |pairs: &[_]| is_same_site(&Method::GET, &headers(pairs));
        assert!(
            get(&[host, ("origin", "http://evil.example")]),
            "reading needs no more: no other site sees the answer"
        );
        assert!(!get(&[host, ("upgrade", "websocket"), ("origin", "http://evil.example")]));
        assert!(get(&[host, ("upgrade", "websocket"), ("origin", "http://localhost:8080")]));
    }
}

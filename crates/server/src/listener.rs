//! The door: connections are let in, served, and seen out. So many at once, so many from one address, and none that
//! says nothing or hears nothing for long.
//!
//! A connection costs memory before its first request is complete, so it is counted here and not by request. When
//! an address has too many, the oldest that the server waits for gives way to the new one: whoever keeps
//! half-sent requests open loses these, and locks nobody out.

use std::{io, pin::pin, sync::Arc, time::Duration};

use axum::{Router, body::Body};
use hyper::{Request, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::{
    net::TcpListener,
    sync::watch,
    task::JoinSet,
    time::{sleep, timeout},
};
use tower::ServiceExt;

use crate::{
    idle_stream::IdleStream,
    limits::ServerLimits,
    quota::Source,
    visits::{Visit, Visits, Work},
};

/// The longest head of a request. What is buffered of an answer is bounded by it as well.
const HEAD_BYTES: usize = 16 << 10;
/// How long requests may take to their end when the server stops.
const LAST_ANSWERS: Duration = Duration::from_secs(10);
/// File handles for everything that is no connection: games, results, tables.
const OTHER_HANDLES: usize = 200;
/// Some more connections than there may be WebSockets, so that these leave room for requests.
const FOR_REQUESTS: usize = 200;
/// When no connection can be had for want of handles or memory, it is tried again after this time.
const SHORTAGE: Duration = Duration::from_millis(50);

/// Who is connected.
#[derive(Clone, Debug)]
pub(crate) struct Peer(Arc<Visit>);

impl Peer {
    /// Where requests of this connection come from.
    pub(crate) fn source(&self) -> Source {
        self.0.source()
    }

    /// While this lives the connection does not give way to others.
    pub(crate) fn at_work(&self) -> Work {
        Visit::work(&self.0)
    }

    /// It never gives way from now on.
    pub(crate) fn stay(&self) {
        self.0.stay();
    }
}

/// A listener that lets in only so many connections, in all and from one address.
struct LimitedListener {
    listener: TcpListener,
    visits: Visits,
}

impl LimitedListener {
    fn new(listener: TcpListener, limits: &ServerLimits) -> LimitedListener {
        let places = places(limits.connections + FOR_REQUESTS);
        LimitedListener { listener, visits: Visits::new(limits.connections_an_address, places) }
    }

    /// The next connection that finds a place. Whoever finds none is sent away by the end of his connection.
    async fn accept(&self) -> (IdleStream, Arc<Visit>) {
        loop {
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    if let Some(place) = self.visits.admit(Source::of(address.ip())) {
                        let visit = Arc::clone(place.visit());
                        return (IdleStream::new(stream, place), visit);
                    }
                }
                Err(error) if is_of_one_connection(&error) => {}
                Err(_) => sleep(SHORTAGE).await,
            }
        }
    }
}

/// Serves whoever comes until `stop` is done, then ends what is under way.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: &ServerLimits,
    stop: impl Future<Output = ()>,
) {
    let listener = LimitedListener::new(listener, limits);
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(limits.head_time).max_buf_size(HEAD_BYTES);
    let mut under_way = JoinSet::new();
    let (stopping, stops) = watch::channel(());
    let mut stop = pin!(stop);
    loop {
        let (stream, visit) = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let (peer, router) = (Peer(Arc::clone(&visit)), router.clone());
        let service = service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(peer.clone());
            router.clone().oneshot(request)
        });
        let connection = builder.serve_connection(TokioIo::new(stream), service).with_upgrades();
        let mut stops = stops.clone();
        while under_way.try_join_next().is_some() {}
        under_way.spawn(async move {
            let mut connection = pin!(connection);
            let mut is_last = false;
            loop {
                tokio::select! {
                    // How it ended concerns nobody: the client has gone, or never spoke HTTP.
                    _ = connection.as_mut() => break,
                    () = visit.must_go() => break,
                    _ = stops.changed(), if !is_last => {
                        is_last = true;
                        connection.as_mut().graceful_shutdown();
                    }
                }
            }
        });
    }
    drop((listener, stopping));
    // Those that take longer are cut off.
    let _ = timeout(LAST_ANSWERS, async { while under_way.join_next().await.is_some() {} }).await;
}

/// Whether an error of the listener concerns a connection that is already gone, and no other.
fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// As many connections as wanted, or as the system has file handles for; as many of these are asked for as are
/// needed.
fn places(wanted: usize) -> usize {
    let needed = (wanted + OTHER_HANDLES) as u64;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let has = current.unwrap_or(u64::MAX);
    let may_have = needed.min(maximum.unwrap_or(u64::MAX));
    let raised = Rlimit { current: Some(may_have), maximum };
    let has = if may_have > has && setrlimit(Resource::Nofile, raised).is_ok() { may_have } else { has };
    let has = usize::try_from(has).unwrap_or(usize::MAX);
    wanted.min(has.saturating_sub(OTHER_HANDLES).max(1))
}

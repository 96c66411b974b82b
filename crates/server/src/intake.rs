//! What comes in and goes out, bounded: a request comes whole, in time and within its size before anybody works
//! on it; an answer is taken in time; and nobody has more than his share of either.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    Extension,
    body::{Body, Bytes, HttpBody, to_bytes},
    extract::{Request, State},
    http::StatusCode,
    middleware::Next,
    response::{IntoResponse, Response},
};
use hyper::body::{Frame, SizeHint};
use tokio::time::{Instant, timeout};

use crate::{
    api::error::ApiError,
    limits::ServerLimits,
    listener::Peer,
    quota::{Share, Shares},
};

/// How much may come in and be worked on.
#[derive(Debug)]
pub(crate) struct Intake {
    /// Requests that are worked on, or whose answers are not yet taken.
    requests: Shares,
    /// Kilobytes of bodies in memory.
    bodies: Shares,
    longest_body: usize,
    body_time: Duration,
    answer_time: Duration,
}

impl Intake {
    pub(crate) fn new(limits: &ServerLimits) -> Intake {
        let kilobytes = limits.bodies_bytes >> 10;
        Intake {
            requests: Shares::new(limits.requests_at_once, limits.waiting_jobs),
            // A quarter of all that fits may come from one address.
            bodies: Shares::new(kilobytes.div_ceil(4), kilobytes),
            longest_body: limits.body_bytes,
            body_time: limits.body_time,
            answer_time: limits.answer_time,
        }
    }

    /// The whole body, and its share of the memory for bodies.
    async fn body(&self, body: Body, peer: &Peer) -> Result<(Bytes, Option<Share>), ApiError> {
        if body.is_end_stream() {
            return Ok((Bytes::new(), None));
        }
        let too_large = || {
            let sentence = format!("The request is longer than {} bytes.", self.longest_body);
            ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, sentence)
        };
        // Who does not say how much will come is given room for the most.
        let length = body.size_hint().upper().unwrap_or(self.longest_body as u64);
        let length = usize::try_from(length).ok().filter(|length| *length <= self.longest_body);
        let length = length.ok_or_else(too_large)?;
        let share = self
            .bodies
            .take(peer.source(), (length >> 10) + 1)
            .ok_or_else(|| too_many("Too much is being sent at once: wait until it has arrived."))?;
        let late = || ApiError::new(StatusCode::REQUEST_TIMEOUT, "The request did not arrive in time.");
        let bytes = timeout(self.body_time, to_bytes(body, self.longest_body)).await.map_err(|_| late())?;
        // Either it was longer than it may be, or it broke off, and then nobody hears the answer.
        Ok((bytes.map_err(|_| too_large())?, Some(share)))
    }
}

/// Takes a request in whole, has it worked on, and sees the answer off.
pub(crate) async fn take_in(
    State(intake): State<Arc<Intake>>,
    Extension(peer): Extension<Peer>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    let (bytes, _body_share) = match intake.body(body, &peer).await {
        Ok(body) => body,
        Err(error) => return error.into_response(),
    };
    let Some(share) = intake.requests.take(peer.source(), 1) else {
        return too_many("Too many requests are under way: wait for their answers.").into_response();
    };
    let _work = peer.at_work();
    let answered = timeout(intake.answer_time, next.run(Request::from_parts(parts, bytes.into()))).await;
    let Ok(response) = answered else {
        let sentence = "This takes longer than anybody waits: ask for less.";
        return ApiError::new(StatusCode::SERVICE_UNAVAILABLE, sentence).into_response();
    };
    if response.status() == StatusCode::SWITCHING_PROTOCOLS {
        peer.stay();
    }
    let until = Instant::now() + intake.answer_time;
    response.map(|body| Body::new(Outgoing { body, until, _share: share }))
}

fn too_many(sentence: &str) -> ApiError {
    ApiError::new(StatusCode::TOO_MANY_REQUESTS, sentence)
}

/// An answer on its way, which counts until it is taken and breaks off if that takes too long.
struct Outgoing {
    body: Body,
    until: Instant,
    _share: Share,
}

impl HttpBody for Outgoing {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let outgoing = self.get_mut();
        if Instant::now() > outgoing.until {
            return Poll::Ready(Some(Err(axum::Error::new("the answer was not taken in time"))));
        }
        Pin::new(&mut outgoing.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

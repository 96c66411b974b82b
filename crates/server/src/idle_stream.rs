//! A connection that is closed when nothing moves on it for long.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::{Instant, Sleep, sleep},
};

use crate::visits::Place;

/// A connection on which nothing moves for so long is closed. Answers may take two minutes; WebSockets are pinged.
const SILENCE: Duration = Duration::from_secs(150);
/// Who takes nothing of what he is sent for so long is gone.
const DEAF: Duration = Duration::from_secs(30);

/// A connection with its place, which is free again when it ends.
pub(crate) struct IdleStream {
    stream: TcpStream,
    silence: Pin<Box<Sleep>>,
    /// Runs while the other end takes nothing.
    deaf: Option<Pin<Box<Sleep>>>,
    _place: Place,
}

impl IdleStream {
    pub(crate) fn new(stream: TcpStream, place: Place) -> IdleStream {
        IdleStream { stream, silence: Box::pin(sleep(SILENCE)), deaf: None, _place: place }
    }

    fn stirred(&mut self) {
        self.silence.as_mut().reset(Instant::now() + SILENCE);
    }

    /// What came of writing; an error when the other end has taken nothing for too long.
    fn written(&mut self, cx: &mut Context<'_>, result: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if result.is_ready() {
            self.deaf = None;
            self.stirred();
            return result;
        }
        let deaf = self.deaf.get_or_insert_with(|| Box::pin(sleep(DEAF)));
        ready!(deaf.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for IdleStream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let idle_stream = self.get_mut();
        if let Poll::Ready(result) = Pin::new(&mut idle_stream.stream).poll_read(cx, buffer) {
            idle_stream.stirred();
            return Poll::Ready(result);
        }
        ready!(idle_stream.silence.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncWrite for IdleStream {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &[u8]) -> Poll<io::Result<usize>> {
        let idle_stream = self.get_mut();
        let result = Pin::new(&mut idle_stream.stream).poll_write(cx, buffer);
        idle_stream.written(cx, result)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let idle_stream = self.get_mut();
        let result = Pin::new(&mut idle_stream.stream).poll_write_vectored(cx, buffers);
        idle_stream.written(cx, result)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}

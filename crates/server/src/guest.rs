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
pub(crate) struct Guest {
    stream: TcpStream,
    silence: Pin<Box<Sleep>>,
    /// Runs while the other end takes nothing.
    deaf: Option<Pin<Box<Sleep>>>,
    _place: Place,
}

impl Guest {
    pub(crate) fn new(stream: TcpStream, place: Place) -> Guest {
        Guest { stream, silence: Box::pin(sleep(SILENCE)), deaf: None, _place: place }
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

impl AsyncRead for Guest {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let guest = self.get_mut();
        if let Poll::Ready(result) = Pin::new(&mut guest.stream).poll_read(cx, buffer) {
            guest.stirred();
            return Poll::Ready(result);
        }
        ready!(guest.silence.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncWrite for Guest {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &[u8]) -> Poll<io::Result<usize>> {
        let guest = self.get_mut();
        let result = Pin::new(&mut guest.stream).poll_write(cx, buffer);
        guest.written(cx, result)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let guest = self.get_mut();
        let result = Pin::new(&mut guest.stream).poll_write_vectored(cx, buffers);
        guest.written(cx, result)
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

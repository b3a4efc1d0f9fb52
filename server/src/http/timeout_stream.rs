//! Connection timeouts: for the head of a request, for the next request and for a client that doesn't read.
//!
//! hyper has one timeout for the head of a request, which also runs while a connection is idle between two requests. Here the two are
//! separate, and a client that doesn't read its response times out too.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use http::Response;
use hyper::body::{Body, Frame, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// Idle: nothing has arrived since the last response.
const IDLE: u8 = 0;
/// The head of a request is being received.
const RECEIVING_HEAD: u8 = 1;
/// A request is being handled, or its response is being sent. Its body has separate timeouts; its response may pause between chunks.
const HANDLING_REQUEST: u8 = 2;
/// The last chunk of the response has been passed to hyper. The next event on the connection makes it idle.
const RESPONSE_HANDED_OVER: u8 = 3;

/// State of a connection. Shared with the service, which knows when a head is complete, and with the response.
#[derive(Clone, Debug)]
pub struct ConnectionPhase(Arc<AtomicU8>);

impl ConnectionPhase {
    /// Records that the head of a request is complete.
    pub fn begin_request(&self) {
        self.set(HANDLING_REQUEST);
    }

    /// Wraps a response so that it records when its end has been passed to hyper for writing.
    pub fn track_response<B>(self, response: Response<B>) -> Response<TrackedBody<B>> {
        response.map(|body| TrackedBody { body, phase: self })
    }

    fn is(&self, phase: u8) -> bool {
        self.0.load(Ordering::Relaxed) == phase
    }

    fn set(&self, phase: u8) {
        self.0.store(phase, Ordering::Relaxed);
    }
}

/// Response body that records when it is dropped: after all of it has been passed to hyper, or when the rest is not needed.
#[derive(Debug)]
pub struct TrackedBody<B> {
    body: B,
    phase: ConnectionPhase,
}

impl<B: Body + Unpin> Body for TrackedBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.get_mut().body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl<B> Drop for TrackedBody<B> {
    fn drop(&mut self) {
        self.phase.set(RESPONSE_HANDED_OVER);
    }
}

/// A connection with timeouts.
#[derive(Debug)]
pub struct TimeoutStream<C> {
    inner: C,
    phase: ConnectionPhase,
    timer: Pin<Box<Sleep>>,
    head_timeout: Duration,
    idle_timeout: Duration,
    is_write_pending: bool,
}

impl<C> TimeoutStream<C> {
    /// Creates a connection that times out after `head_timeout` while a request head is received (for the first head, counted from now),
    /// and after `idle_timeout` while idle and for each write of a response.
    pub fn new(inner: C, head_timeout: Duration, idle_timeout: Duration) -> Self {
        let phase = ConnectionPhase(Arc::new(AtomicU8::new(RECEIVING_HEAD)));
        Self { inner, phase, timer: Box::pin(sleep(head_timeout)), head_timeout, idle_timeout, is_write_pending: false }
    }

    /// Returns the shared state of the connection.
    pub fn phase(&self) -> ConnectionPhase {
        self.phase.clone()
    }

    fn restart_timer(&mut self, timeout: Duration) {
        self.timer.as_mut().reset(Instant::now() + timeout);
    }

    fn handle_write<T>(&mut self, result: Poll<io::Result<T>>, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        if result.is_ready() {
            self.is_write_pending = false;
            if !self.phase.is(HANDLING_REQUEST) {
                self.phase.set(IDLE);
            }
            self.restart_timer(self.idle_timeout);
            return result;
        }
        self.poll_write_timeout(cx)
    }

    /// Handles a flush like a write: bytes may be buffered in a lower layer, such as TLS, until the client reads them.
    fn handle_flush(&mut self, result: Poll<io::Result<()>>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if result.is_pending() {
            return self.poll_write_timeout(cx);
        }
        if std::mem::take(&mut self.is_write_pending) {
            self.restart_timer(self.idle_timeout);
        }
        result
    }

    fn poll_write_timeout<T>(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        if !self.is_write_pending {
            self.is_write_pending = true;
            self.restart_timer(self.idle_timeout);
        }
        ready!(self.timer.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<C: AsyncRead + Unpin> AsyncRead for TimeoutStream<C> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.phase.is(RESPONSE_HANDED_OVER) {
            this.phase.set(IDLE);
            this.restart_timer(this.idle_timeout);
        }
        if let Poll::Ready(result) = Pin::new(&mut this.inner).poll_read(cx, buffer) {
            if this.phase.is(IDLE) {
                this.phase.set(RECEIVING_HEAD);
                this.restart_timer(this.head_timeout);
            }
            return Poll::Ready(result);
        }
        if this.phase.is(HANDLING_REQUEST) {
            return Poll::Pending;
        }
        ready!(this.timer.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<C: AsyncWrite + Unpin> AsyncWrite for TimeoutStream<C> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let result = Pin::new(&mut this.inner).poll_write(cx, bytes);
        this.handle_write(result, cx)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let result = Pin::new(&mut this.inner).poll_write_vectored(cx, slices);
        this.handle_write(result, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let result = Pin::new(&mut this.inner).poll_flush(cx);
        this.handle_flush(result, cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let result = Pin::new(&mut this.inner).poll_shutdown(cx);
        this.handle_flush(result, cx)
    }
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;
    use std::time::Duration;

    use http::Response;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, BufWriter, duplex};
    use tokio::time::{Instant, sleep, timeout};

    use super::TimeoutStream;

    const HEAD_TIMEOUT: Duration = Duration::from_millis(50);
    const IDLE_TIMEOUT: Duration = Duration::from_millis(200);

    #[tokio::test(start_paused = true)]
    async fn idle_connections_time_out_later_than_silent_ones() {
        let (_client, server) = duplex(64);
        let mut connection = TimeoutStream::new(server, HEAD_TIMEOUT, IDLE_TIMEOUT);
        let started = Instant::now();
        assert!(connection.read_u8().await.is_err());
        assert!(started.elapsed() < IDLE_TIMEOUT);

        let (mut client, server) = duplex(64);
        let mut connection = TimeoutStream::new(server, HEAD_TIMEOUT, IDLE_TIMEOUT);
        connection.write_all(b"response").await.expect("written");
        sleep(HEAD_TIMEOUT * 2).await;
        client.write_all(b"n").await.expect("the connection is idle");
        assert_eq!(connection.read_u8().await.expect("read"), b'n');
        assert!(connection.read_u8().await.is_err(), "the rest of the head is missing");
    }

    #[tokio::test(start_paused = true)]
    async fn slow_body_is_allowed_after_100_continue() {
        let (mut client, server) = duplex(64);
        let mut connection = TimeoutStream::new(server, HEAD_TIMEOUT, IDLE_TIMEOUT);
        connection.phase().begin_request();
        connection.write_all(b"100 Continue").await.expect("written");
        let client_task = tokio::spawn(async move {
            for byte in *b"body" {
                sleep(HEAD_TIMEOUT * 2).await;
                client.write_all(&[byte]).await.expect("the connection is open");
            }
            client
        });
        let mut body = [0; 4];
        connection.read_exact(&mut body).await.expect("read");
        let _client = client_task.await.expect("no panic");
        drop(connection.phase().track_response(Response::new("response")));
        connection.write_all(b"response").await.expect("written");
        assert!(timeout(IDLE_TIMEOUT * 2, connection.read_u8()).await.expect("the connection is closed").is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn response_may_pause_and_idle_time_starts_at_its_end() {
        let (_client, server) = duplex(64);
        let mut connection = TimeoutStream::new(server, HEAD_TIMEOUT, IDLE_TIMEOUT);
        connection.phase().begin_request();
        let response = connection.phase().track_response(Response::new("two pieces"));
        for chunk in ["two ", "pieces"] {
            connection.write_all(chunk.as_bytes()).await.expect("written");
            assert!(
                timeout(IDLE_TIMEOUT * 2, connection.read_u8()).await.is_err(),
                "a response may pause between chunks"
            );
        }
        drop(response);
        let ended = Instant::now();
        assert!(timeout(IDLE_TIMEOUT * 2, connection.read_u8()).await.expect("the connection is closed").is_err());
        assert!(ended.elapsed() >= IDLE_TIMEOUT, "after {:?}", ended.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn client_that_does_not_read_times_out() {
        let (_client, server) = duplex(8);
        // Like TLS, `BufWriter` accepts the bytes and passes them on when flushed.
        let mut connection = TimeoutStream::new(BufWriter::new(server), HEAD_TIMEOUT, IDLE_TIMEOUT);
        connection.phase().begin_request();
        drop(connection.phase().track_response(Response::new("more than the client takes")));
        connection.write_all(b"more than the client takes").await.expect("written");
        let flushed = timeout(IDLE_TIMEOUT * 4, connection.flush()).await.expect("the connection is closed");
        assert!(flushed.is_err_and(|error| error.kind() == ErrorKind::TimedOut));
        let closed = timeout(IDLE_TIMEOUT * 4, connection.shutdown()).await.expect("the connection is closed");
        assert!(closed.is_err_and(|error| error.kind() == ErrorKind::TimedOut));
    }

    #[tokio::test(start_paused = true)]
    async fn busy_connection_times_out_only_on_write() {
        let (_client, server) = duplex(8);
        let mut connection = TimeoutStream::new(server, HEAD_TIMEOUT, IDLE_TIMEOUT);
        connection.phase().begin_request();
        assert!(timeout(HEAD_TIMEOUT * 2, connection.read_u8()).await.is_err(), "the connection is still open");
        assert!(connection.write_all(b"more than the buffer holds").await.is_err());
    }
}

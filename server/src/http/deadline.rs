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
const RESTING: u8 = 0;
/// The head of a request is being received.
const HEAD: u8 = 1;
/// A request is being handled and answered. Its body has separate timeouts; its response may pause between chunks.
const BUSY: u8 = 2;
/// The last chunk of the response has been handed over. The next event on the connection makes it idle.
const ANSWERED: u8 = 3;

/// State of a connection. Shared with the service, which knows when a head is complete, and with the response.
#[derive(Clone, Debug)]
pub struct Phase(Arc<AtomicU8>);

impl Phase {
    /// Records that the head of a request is complete.
    pub fn request_begins(&self) {
        self.set(BUSY);
    }

    /// Wraps a response so that it records when its end has been handed over for writing.
    pub fn answer<B>(self, answer: Response<B>) -> Response<Answer<B>> {
        answer.map(|body| Answer { body, phase: self })
    }

    fn is(&self, phase: u8) -> bool {
        self.0.load(Ordering::Relaxed) == phase
    }

    fn set(&self, phase: u8) {
        self.0.store(phase, Ordering::Relaxed);
    }
}

/// Response body that records when it is dropped: once all of it has been handed over, or when the rest is not needed.
#[derive(Debug)]
pub struct Answer<B> {
    body: B,
    phase: Phase,
}

impl<B: Body + Unpin> Body for Answer<B> {
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

impl<B> Drop for Answer<B> {
    fn drop(&mut self) {
        self.phase.set(ANSWERED);
    }
}

/// A connection with timeouts.
#[derive(Debug)]
pub struct Impatient<C> {
    connection: C,
    phase: Phase,
    timer: Pin<Box<Sleep>>,
    head: Duration,
    rest: Duration,
    write_waits: bool,
}

impl<C> Impatient<C> {
    /// Creates a connection that times out after `head` while a request head is received (for the first head, counted from now), and after
    /// `rest` while idle and for each write of a response.
    pub fn new(connection: C, head: Duration, rest: Duration) -> Self {
        let phase = Phase(Arc::new(AtomicU8::new(HEAD)));
        Self { connection, phase, timer: Box::pin(sleep(head)), head, rest, write_waits: false }
    }

    /// Returns the shared state of the connection.
    pub fn phase(&self) -> Phase {
        self.phase.clone()
    }

    fn restart(&mut self, time: Duration) {
        self.timer.as_mut().reset(Instant::now() + time);
    }

    fn written<T>(&mut self, written: Poll<io::Result<T>>, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.write_waits = false;
            if !self.phase.is(BUSY) {
                self.phase.set(RESTING);
            }
            self.restart(self.rest);
            return written;
        }
        self.write_waits_for_its_reader(cx)
    }

    /// Handles a flush like a write: bytes may be buffered in a lower layer, such as TLS, until the client reads them.
    fn flushed(&mut self, flushed: Poll<io::Result<()>>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if flushed.is_pending() {
            return self.write_waits_for_its_reader(cx);
        }
        if std::mem::take(&mut self.write_waits) {
            self.restart(self.rest);
        }
        flushed
    }

    fn write_waits_for_its_reader<T>(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        if !self.write_waits {
            self.write_waits = true;
            self.restart(self.rest);
        }
        ready!(self.timer.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<C: AsyncRead + Unpin> AsyncRead for Impatient<C> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.phase.is(ANSWERED) {
            this.phase.set(RESTING);
            this.restart(this.rest);
        }
        if let Poll::Ready(read) = Pin::new(&mut this.connection).poll_read(cx, buffer) {
            if this.phase.is(RESTING) {
                this.phase.set(HEAD);
                this.restart(this.head);
            }
            return Poll::Ready(read);
        }
        if this.phase.is(BUSY) {
            return Poll::Pending;
        }
        ready!(this.timer.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<C: AsyncWrite + Unpin> AsyncWrite for Impatient<C> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.connection).poll_write(cx, bytes);
        this.written(written, cx)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.connection).poll_write_vectored(cx, slices);
        this.written(written, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.connection.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let flushed = Pin::new(&mut this.connection).poll_flush(cx);
        this.flushed(flushed, cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let closed = Pin::new(&mut this.connection).poll_shutdown(cx);
        this.flushed(closed, cx)
    }
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;
    use std::time::Duration;

    use http::Response;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, BufWriter, duplex};
    use tokio::time::{Instant, sleep, timeout};

    use super::Impatient;

    const HEAD: Duration = Duration::from_millis(50);
    const REST: Duration = Duration::from_millis(200);

    #[tokio::test(start_paused = true)]
    async fn idle_connections_time_out_later_than_silent_ones() {
        let (_client, server) = duplex(64);
        let mut connection = Impatient::new(server, HEAD, REST);
        let started = Instant::now();
        assert!(connection.read_u8().await.is_err());
        assert!(started.elapsed() < REST);

        let (mut client, server) = duplex(64);
        let mut connection = Impatient::new(server, HEAD, REST);
        connection.write_all(b"answer").await.expect("written");
        sleep(HEAD * 2).await;
        client.write_all(b"n").await.expect("the connection rests");
        assert_eq!(connection.read_u8().await.expect("read"), b'n');
        assert!(connection.read_u8().await.is_err(), "the rest of the head never comes");
    }

    #[tokio::test(start_paused = true)]
    async fn slow_body_is_allowed_after_100_continue() {
        let (mut client, server) = duplex(64);
        let mut connection = Impatient::new(server, HEAD, REST);
        connection.phase().request_begins();
        connection.write_all(b"100 Continue").await.expect("written");
        let sending = tokio::spawn(async move {
            for byte in *b"body" {
                sleep(HEAD * 2).await;
                client.write_all(&[byte]).await.expect("the connection is open");
            }
            client
        });
        let mut body = [0; 4];
        connection.read_exact(&mut body).await.expect("read");
        let _client = sending.await.expect("no panic");
        drop(connection.phase().answer(Response::new("answer")));
        connection.write_all(b"answer").await.expect("written");
        assert!(timeout(REST * 2, connection.read_u8()).await.expect("given up").is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn response_may_pause_and_idle_time_starts_at_its_end() {
        let (_client, server) = duplex(64);
        let mut connection = Impatient::new(server, HEAD, REST);
        connection.phase().request_begins();
        let answer = connection.phase().answer(Response::new("two pieces"));
        for piece in ["two ", "pieces"] {
            connection.write_all(piece.as_bytes()).await.expect("written");
            assert!(timeout(REST * 2, connection.read_u8()).await.is_err(), "the next piece may come late");
        }
        drop(answer);
        let ended = Instant::now();
        assert!(timeout(REST * 2, connection.read_u8()).await.expect("given up").is_err());
        assert!(ended.elapsed() >= REST, "after {:?}", ended.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn client_that_does_not_read_times_out() {
        let (_client, server) = duplex(8);
        // Like TLS, `BufWriter` accepts the bytes and passes them on when flushed.
        let mut connection = Impatient::new(BufWriter::new(server), HEAD, REST);
        connection.phase().request_begins();
        drop(connection.phase().answer(Response::new("more than the client takes")));
        connection.write_all(b"more than the client takes").await.expect("written");
        let flushed = timeout(REST * 4, connection.flush()).await.expect("given up");
        assert!(flushed.is_err_and(|error| error.kind() == ErrorKind::TimedOut));
        let closed = timeout(REST * 4, connection.shutdown()).await.expect("given up");
        assert!(closed.is_err_and(|error| error.kind() == ErrorKind::TimedOut));
    }

    #[tokio::test(start_paused = true)]
    async fn busy_connection_times_out_only_on_write() {
        let (_client, server) = duplex(8);
        let mut connection = Impatient::new(server, HEAD, REST);
        connection.phase().request_begins();
        assert!(timeout(HEAD * 2, connection.read_u8()).await.is_err(), "still waiting");
        assert!(connection.write_all(b"more than the buffer holds").await.is_err());
    }
}

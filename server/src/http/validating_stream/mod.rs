//! Filter between connection and hyper that lets this server respond to invalid requests itself.
//!
//! If hyper can't parse a head, it sends an empty error response. [`ValidatingStream`] therefore parses each head first ([`head`]), encodes
//! characters that clients such as curl leave raw in a target, follows the body ([`body_tracker`]) to the next head, and passes valid heads
//! to hyper. It replaces an invalid head with a stand-in request whose target no client can send. The service responds to the stand-in with
//! the error, after the responses to earlier requests. All other bytes pass unchanged.

mod body_tracker;
mod head;

use std::io;
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Buf, BytesMut};
use http::Uri;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use self::body_tracker::BodyTracker;
use self::head::Head;
use super::problem::{Code, Problem};

/// Read size while a head is expected, in bytes. An ordinary head has a few hundred bytes.
const READ_CHUNK_BYTES: usize = 4_096;

/// Time to keep reading after a response that closes the connection. Closing with unread bytes resets the connection, and the reset can
/// overtake the response.
const LINGER_TIMEOUT: Duration = Duration::from_secs(2);

/// Scheme of the stand-in for an invalid head. [`head`] rejects it from clients.
const STAND_IN_SCHEME: &str = "refused";

/// Stand-in for an invalid head.
const STAND_IN: &[u8] = b"GET refused://head/ HTTP/1.1\r\nhost: head\r\nconnection: close\r\n\r\n";
/// Stand-in for an invalid head of a `HEAD` request, whose response must not have a body.
const STAND_IN_FOR_HEAD: &[u8] = b"HEAD refused://head/ HTTP/1.1\r\nhost: head\r\nconnection: close\r\n\r\n";

/// Reason why the last head of a connection was rejected. Shared with the service, which sends it.
#[derive(Clone, Debug, Default)]
pub struct HeadProblem(Arc<Mutex<Option<Problem>>>);

impl HeadProblem {
    /// Returns the problem if `target` is the target of a stand-in head.
    pub fn take_for(&self, target: &Uri) -> Option<Problem> {
        if target.scheme_str() == Some(STAND_IN_SCHEME) { self.lock().take() } else { None }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Problem>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Kind of bytes that come next.
#[derive(Clone, Copy, Debug)]
enum NextInput {
    /// A request head.
    Head,
    /// A request body.
    Body(BodyTracker),
    /// End of requests: a head was rejected, and the connection closes after the response.
    End,
}

/// A connection on which hyper can parse all requests.
#[derive(Debug)]
pub struct ValidatingStream<C> {
    inner: C,
    head_problem: HeadProblem,
    max_head_bytes: usize,
    /// Bytes that were read but not passed on: at most `max_head_bytes`, plus the growth of an encoded target.
    pending: BytesMut,
    /// Number of leading bytes in `pending` that are a head to pass on.
    head_remaining: usize,
    /// Number of leading bytes in `pending` that were searched for the end of a head.
    scanned: usize,
    next: NextInput,
    linger_timer: Option<Pin<Box<Sleep>>>,
}

impl<C> ValidatingStream<C> {
    /// Wraps a connection and limits heads to `max_head_bytes` bytes.
    pub fn new(inner: C, max_head_bytes: usize) -> Self {
        Self {
            inner,
            head_problem: HeadProblem::default(),
            max_head_bytes,
            pending: BytesMut::new(),
            head_remaining: 0,
            scanned: 0,
            next: NextInput::Head,
            linger_timer: None,
        }
    }

    /// Responds with this problem, without reading a request.
    pub fn with_problem(mut self, problem: Problem) -> Self {
        self.reject_head(problem);
        self
    }

    /// Returns the shared reason of a rejected head.
    pub fn head_problem(&self) -> HeadProblem {
        self.head_problem.clone()
    }

    /// Tries to parse a head from the buffer. Returns true if there are bytes to pass on.
    fn parse_head(&mut self) -> bool {
        let empty_lines = self.pending.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        if self.scanned == 0 {
            self.pending.advance(empty_lines);
        }
        // Search only the new bytes, so that a client that sends byte by byte doesn't cause quadratic work.
        let scanned = std::mem::replace(&mut self.scanned, self.pending.len());
        if self.pending.is_empty() || scanned > 0 && !has_empty_line(&self.pending[scanned.saturating_sub(3)..]) {
            return self.reject_if_too_long();
        }
        match head::parse(&self.pending) {
            Ok(None) => return self.reject_if_too_long(),
            Ok(Some(head)) if head.length > self.max_head_bytes => {
                self.reject_head(head::head_too_long(&self.pending, self.max_head_bytes))
            }
            Ok(Some(Head { length, rewritten, body })) => {
                if let Some(rewritten) = rewritten {
                    self.pending = BytesMut::from(rewritten.as_slice());
                }
                self.head_remaining = length;
                self.next = NextInput::Body(body);
            }
            Err(problem) => self.reject_head(problem),
        }
        true
    }

    fn reject_if_too_long(&mut self) -> bool {
        let is_too_long = self.pending.len() >= self.max_head_bytes;
        if is_too_long {
            self.reject_head(head::head_too_long(&self.pending, self.max_head_bytes));
        }
        is_too_long
    }

    /// Replaces an invalid head with the stand-in.
    fn reject_head(&mut self, problem: Problem) {
        let stand_in = if self.pending.starts_with(b"HEAD ") { STAND_IN_FOR_HEAD } else { STAND_IN };
        *self.head_problem.lock() = Some(problem);
        self.pending = BytesMut::from(stand_in);
        self.head_remaining = stand_in.len();
        self.next = NextInput::End;
    }

    /// Passes on at most `max` bytes of the buffer.
    fn copy_pending(&mut self, max: usize, buffer: &mut ReadBuf<'_>) -> usize {
        let count = max.min(self.pending.len()).min(buffer.remaining());
        buffer.put_slice(&self.pending[..count]);
        self.pending.advance(count);
        count
    }
}

impl<C: AsyncRead + Unpin> ValidatingStream<C> {
    /// Reads bytes into the buffer for inspection.
    fn poll_fill(&mut self, cx: &mut Context<'_>, max: usize) -> Poll<io::Result<usize>> {
        let mut chunk = [MaybeUninit::uninit(); READ_CHUNK_BYTES];
        let mut chunk = ReadBuf::uninit(&mut chunk[..READ_CHUNK_BYTES.min(max)]);
        ready!(Pin::new(&mut self.inner).poll_read(cx, &mut chunk))?;
        self.pending.extend_from_slice(chunk.filled());
        Poll::Ready(Ok(chunk.filled().len()))
    }

    /// Reads more of a head. A head that ends early or times out is rejected.
    fn poll_head(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let has_started = !self.pending.is_empty();
        match ready!(self.poll_fill(cx, self.max_head_bytes.saturating_sub(self.pending.len()))) {
            Ok(0) if has_started => self.reject_head(head::malformed("the request head is incomplete")),
            Err(error) if has_started && error.kind() == io::ErrorKind::TimedOut => {
                self.reject_head(Problem::new(Code::RequestTimeout, "the request head arrived too slowly"));
            }
            result => return Poll::Ready(result),
        }
        Poll::Ready(Ok(self.head_remaining))
    }

    /// Discards input until the client closes the connection.
    fn poll_drain(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            self.pending.clear();
            if !matches!(ready!(self.poll_fill(cx, READ_CHUNK_BYTES)), Ok(1..)) {
                return Poll::Ready(());
            }
        }
    }
}

impl<C: AsyncRead + Unpin> AsyncRead for ValidatingStream<C> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        loop {
            if this.head_remaining > 0 {
                this.head_remaining -= this.copy_pending(this.head_remaining, buffer);
                return Poll::Ready(Ok(()));
            }
            match &mut this.next {
                // Further input is not read. The response to the stand-in ends the connection.
                NextInput::End => return Poll::Pending,
                NextInput::Head => {
                    if !this.parse_head() && ready!(this.poll_head(cx))? == 0 {
                        return Poll::Ready(Ok(()));
                    }
                }
                NextInput::Body(body) if body.is_complete() => {
                    this.next = NextInput::Head;
                    this.scanned = 0;
                }
                NextInput::Body(body) if !this.pending.is_empty() => {
                    let max = this.pending.len().min(buffer.remaining());
                    let count = body.advance(&this.pending[..max]);
                    this.copy_pending(count, buffer);
                    return Poll::Ready(Ok(()));
                }
                NextInput::Body(body) => {
                    if body.min_remaining() >= buffer.remaining() as u64 {
                        let filled_before = buffer.filled().len();
                        ready!(Pin::new(&mut this.inner).poll_read(cx, buffer))?;
                        body.advance(&buffer.filled()[filled_before..]);
                        return Poll::Ready(Ok(()));
                    }
                    if ready!(this.poll_fill(cx, READ_CHUNK_BYTES))? == 0 {
                        return Poll::Ready(Ok(()));
                    }
                }
            }
        }
    }
}

impl<C: AsyncRead + AsyncWrite + Unpin> AsyncWrite for ValidatingStream<C> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().inner).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().inner).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().inner).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.linger_timer.is_none() {
            ready!(Pin::new(&mut this.inner).poll_shutdown(cx))?;
            let is_input_consumed = match this.next {
                NextInput::Head => true,
                NextInput::Body(body) => body.is_complete(),
                NextInput::End => false,
            };
            if is_input_consumed && this.pending.is_empty() {
                return Poll::Ready(Ok(()));
            }
        }
        let timer = this.linger_timer.get_or_insert_with(|| Box::pin(sleep(LINGER_TIMEOUT)));
        if timer.as_mut().poll(cx).is_pending() {
            ready!(this.poll_drain(cx));
        }
        Poll::Ready(Ok(()))
    }
}

/// True if the bytes contain the end of a head.
fn has_empty_line(bytes: &[u8]) -> bool {
    bytes.windows(2).any(|window| window == b"\n\n") || bytes.windows(3).any(|window| window == b"\n\r\n")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
    use tokio::time::timeout;

    use super::{HeadProblem, STAND_IN, STAND_IN_FOR_HEAD, STAND_IN_SCHEME, ValidatingStream};
    use crate::http::timeout_stream::TimeoutStream;

    const MAX_HEAD_BYTES: usize = 256;

    /// Returns the bytes that hyper would read, and the code of the problem.
    async fn forward(chunks: impl IntoIterator<Item = &[u8]>) -> (String, Option<&'static str>) {
        let (mut client, server) = duplex(1 << 16);
        let mut stream = ValidatingStream::new(server, MAX_HEAD_BYTES);
        let head_problem = stream.head_problem();
        let mut forwarded = Vec::new();
        for chunk in chunks {
            client.write_all(chunk).await.expect("written");
            // Process each piece completely before the next one arrives.
            while timeout(Duration::ZERO, stream.read_buf(&mut forwarded)).await.is_ok() {}
        }
        drop(client);
        let _nothing_more = timeout(Duration::from_millis(1), stream.read_to_end(&mut forwarded)).await;
        (forwarded.escape_ascii().to_string(), problem_code(&head_problem))
    }

    fn problem_code(head_problem: &HeadProblem) -> Option<&'static str> {
        let target = format!("{STAND_IN_SCHEME}://head/").parse().expect("a target");
        head_problem.take_for(&target).map(|problem| problem.code().as_str())
    }

    #[tokio::test]
    async fn forwards_requests_in_any_fragmentation() {
        let requests = "\r\nGET /> HTTP/1.1\r\nhost: h\r\n\r\n\
            PUT /a HTTP/1.1\r\nhost: h\r\ncontent-length: 32\r\n\r\nGET /<b> HTTP/1.1\r\nhost: h\r\n\r\n\r\n\
            PUT /<c HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n9\r\nGET /<d>\n\r\n0\r\nx: <\r\n\r\n\
            GET /e HTTP/1.1\nhost: h\n\n";
        let expected = requests.trim_start().replace("/> ", "/%3E ").replace("/<c ", "/%3Cc ");
        let expected = (expected.into_bytes().escape_ascii().to_string(), None);
        assert_eq!(forward([requests.as_bytes()]).await, expected);
        assert_eq!(forward(requests.as_bytes().chunks(1)).await, expected);
        assert_eq!(forward(requests.as_bytes().chunks(7)).await, expected);
    }

    #[tokio::test]
    async fn invalid_head_gets_its_response_last() {
        let first = "GET /a HTTP/1.1\r\nhost: h\r\n\r\n";
        let requests = format!("{first}GET /b HTTP/9\r\n\r\nGET /c HTTP/1.1\r\nhost: h\r\n\r\n");
        let expected = [first.as_bytes(), STAND_IN].concat().escape_ascii().to_string();
        for size in [1, 7, 1_000] {
            let (forwarded, code) = forward(requests.as_bytes().chunks(size)).await;
            assert_eq!((forwarded.as_str(), code), (expected.as_str(), Some("unsupported_http_version")));
        }
        let (forwarded, _) = forward([&b"HEAD /b HTTP/9\r\n\r\n"[..]]).await;
        assert_eq!(forwarded, STAND_IN_FOR_HEAD.escape_ascii().to_string());
    }

    #[tokio::test]
    async fn rejects_incomplete_head() {
        let long = "a".repeat(MAX_HEAD_BYTES);
        assert_eq!(forward([format!("GET /{long}").as_bytes()]).await.1, Some("uri_too_long"));
        assert_eq!(forward([format!("GET / HTTP/1.1\r\nx: {long}").as_bytes()]).await.1, Some("head_too_large"));
        let encoded = format!("GET /{} HTTP/1.1\r\nhost: h\r\n\r\n", "<".repeat(MAX_HEAD_BYTES / 2));
        assert_eq!(
            forward([encoded.as_bytes()]).await.1,
            Some("head_too_large"),
            "the limit applies to the encoded head"
        );
        assert_eq!(forward([&b"GET / HT"[..]]).await.1, Some("malformed_request"), "the head is incomplete");
        assert_eq!(forward([&b""[..]]).await, (String::new(), None));
    }

    #[tokio::test]
    async fn rejects_slow_head() {
        let (mut client, server) = duplex(64);
        let head_timeout = Duration::from_millis(20);
        let mut stream: ValidatingStream<TimeoutStream<DuplexStream>> =
            ValidatingStream::new(TimeoutStream::new(server, head_timeout, head_timeout), MAX_HEAD_BYTES);
        client.write_all(b"GET / HTTP/1.1\r\n").await.expect("written");
        let mut forwarded = vec![0; STAND_IN.len()];
        stream.read_exact(&mut forwarded).await.expect("read");
        assert_eq!((forwarded.as_slice(), problem_code(&stream.head_problem())), (STAND_IN, Some("request_timeout")));
    }

    #[tokio::test]
    async fn shutdown_waits_for_client_to_close() {
        let (mut client, server) = duplex(64);
        let mut stream = ValidatingStream::new(server, MAX_HEAD_BYTES);
        client.write_all(b"PUT / HTTP/1.1\r\nhost: h\r\ncontent-length: 9\r\n\r\n").await.expect("written");
        let mut head = [0; 46];
        stream.read_exact(&mut head).await.expect("read");
        let mut shutdown = tokio::spawn(async move { stream.shutdown().await });
        client.write_all(b"body").await.expect("the server still reads");
        assert!(timeout(Duration::from_millis(20), &mut shutdown).await.is_err(), "the shutdown waits for the client");
        drop(client);
        shutdown.await.expect("no panic").expect("closed");
    }
}

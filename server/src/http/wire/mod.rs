//! Filter between connection and hyper that lets this server answer invalid requests itself.
//!
//! If hyper can't parse a head, it sends an empty error response. [`Wire`] therefore parses each head first ([`head`]), encodes
//! characters that clients such as curl leave raw in a target, follows the body ([`body`]) to the next head, and passes valid heads to
//! hyper. It replaces an invalid head with a stand-in request whose target no client can send. The service answers the stand-in with the
//! error, after the responses to earlier requests. All other bytes pass unchanged.

mod body;
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

use self::body::Body;
use self::head::Head;
use super::problem::{Code, Refusal};

/// Read size while a head is expected, in bytes. An ordinary head has a few hundred bytes.
const PIECE: usize = 4_096;

/// Time to keep reading after a response that closes the connection. Closing with unread bytes resets the connection, and the reset can
/// overtake the response.
const LINGER: Duration = Duration::from_secs(2);

/// Scheme of the stand-in for a refused head. [`head`] refuses it from clients.
const REFUSED: &str = "refused";

/// Stand-ins for a refused head; the second is for `HEAD`, whose response must not have a body.
const STAND_IN: &[u8] = b"GET refused://head/ HTTP/1.1\r\nhost: head\r\nconnection: close\r\n\r\n";
const STAND_IN_FOR_HEAD: &[u8] = b"HEAD refused://head/ HTTP/1.1\r\nhost: head\r\nconnection: close\r\n\r\n";

/// Reason why the last head of a connection was refused. Shared with the service, which sends it.
#[derive(Clone, Debug, Default)]
pub struct RefusedHead(Arc<Mutex<Option<Refusal>>>);

impl RefusedHead {
    /// Returns the refusal if `target` is that of the stand-in.
    pub fn take(&self, target: &Uri) -> Option<Refusal> {
        if target.scheme_str() == Some(REFUSED) { self.slot().take() } else { None }
    }

    fn slot(&self) -> std::sync::MutexGuard<'_, Option<Refusal>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Kind of bytes that come next.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// A request head.
    Head,
    /// A request body.
    Body(Body),
    /// End of requests: a head was refused, and the connection closes after the response.
    Nothing,
}

/// A connection on which hyper can parse all requests.
#[derive(Debug)]
pub struct Wire<C> {
    connection: C,
    refused: RefusedHead,
    limit: usize,
    /// Bytes that were read but not passed on: at most `limit`, plus the growth of an encoded target.
    unread: BytesMut,
    /// Number of leading bytes in `unread` that are a head to pass on.
    passing: usize,
    /// Number of leading bytes in `unread` that were searched for the end of a head.
    searched: usize,
    next: Next,
    lingers: Option<Pin<Box<Sleep>>>,
}

impl<C> Wire<C> {
    /// Wraps a connection and limits heads to `limit` bytes.
    pub fn new(connection: C, limit: usize) -> Self {
        Self {
            connection,
            refused: RefusedHead::default(),
            limit,
            unread: BytesMut::new(),
            passing: 0,
            searched: 0,
            next: Next::Head,
            lingers: None,
        }
    }

    /// Answers the connection with this refusal, without reading a request.
    pub fn refusing(mut self, refusal: Refusal) -> Self {
        self.refuse(refusal);
        self
    }

    /// Returns the shared reason of a refused head.
    pub fn refused(&self) -> RefusedHead {
        self.refused.clone()
    }

    /// Tries to parse a head from the buffer. Returns true if there are bytes to pass on.
    fn read_head(&mut self) -> bool {
        let empty_lines = self.unread.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        if self.searched == 0 {
            self.unread.advance(empty_lines);
        }
        // Search only the new bytes, so that a client that sends byte by byte doesn't cause quadratic work.
        let searched = std::mem::replace(&mut self.searched, self.unread.len());
        if self.unread.is_empty() || searched > 0 && !has_empty_line(&self.unread[searched.saturating_sub(3)..]) {
            return self.refuse_if_too_long();
        }
        match head::read(&self.unread) {
            Ok(None) => return self.refuse_if_too_long(),
            Ok(Some(head)) if head.length > self.limit => self.refuse(head::too_long(&self.unread, self.limit)),
            Ok(Some(Head { length, rewritten, body })) => {
                if let Some(rewritten) = rewritten {
                    self.unread = BytesMut::from(rewritten.as_slice());
                }
                self.passing = length;
                self.next = Next::Body(body);
            }
            Err(refusal) => self.refuse(refusal),
        }
        true
    }

    fn refuse_if_too_long(&mut self) -> bool {
        let too_long = self.unread.len() >= self.limit;
        if too_long {
            self.refuse(head::too_long(&self.unread, self.limit));
        }
        too_long
    }

    /// Replaces an invalid head with the stand-in.
    fn refuse(&mut self, refusal: Refusal) {
        let stand_in = if self.unread.starts_with(b"HEAD ") { STAND_IN_FOR_HEAD } else { STAND_IN };
        *self.refused.slot() = Some(refusal);
        self.unread = BytesMut::from(stand_in);
        self.passing = stand_in.len();
        self.next = Next::Nothing;
    }

    /// Passes on at most `most` bytes of the buffer.
    fn hand_on(&mut self, most: usize, buffer: &mut ReadBuf<'_>) -> usize {
        let count = most.min(self.unread.len()).min(buffer.remaining());
        buffer.put_slice(&self.unread[..count]);
        self.unread.advance(count);
        count
    }
}

impl<C: AsyncRead + Unpin> Wire<C> {
    /// Reads bytes into the buffer for inspection.
    fn poll_piece(&mut self, cx: &mut Context<'_>, most: usize) -> Poll<io::Result<usize>> {
        let mut piece = [MaybeUninit::uninit(); PIECE];
        let mut piece = ReadBuf::uninit(&mut piece[..PIECE.min(most)]);
        ready!(Pin::new(&mut self.connection).poll_read(cx, &mut piece))?;
        self.unread.extend_from_slice(piece.filled());
        Poll::Ready(Ok(piece.filled().len()))
    }

    /// Reads more of a head. A head that ends early or times out is refused.
    fn poll_head(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let begun = !self.unread.is_empty();
        match ready!(self.poll_piece(cx, self.limit.saturating_sub(self.unread.len()))) {
            Ok(0) if begun => self.refuse(head::malformed("the head of the request broke off before its end")),
            Err(error) if begun && error.kind() == io::ErrorKind::TimedOut => {
                self.refuse(Refusal::new(Code::RequestTimeout, "the head of the request came too slowly"));
            }
            read => return Poll::Ready(read),
        }
        Poll::Ready(Ok(self.passing))
    }

    /// Discards input until the client closes the connection.
    fn poll_rest(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            self.unread.clear();
            if !matches!(ready!(self.poll_piece(cx, PIECE)), Ok(1..)) {
                return Poll::Ready(());
            }
        }
    }
}

impl<C: AsyncRead + Unpin> AsyncRead for Wire<C> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        loop {
            if this.passing > 0 {
                this.passing -= this.hand_on(this.passing, buffer);
                return Poll::Ready(Ok(()));
            }
            match &mut this.next {
                // Further input is not read. The response to the stand-in ends the connection.
                Next::Nothing => return Poll::Pending,
                Next::Head => {
                    if !this.read_head() && ready!(this.poll_head(cx))? == 0 {
                        return Poll::Ready(Ok(()));
                    }
                }
                Next::Body(body) if body.is_over() => {
                    this.next = Next::Head;
                    this.searched = 0;
                }
                Next::Body(body) if !this.unread.is_empty() => {
                    let most = this.unread.len().min(buffer.remaining());
                    let count = body.follow(&this.unread[..most]);
                    this.hand_on(count, buffer);
                    return Poll::Ready(Ok(()));
                }
                Next::Body(body) => {
                    if body.least_left() >= buffer.remaining() as u64 {
                        let before = buffer.filled().len();
                        ready!(Pin::new(&mut this.connection).poll_read(cx, buffer))?;
                        body.follow(&buffer.filled()[before..]);
                        return Poll::Ready(Ok(()));
                    }
                    if ready!(this.poll_piece(cx, PIECE))? == 0 {
                        return Poll::Ready(Ok(()));
                    }
                }
            }
        }
    }
}

impl<C: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Wire<C> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().connection).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().connection).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.connection.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().connection).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.lingers.is_none() {
            ready!(Pin::new(&mut this.connection).poll_shutdown(cx))?;
            let read_to_its_end = match this.next {
                Next::Head => true,
                Next::Body(body) => body.is_over(),
                Next::Nothing => false,
            };
            if read_to_its_end && this.unread.is_empty() {
                return Poll::Ready(Ok(()));
            }
        }
        let lingers = this.lingers.get_or_insert_with(|| Box::pin(sleep(LINGER)));
        if lingers.as_mut().poll(cx).is_pending() {
            ready!(this.poll_rest(cx));
        }
        Poll::Ready(Ok(()))
    }
}

/// True if the bytes contain the end of a head.
fn has_empty_line(bytes: &[u8]) -> bool {
    bytes.windows(2).any(|end| end == b"\n\n") || bytes.windows(3).any(|end| end == b"\n\r\n")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
    use tokio::time::timeout;

    use super::{REFUSED, RefusedHead, STAND_IN, STAND_IN_FOR_HEAD, Wire};
    use crate::http::deadline::Impatient;

    const LIMIT: usize = 256;

    /// Returns the bytes that hyper would read, and the error code of the refusal.
    async fn handed_on(pieces: impl IntoIterator<Item = &[u8]>) -> (String, Option<&'static str>) {
        let (mut client, server) = duplex(1 << 16);
        let mut wire = Wire::new(server, LIMIT);
        let refused = wire.refused();
        let mut read = Vec::new();
        for piece in pieces {
            client.write_all(piece).await.expect("written");
            // Process each piece completely before the next one arrives.
            while timeout(Duration::ZERO, wire.read_buf(&mut read)).await.is_ok() {}
        }
        drop(client);
        let _nothing_more = timeout(Duration::from_millis(1), wire.read_to_end(&mut read)).await;
        (read.escape_ascii().to_string(), code(&refused))
    }

    fn code(refused: &RefusedHead) -> Option<&'static str> {
        let target = format!("{REFUSED}://head/").parse().expect("a target");
        refused.take(&target).map(|refusal| refusal.code().as_str())
    }

    #[tokio::test]
    async fn forwards_requests_in_any_fragmentation() {
        let requests = "\r\nGET /> HTTP/1.1\r\nhost: h\r\n\r\n\
            PUT /a HTTP/1.1\r\nhost: h\r\ncontent-length: 32\r\n\r\nGET /<b> HTTP/1.1\r\nhost: h\r\n\r\n\r\n\
            PUT /<c HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n9\r\nGET /<d>\n\r\n0\r\nx: <\r\n\r\n\
            GET /e HTTP/1.1\nhost: h\n\n";
        let expected = requests.trim_start().replace("/> ", "/%3E ").replace("/<c ", "/%3Cc ");
        let expected = (expected.into_bytes().escape_ascii().to_string(), None);
        assert_eq!(handed_on([requests.as_bytes()]).await, expected);
        assert_eq!(handed_on(requests.as_bytes().chunks(1)).await, expected);
        assert_eq!(handed_on(requests.as_bytes().chunks(7)).await, expected);
    }

    #[tokio::test]
    async fn refused_head_is_answered_in_order_and_last() {
        let first = "GET /a HTTP/1.1\r\nhost: h\r\n\r\n";
        let requests = format!("{first}GET /b HTTP/9\r\n\r\nGET /c HTTP/1.1\r\nhost: h\r\n\r\n");
        let expected = [first.as_bytes(), STAND_IN].concat().escape_ascii().to_string();
        for size in [1, 7, 1_000] {
            let (read, code) = handed_on(requests.as_bytes().chunks(size)).await;
            assert_eq!((read.as_str(), code), (expected.as_str(), Some("unsupported_http_version")));
        }
        let (read, _) = handed_on([&b"HEAD /b HTTP/9\r\n\r\n"[..]]).await;
        assert_eq!(read, STAND_IN_FOR_HEAD.escape_ascii().to_string());
    }

    #[tokio::test]
    async fn rejects_incomplete_head() {
        let long = "a".repeat(LIMIT);
        assert_eq!(handed_on([format!("GET /{long}").as_bytes()]).await.1, Some("uri_too_long"));
        assert_eq!(handed_on([format!("GET / HTTP/1.1\r\nx: {long}").as_bytes()]).await.1, Some("head_too_large"));
        let encoded = format!("GET /{} HTTP/1.1\r\nhost: h\r\n\r\n", "<".repeat(LIMIT / 2));
        assert_eq!(handed_on([encoded.as_bytes()]).await.1, Some("head_too_large"), "what counts is what hyper reads");
        assert_eq!(handed_on([&b"GET / HT"[..]]).await.1, Some("malformed_request"), "it broke off");
        assert_eq!(handed_on([&b""[..]]).await, (String::new(), None));
    }

    #[tokio::test]
    async fn rejects_slow_head() {
        let (mut client, server) = duplex(64);
        let patience = Duration::from_millis(20);
        let mut wire: Wire<Impatient<DuplexStream>> = Wire::new(Impatient::new(server, patience, patience), LIMIT);
        client.write_all(b"GET / HTTP/1.1\r\n").await.expect("written");
        let mut read = vec![0; STAND_IN.len()];
        wire.read_exact(&mut read).await.expect("read");
        assert_eq!((read.as_slice(), code(&wire.refused())), (STAND_IN, Some("request_timeout")));
    }

    #[tokio::test]
    async fn shutdown_waits_for_client_to_close() {
        let (mut client, server) = duplex(64);
        let mut wire = Wire::new(server, LIMIT);
        client.write_all(b"PUT / HTTP/1.1\r\nhost: h\r\ncontent-length: 9\r\n\r\n").await.expect("written");
        let mut head = [0; 46];
        wire.read_exact(&mut head).await.expect("read");
        let mut closing = tokio::spawn(async move { wire.shutdown().await });
        client.write_all(b"body").await.expect("still read");
        assert!(timeout(Duration::from_millis(20), &mut closing).await.is_err(), "it waits for the client");
        drop(client);
        closing.await.expect("no panic").expect("closed");
    }
}

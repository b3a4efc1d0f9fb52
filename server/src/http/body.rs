//! Request bodies, with a size limit, a deadline and a minimum rate. The size limit applies to what is received and to what is decoded.
//!
//! A client that sends slowly holds a connection and, during an upload, one of the upload permits. Deadline and minimum rate bound how
//! long.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures::stream::BoxStream;
use futures::{Stream, StreamExt, TryStreamExt};
use tokio::time::{Instant, timeout, timeout_at};

use super::compression::{ContentCoding, decode_chunks};
use super::problem::{Code, Problem};
use super::slots::Slot;

/// Minimum speed of a request body.
#[derive(Clone, Copy, Debug)]
pub struct MinBodyRate {
    /// Deadline for a buffered body, and period in which a streamed body must deliver `min_bytes`.
    pub timeout: Duration,
    /// Minimum number of bytes of a streamed body per `timeout`.
    pub min_bytes: u64,
}

/// Maximum number of bytes of an unused body to read and discard, so that the connection can serve the next request. Most bodies are
/// smaller, and reading them costs less than a new connection.
const MAX_DISCARDED_BYTES: u64 = 64 * 1024;

/// Maximum time to spend on an unused body. The response waits for it.
const DISCARD_TIMEOUT: Duration = Duration::from_secs(1);

/// A request body that has not been read yet.
pub struct Body {
    chunks: SharedChunks,
    content_length: Option<u64>,
    /// Coding to decode.
    coding: Option<ContentCoding>,
    min_rate: MinBodyRate,
}

impl Body {
    /// Creates a body from the chunks of a connection and the declared length.
    pub fn new<S>(chunks: S, content_length: Option<u64>, min_rate: MinBodyRate) -> Self
    where
        S: Stream<Item = Result<Bytes, warp::Error>> + Send + 'static,
    {
        Self { chunks: SharedChunks::new(chunks.boxed()), content_length, coding: None, min_rate }
    }

    /// Decodes the body when it is read.
    #[must_use]
    pub fn with_coding(self, coding: Option<ContentCoding>) -> Self {
        Self { coding, ..self }
    }

    /// Returns a handle to the part that the reader leaves unread.
    pub fn unread(&self) -> UnreadBody {
        UnreadBody { chunks: self.chunks.clone(), content_length: self.content_length }
    }

    /// Buffers the whole body, within the memory budget of `slot`.
    ///
    /// # Errors
    /// 413 if the declared, actual or decoded size exceeds `max_bytes`, 408 if the deadline passes, 400 if the connection breaks or the
    /// body can't be decoded, 503 if the memory budget is exhausted.
    pub async fn read(self, max_bytes: u64, slot: &Slot) -> Result<Bytes, Problem> {
        let deadline = Instant::now() + self.min_rate.timeout;
        let coding = self.coding;
        let mut chunks = decode(self.with_limit(max_bytes)?, coding, max_bytes);
        let (mut buffer, mut reservation) = (BytesMut::new(), None);
        let read_all = async {
            while let Some(chunk) = chunks.try_next().await? {
                slot.reserve_memory(&mut reservation, chunk.len())?;
                buffer.extend_from_slice(&chunk);
            }
            Ok::<_, Problem>(())
        };
        timeout_at(deadline, read_all).await.map_err(|_| too_slow())??;
        Ok(buffer.freeze())
    }

    /// Streams the chunks of the body. An error is the last item.
    ///
    /// # Errors
    /// 413 if the declared size exceeds `max_bytes`. Within the stream: 413 if the actual or decoded size does, 408 if the body is slower
    /// than the minimum rate, 400 if the connection breaks or the body can't be decoded.
    pub fn stream(self, max_bytes: u64) -> Result<BoxStream<'static, Result<Bytes, Problem>>, Problem> {
        let (min_rate, coding) = (self.min_rate, self.coding);
        let chunks = self.with_limit(max_bytes)?;
        let state = (chunks, Instant::now() + min_rate.timeout, 0_u64);
        let chunks = futures::stream::try_unfold(state, move |(mut chunks, mut deadline, mut received)| async move {
            let next = timeout_at(deadline, chunks.try_next()).await.map_err(|_| too_slow())??;
            let Some(chunk) = next else { return Ok(None) };
            received += chunk.len() as u64;
            if received >= min_rate.min_bytes {
                (deadline, received) = (Instant::now() + min_rate.timeout, 0);
            }
            Ok(Some((chunk, (chunks, deadline, received))))
        });
        Ok(decode(chunks.boxed(), coding, max_bytes))
    }

    /// Returns the chunks of the body, with an error as soon as they exceed `max_bytes` in total.
    fn with_limit(self, max_bytes: u64) -> Result<BoxStream<'static, Result<Bytes, Problem>>, Problem> {
        if self.content_length.is_some_and(|content_length| content_length > max_bytes) {
            return Err(too_large(max_bytes));
        }
        let chunks = self.chunks.map_err(|_| Problem::new(Code::InvalidRequest, "the body ended early"));
        Ok(limit(chunks.boxed(), max_bytes))
    }
}

/// Decodes chunks, with an error as soon as the decoded bytes exceed `max_bytes` in total.
fn decode(
    chunks: BoxStream<'static, Result<Bytes, Problem>>,
    coding: Option<ContentCoding>,
    max_bytes: u64,
) -> BoxStream<'static, Result<Bytes, Problem>> {
    match coding {
        None => chunks,
        Some(coding) => limit(decode_chunks(chunks, coding), max_bytes),
    }
}

/// Returns the chunks, with an error as soon as they exceed `max_bytes` in total.
fn limit(
    chunks: BoxStream<'static, Result<Bytes, Problem>>,
    max_bytes: u64,
) -> BoxStream<'static, Result<Bytes, Problem>> {
    let mut total = 0;
    let chunks = chunks.map(move |chunk| {
        let chunk = chunk?;
        total += chunk.len() as u64;
        if total > max_bytes { Err(too_large(max_bytes)) } else { Ok(chunk) }
    });
    chunks.boxed()
}

impl Default for Body {
    /// An empty body.
    fn default() -> Self {
        let min_rate = MinBodyRate { timeout: Duration::ZERO, min_bytes: 0 };
        let chunks = SharedChunks::new(futures::stream::empty().boxed());
        Self { chunks, content_length: Some(0), coding: None, min_rate }
    }
}

impl std::fmt::Debug for Body {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Body").field("content_length", &self.content_length).finish_non_exhaustive()
    }
}

/// Chunks of a body, shared by its reader and by [`UnreadBody`].
#[derive(Clone)]
struct SharedChunks(Arc<Mutex<ChunkSource>>);

/// Chunks that arrive from a connection.
struct ChunkSource {
    chunks: BoxStream<'static, Result<Bytes, warp::Error>>,
    received_bytes: u64,
    /// True once the last chunk has been received.
    is_finished: bool,
    /// Total time spent waiting for chunks, and the start of the current wait.
    total_wait: Duration,
    wait_started: Option<Instant>,
}

impl ChunkSource {
    fn wait_time(&self) -> Duration {
        self.total_wait + self.wait_started.map_or(Duration::ZERO, |since| since.elapsed())
    }
}

impl SharedChunks {
    fn new(chunks: BoxStream<'static, Result<Bytes, warp::Error>>) -> Self {
        let source = ChunkSource {
            chunks,
            received_bytes: 0,
            is_finished: false,
            total_wait: Duration::ZERO,
            wait_started: None,
        };
        Self(Arc::new(Mutex::new(source)))
    }

    fn lock(&self) -> MutexGuard<'_, ChunkSource> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stream for SharedChunks {
    type Item = Result<Bytes, warp::Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut source = self.lock();
        if source.is_finished {
            return Poll::Ready(None);
        }
        let Poll::Ready(chunk) = source.chunks.poll_next_unpin(cx) else {
            source.wait_started.get_or_insert_with(Instant::now);
            return Poll::Pending;
        };
        source.total_wait = source.wait_time();
        source.wait_started = None;
        match &chunk {
            Some(Ok(chunk)) => source.received_bytes += chunk.len() as u64,
            Some(Err(_)) => {}
            None => source.is_finished = true,
        }
        Poll::Ready(chunk)
    }
}

/// Unread remainder of a body.
pub struct UnreadBody {
    chunks: SharedChunks,
    content_length: Option<u64>,
}

impl UnreadBody {
    /// Reads and discards a small remainder. Returns false if more is left, so the connection can't be reused.
    ///
    /// If the client sent `Expect: 100-continue` (`expects_continue`) and the body was never requested, the client may never send it. Then
    /// the remainder isn't read.
    pub async fn try_discard(&mut self, expects_continue: bool) -> bool {
        let (received, is_finished) = {
            let source = self.chunks.lock();
            (source.received_bytes, source.is_finished)
        };
        if is_finished {
            return true;
        }
        let remaining = self.content_length.map_or(0, |content_length| content_length.saturating_sub(received));
        if remaining > MAX_DISCARDED_BYTES || expects_continue && received == 0 {
            return false;
        }
        let discard = async {
            let mut discarded = 0;
            while let Some(chunk) = self.chunks.next().await {
                let Ok(chunk) = chunk else { return false };
                discarded += chunk.len() as u64;
                if discarded > MAX_DISCARDED_BYTES {
                    return false;
                }
            }
            true
        };
        timeout(DISCARD_TIMEOUT, discard).await.unwrap_or(false)
    }

    /// Total time spent waiting for the client to send the body, by its reader and by this handle.
    pub fn wait_time(&self) -> Duration {
        self.chunks.lock().wait_time()
    }
}

fn too_large(max_bytes: u64) -> Problem {
    Problem::new(Code::BodyTooLarge, format!("the body is larger than the permitted {max_bytes} bytes"))
}

fn too_slow() -> Problem {
    Problem::new(Code::RequestTimeout, "the body arrived too slowly")
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::time::Duration;

    use bytes::Bytes;
    use futures::{Stream, StreamExt, TryStreamExt, stream};

    use super::{Body, MinBodyRate};
    use crate::http::compression::ContentCoding;
    use crate::http::problem::Code;
    use crate::http::slots::Slot;

    const MIN_RATE: MinBodyRate = MinBodyRate { timeout: Duration::from_millis(50), min_bytes: 4 };

    fn new_body(content_length: Option<u64>, chunks: impl Stream<Item = &'static str> + Send + 'static) -> Body {
        Body::new(chunks.map(|chunk| Ok(Bytes::from_static(chunk.as_bytes()))), content_length, MIN_RATE)
    }

    /// Yields a chunk every 20 ms.
    fn slow_chunks(chunk: &'static str, count: usize) -> impl Stream<Item = &'static str> + Send {
        stream::iter(0..count).then(move |_| async move {
            tokio::time::sleep(Duration::from_millis(20)).await;
            chunk
        })
    }

    #[tokio::test]
    async fn rejects_bodies_by_declared_and_actual_size() {
        let chunks = || stream::iter(["abc", "def"]);
        assert_eq!(new_body(None, chunks()).read(6, &Slot::default()).await.expect("the body fits"), "abcdef");
        assert_eq!(
            new_body(Some(7), chunks())
                .read(6, &Slot::default())
                .await
                .expect_err("the declared size is too large")
                .code(),
            Code::BodyTooLarge
        );
        assert_eq!(
            new_body(None, chunks()).read(5, &Slot::default()).await.expect_err("the actual size is too large").code(),
            Code::BodyTooLarge
        );
    }

    #[tokio::test]
    async fn limit_applies_to_decoded_body() {
        let gzip = |bytes: usize| {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.write_all(&vec![b' '; bytes]).expect("memory");
            let encoded = Bytes::from(encoder.finish().expect("memory"));
            let content_length = Some(encoded.len() as u64);
            Body::new(stream::iter([Ok(encoded)]), content_length, MIN_RATE).with_coding(Some(ContentCoding::Gzip))
        };
        assert_eq!(gzip(10_000).read(10_000, &Slot::default()).await.expect("the body fits").len(), 10_000);
        let problem = gzip(10_001).read(10_000, &Slot::default()).await.expect_err("too large");
        assert_eq!(problem.code(), Code::BodyTooLarge);
        let mut upload = gzip(50 << 20).stream(1 << 20).expect("the declared size fits");
        let mut received = 0;
        let problem = loop {
            match upload.try_next().await {
                Ok(chunk) => received += chunk.expect("an error before the end").len(),
                Err(problem) => break problem,
            }
        };
        assert_eq!(problem.code(), Code::BodyTooLarge);
        assert!(received <= 1 << 20, "{received}");
    }

    #[tokio::test]
    async fn enforces_deadline_and_minimum_rate() {
        assert_eq!(
            new_body(None, slow_chunks("abcd", 6)).read(99, &Slot::default()).await.expect_err("too slow").code(),
            Code::RequestTimeout
        );
        let fast = new_body(None, slow_chunks("abcd", 6)).stream(99).expect("a stream");
        assert_eq!(fast.try_collect::<Vec<_>>().await.expect("in time").len(), 6);
        let slow = new_body(None, slow_chunks("a", 6)).stream(99).expect("a stream");
        assert_eq!(slow.try_collect::<Vec<_>>().await.expect_err("too slow").code(), Code::RequestTimeout);
    }

    #[tokio::test(start_paused = true)]
    async fn measures_time_waiting_for_client() {
        let read_and_measure = async |body: Body| {
            let unread = body.unread();
            let is_read = body.read(99, &Slot::default()).await.is_ok();
            // Time spent outside the body doesn't count.
            tokio::time::sleep(Duration::from_secs(1)).await;
            (is_read, unread.wait_time().as_millis())
        };
        assert_eq!(read_and_measure(new_body(None, stream::iter(["abc"]))).await, (true, 0));
        assert_eq!(read_and_measure(new_body(None, slow_chunks("a", 2))).await, (true, 40));
    }

    #[tokio::test(start_paused = true)]
    async fn discards_small_remainder_only() {
        const LARGE: &str = match std::str::from_utf8(&[b' '; 40_000]) {
            Ok(text) => text,
            Err(_) => "",
        };
        let is_discarded = async |content_length, chunks: Vec<&'static str>| {
            new_body(content_length, stream::iter(chunks)).unread().try_discard(false).await
        };
        assert!(is_discarded(None, vec![]).await);
        assert!(is_discarded(Some(40_000), vec![LARGE]).await);
        assert!(is_discarded(None, vec![LARGE, "abc"]).await);
        assert!(!is_discarded(None, vec![LARGE, LARGE]).await, "the body is too large");
        assert!(!is_discarded(Some(80_000), vec!["abc"]).await, "the declared length is too large");
        assert!(!new_body(None, slow_chunks("abcd", 60)).unread().try_discard(false).await, "too slow");
        assert!(
            !new_body(Some(3), stream::iter(["abc"])).unread().try_discard(true).await,
            "the client was never sent 100 Continue"
        );

        let read_body = new_body(Some(80_000), stream::iter([LARGE, LARGE]));
        let mut rest = read_body.unread();
        read_body.read(80_000, &Slot::default()).await.expect("the whole body");
        assert!(rest.try_discard(true).await, "the body is complete");
        let oversized_body = new_body(None, stream::iter([LARGE, LARGE]));
        let mut rest = oversized_body.unread();
        oversized_body.read(10, &Slot::default()).await.expect_err("too large");
        assert!(rest.try_discard(false).await, "the rest is small");
    }
}

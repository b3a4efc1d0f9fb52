//! Request bodies, with a size limit, a deadline and a minimum rate.
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

use super::problem::{Code, Refusal};
use super::slots::Slot;

/// Minimum speed of a request body.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Deadline for a body that is buffered, and maximum time between chunks of one that is streamed.
    pub patience: Duration,
    /// Minimum number of bytes that a streamed body must deliver in each `patience`.
    pub bytes: u64,
}

/// Maximum number of bytes of an unused body to read and discard, so that the connection can serve the next request. Most bodies are
/// smaller, and reading them costs less than a new connection.
const MOST_UNWANTED: u64 = 64 * 1024;

/// Maximum time to spend on an unused body. The response waits for it.
const UNWANTED_PATIENCE: Duration = Duration::from_secs(1);

/// A request body that has not been read yet.
pub struct Body {
    chunks: Chunks,
    declared: Option<u64>,
    pace: Pace,
}

impl Body {
    /// Creates a body from the chunks of a connection and the declared length.
    pub fn new<S>(chunks: S, declared: Option<u64>, pace: Pace) -> Self
    where
        S: Stream<Item = Result<Bytes, warp::Error>> + Send + 'static,
    {
        Self { chunks: Chunks::new(chunks.boxed()), declared, pace }
    }

    /// Returns a handle to whatever the reader leaves unread.
    pub fn rest(&self) -> Rest {
        Rest { chunks: self.chunks.clone(), declared: self.declared }
    }

    /// Length declared by the client, in bytes.
    pub fn declared_length(&self) -> Option<u64> {
        self.declared
    }

    /// Buffers the whole body, within the memory budget of `slot`.
    ///
    /// # Errors
    /// 413 if the declared or actual size exceeds `max_bytes`, 408 if the deadline passes, 400 if the connection breaks, 503 if the memory
    /// budget is exhausted.
    pub async fn read(self, max_bytes: u64, slot: &Slot) -> Result<Bytes, Refusal> {
        let deadline = Instant::now() + self.pace.patience;
        let mut chunks = self.limited(max_bytes)?;
        let (mut whole, mut room) = (BytesMut::new(), None);
        let reading = async {
            while let Some(chunk) = chunks.try_next().await? {
                slot.widen(&mut room, chunk.len())?;
                whole.extend_from_slice(&chunk);
            }
            Ok::<_, Refusal>(())
        };
        timeout_at(deadline, reading).await.map_err(|_| too_slow())??;
        Ok(whole.freeze())
    }

    /// Streams the chunks of the body. An error is the last item.
    ///
    /// # Errors
    /// 413 if the declared size exceeds `max_bytes`. Within the stream: 413 if the actual size does, 408 if the body is slower than the
    /// minimum rate, 400 if the connection breaks.
    pub fn stream(self, max_bytes: u64) -> Result<BoxStream<'static, Result<Bytes, Refusal>>, Refusal> {
        let pace = self.pace;
        let chunks = self.limited(max_bytes)?;
        let state = (chunks, Instant::now() + pace.patience, 0_u64);
        Ok(futures::stream::try_unfold(state, move |(mut chunks, mut deadline, mut brought)| async move {
            let next = timeout_at(deadline, chunks.try_next()).await.map_err(|_| too_slow())??;
            let Some(chunk) = next else { return Ok(None) };
            brought += chunk.len() as u64;
            if brought >= pace.bytes {
                (deadline, brought) = (Instant::now() + pace.patience, 0);
            }
            Ok(Some((chunk, (chunks, deadline, brought))))
        })
        .boxed())
    }

    /// The chunks of the body, with an error as soon as they exceed `max_bytes` in total.
    fn limited(self, max_bytes: u64) -> Result<BoxStream<'static, Result<Bytes, Refusal>>, Refusal> {
        if self.declared.is_some_and(|declared| declared > max_bytes) {
            return Err(too_large(max_bytes));
        }
        let mut total = 0;
        let chunks = self.chunks.map(move |chunk| {
            let chunk = chunk.map_err(|_| Refusal::new(Code::InvalidRequest, "the body ended early"))?;
            total += chunk.len() as u64;
            if total > max_bytes { Err(too_large(max_bytes)) } else { Ok(chunk) }
        });
        Ok(chunks.boxed())
    }
}

impl Default for Body {
    /// An empty body.
    fn default() -> Self {
        let pace = Pace { patience: Duration::ZERO, bytes: 0 };
        Self { chunks: Chunks::new(futures::stream::empty().boxed()), declared: Some(0), pace }
    }
}

impl std::fmt::Debug for Body {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Body").field("declared", &self.declared).finish_non_exhaustive()
    }
}

/// Chunks of a body, shared by its reader and by [`Rest`].
#[derive(Clone)]
struct Chunks(Arc<Mutex<Coming>>);

/// Chunks that arrive from a connection.
struct Coming {
    chunks: BoxStream<'static, Result<Bytes, warp::Error>>,
    /// Number of bytes received.
    brought: u64,
    /// True once the last chunk has been received.
    is_over: bool,
    /// Total time spent waiting for chunks, and the start of the current wait.
    waited: Duration,
    waits_since: Option<Instant>,
}

impl Coming {
    fn waited(&self) -> Duration {
        self.waited + self.waits_since.map_or(Duration::ZERO, |since| since.elapsed())
    }
}

impl Chunks {
    fn new(chunks: BoxStream<'static, Result<Bytes, warp::Error>>) -> Self {
        let coming = Coming { chunks, brought: 0, is_over: false, waited: Duration::ZERO, waits_since: None };
        Self(Arc::new(Mutex::new(coming)))
    }

    fn coming(&self) -> MutexGuard<'_, Coming> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stream for Chunks {
    type Item = Result<Bytes, warp::Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut coming = self.coming();
        if coming.is_over {
            return Poll::Ready(None);
        }
        let Poll::Ready(chunk) = coming.chunks.poll_next_unpin(cx) else {
            coming.waits_since.get_or_insert_with(Instant::now);
            return Poll::Pending;
        };
        coming.waited = coming.waited();
        coming.waits_since = None;
        match &chunk {
            Some(Ok(chunk)) => coming.brought += chunk.len() as u64,
            Some(Err(_)) => {}
            None => coming.is_over = true,
        }
        Poll::Ready(chunk)
    }
}

/// Unread remainder of a body.
pub struct Rest {
    chunks: Chunks,
    declared: Option<u64>,
}

impl Rest {
    /// Reads and discards a small remainder. Returns false if more is left, so the connection can't be reused.
    ///
    /// If the client sent `Expect: 100-continue` (`is_expected`) and the body was never requested, the client may never send it. Then the
    /// remainder isn't read.
    pub async fn is_read_to_its_end(&mut self, is_expected: bool) -> bool {
        let (brought, is_over) = {
            let coming = self.chunks.coming();
            (coming.brought, coming.is_over)
        };
        if is_over {
            return true;
        }
        let left = self.declared.map_or(0, |declared| declared.saturating_sub(brought));
        if left > MOST_UNWANTED || is_expected && brought == 0 {
            return false;
        }
        let reading = async {
            let mut read = 0;
            while let Some(chunk) = self.chunks.next().await {
                let Ok(chunk) = chunk else { return false };
                read += chunk.len() as u64;
                if read > MOST_UNWANTED {
                    return false;
                }
            }
            true
        };
        timeout(UNWANTED_PATIENCE, reading).await.unwrap_or(false)
    }

    /// Total time spent waiting for the client to send the body, by its reader and by this handle.
    pub fn waited(&self) -> Duration {
        self.chunks.coming().waited()
    }
}

fn too_large(max_bytes: u64) -> Refusal {
    Refusal::new(Code::BodyTooLarge, format!("the body is larger than the permitted {max_bytes} bytes"))
}

fn too_slow() -> Refusal {
    Refusal::new(Code::RequestTimeout, "the body arrived too slowly")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bytes::Bytes;
    use futures::{Stream, StreamExt, TryStreamExt, stream};

    use super::{Body, Pace};
    use crate::http::problem::Code;
    use crate::http::slots::Slot;

    const PACE: Pace = Pace { patience: Duration::from_millis(50), bytes: 4 };

    fn body(declared: Option<u64>, chunks: impl Stream<Item = &'static str> + Send + 'static) -> Body {
        Body::new(chunks.map(|chunk| Ok(Bytes::from_static(chunk.as_bytes()))), declared, PACE)
    }

    /// Yields a chunk every 20 ms.
    fn dripping(chunk: &'static str, count: usize) -> impl Stream<Item = &'static str> + Send {
        stream::iter(0..count).then(move |_| async move {
            tokio::time::sleep(Duration::from_millis(20)).await;
            chunk
        })
    }

    #[tokio::test]
    async fn rejects_bodies_by_declared_and_actual_size() {
        let chunks = || stream::iter(["abc", "def"]);
        assert_eq!(body(None, chunks()).read(6, &Slot::default()).await.expect("fits"), "abcdef");
        assert_eq!(
            body(Some(7), chunks()).read(6, &Slot::default()).await.expect_err("declared").code(),
            Code::BodyTooLarge
        );
        assert_eq!(body(None, chunks()).read(5, &Slot::default()).await.expect_err("real").code(), Code::BodyTooLarge);
    }

    #[tokio::test]
    async fn enforces_deadline_and_minimum_rate() {
        assert_eq!(
            body(None, dripping("abcd", 6)).read(99, &Slot::default()).await.expect_err("late").code(),
            Code::RequestTimeout
        );
        let fast = body(None, dripping("abcd", 6)).stream(99).expect("a stream");
        assert_eq!(fast.try_collect::<Vec<_>>().await.expect("in time").len(), 6);
        let slow = body(None, dripping("a", 6)).stream(99).expect("a stream");
        assert_eq!(slow.try_collect::<Vec<_>>().await.expect_err("late").code(), Code::RequestTimeout);
    }

    #[tokio::test(start_paused = true)]
    async fn measures_time_waiting_for_client() {
        let waited = async |body: Body| {
            let rest = body.rest();
            let read = body.read(99, &Slot::default()).await.is_ok();
            // Time spent outside the body doesn't count.
            tokio::time::sleep(Duration::from_secs(1)).await;
            (read, rest.waited().as_millis())
        };
        assert_eq!(waited(body(None, stream::iter(["abc"]))).await, (true, 0));
        assert_eq!(waited(body(None, dripping("a", 2))).await, (true, 40));
    }

    #[tokio::test(start_paused = true)]
    async fn discards_small_remainder_only() {
        const LARGE: &str = match std::str::from_utf8(&[b' '; 40_000]) {
            Ok(text) => text,
            Err(_) => "",
        };
        let rest = async |declared, chunks: Vec<&'static str>| {
            body(declared, stream::iter(chunks)).rest().is_read_to_its_end(false).await
        };
        assert!(rest(None, vec![]).await);
        assert!(rest(Some(40_000), vec![LARGE]).await);
        assert!(rest(None, vec![LARGE, "abc"]).await);
        assert!(!rest(None, vec![LARGE, LARGE]).await, "too much came");
        assert!(!rest(Some(80_000), vec!["abc"]).await, "too much was announced");
        assert!(!body(None, dripping("abcd", 60)).rest().is_read_to_its_end(false).await, "too slow");
        assert!(!body(Some(3), stream::iter(["abc"])).rest().is_read_to_its_end(true).await, "never asked for");

        let whole = body(Some(80_000), stream::iter([LARGE, LARGE]));
        let mut rest = whole.rest();
        whole.read(80_000, &Slot::default()).await.expect("all of it");
        assert!(rest.is_read_to_its_end(true).await, "nothing is left");
        let large = body(None, stream::iter([LARGE, LARGE]));
        let mut rest = large.rest();
        large.read(10, &Slot::default()).await.expect_err("too large");
        assert!(rest.is_read_to_its_end(false).await, "the rest is small");
    }
}

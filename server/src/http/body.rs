//! The body of a request: read under a limit of size, a deadline, and a least rate.
//!
//! A client that sends slowly holds a connection and a place among the running requests; both limits bound for how long.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures::stream::BoxStream;
use futures::{Stream, StreamExt, TryStreamExt};
use tokio::time::{Instant, timeout_at};

use super::problem::{Code, Refusal};

/// How slowly a body may come.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Time for a body that is read whole, and longest silence in one that is streamed.
    pub patience: Duration,
    /// A streamed body must bring at least so many bytes in each `patience`.
    pub bytes: u64,
}

/// A body, unread.
pub struct Body {
    chunks: BoxStream<'static, Result<Bytes, warp::Error>>,
    declared: Option<u64>,
    pace: Pace,
}

impl Body {
    /// A body whose chunks come from a connection, with its declared length.
    pub fn new<S>(chunks: S, declared: Option<u64>, pace: Pace) -> Self
    where
        S: Stream<Item = Result<Bytes, warp::Error>> + Send + 'static,
    {
        Self { chunks: chunks.boxed(), declared, pace }
    }

    /// The length that the client declared, in bytes.
    pub fn declared_length(&self) -> Option<u64> {
        self.declared
    }

    /// Reads all of it.
    ///
    /// # Errors
    /// 413 when it is or says it is larger than `max_bytes`, 408 when it takes longer than the deadline, 400 when the
    /// connection breaks.
    pub async fn read(self, max_bytes: u64) -> Result<Bytes, Refusal> {
        let deadline = Instant::now() + self.pace.patience;
        let mut chunks = self.limited(max_bytes)?;
        let mut whole = BytesMut::new();
        let reading = async {
            while let Some(chunk) = chunks.try_next().await? {
                whole.extend_from_slice(&chunk);
            }
            Ok::<_, Refusal>(())
        };
        timeout_at(deadline, reading).await.map_err(|_| too_slow())??;
        Ok(whole.freeze())
    }

    /// Its chunks as they come, each refusal at most once and last.
    ///
    /// # Errors
    /// 413 at once when it says it is larger than `max_bytes`. Within the stream: 413 when it is, 408 when it brings
    /// less than the least rate, 400 when the connection breaks.
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

    /// Its chunks, refused as soon as they are more than `max_bytes` in all.
    fn limited(self, max_bytes: u64) -> Result<BoxStream<'static, Result<Bytes, Refusal>>, Refusal> {
        if self.declared.is_some_and(|declared| declared > max_bytes) {
            return Err(too_large(max_bytes));
        }
        let mut total = 0;
        let chunks = self.chunks.map(move |chunk| {
            let chunk = chunk.map_err(|_| Refusal::new(Code::InvalidRequest, "the body broke off before its end"))?;
            total += chunk.len() as u64;
            if total > max_bytes { Err(too_large(max_bytes)) } else { Ok(chunk) }
        });
        Ok(chunks.boxed())
    }
}

impl Default for Body {
    /// No body.
    fn default() -> Self {
        let pace = Pace { patience: Duration::ZERO, bytes: 0 };
        Self { chunks: futures::stream::empty().boxed(), declared: Some(0), pace }
    }
}

impl std::fmt::Debug for Body {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Body").field("declared", &self.declared).finish_non_exhaustive()
    }
}

fn too_large(max_bytes: u64) -> Refusal {
    Refusal::new(Code::BodyTooLarge, format!("the body is larger than the permitted {max_bytes} bytes"))
}

fn too_slow() -> Refusal {
    Refusal::new(Code::RequestTimeout, "the body came too slowly")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bytes::Bytes;
    use futures::{Stream, StreamExt, TryStreamExt, stream};

    use super::{Body, Pace};
    use crate::http::problem::Code;

    const PACE: Pace = Pace { patience: Duration::from_millis(50), bytes: 4 };

    fn body(declared: Option<u64>, chunks: impl Stream<Item = &'static str> + Send + 'static) -> Body {
        Body::new(chunks.map(|chunk| Ok(Bytes::from_static(chunk.as_bytes()))), declared, PACE)
    }

    /// A chunk every 20 ms.
    fn dripping(chunk: &'static str, count: usize) -> impl Stream<Item = &'static str> + Send {
        stream::iter(0..count).then(move |_| async move {
            tokio::time::sleep(Duration::from_millis(20)).await;
            chunk
        })
    }

    #[tokio::test]
    async fn a_body_is_refused_by_its_declared_and_by_its_real_size() {
        let chunks = || stream::iter(["abc", "def"]);
        assert_eq!(body(None, chunks()).read(6).await.expect("fits"), "abcdef");
        assert_eq!(body(Some(7), chunks()).read(6).await.expect_err("declared").code(), Code::BodyTooLarge);
        assert_eq!(body(None, chunks()).read(5).await.expect_err("real").code(), Code::BodyTooLarge);
    }

    #[tokio::test]
    async fn a_body_read_whole_has_a_deadline_and_a_streamed_one_a_least_rate() {
        assert_eq!(body(None, dripping("abcd", 6)).read(99).await.expect_err("late").code(), Code::RequestTimeout);
        let fast = body(None, dripping("abcd", 6)).stream(99).expect("a stream");
        assert_eq!(fast.try_collect::<Vec<_>>().await.expect("in time").len(), 6);
        let slow = body(None, dripping("a", 6)).stream(99).expect("a stream");
        assert_eq!(slow.try_collect::<Vec<_>>().await.expect_err("late").code(), Code::RequestTimeout);
    }
}

//! Memory budget for responses that clients have not read yet.
//!
//! The server produces responses faster than slow clients read them, and there may be thousands of connections. A large response therefore
//! reserves memory before it is sent and releases it when its last byte has left the process. If none is free, the request keeps its slot,
//! waits briefly and is then refused. Small responses reserve nothing: the limit on connections also limits their memory.
//!
//! One client can't hold the memory against others: while a response waits for memory, connections whose clients have stopped reading are
//! closed.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures::stream::{self, StreamExt};
use futures::{FutureExt, TryStreamExt};
use http::header;
use http_body_util::BodyExt;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;
use warp::Reply;

use super::problem::Problem;
use super::reply::Response;
use crate::telemetry::metrics::{self, GaugeGuard};

/// Responses of at most this many bytes reserve nothing: even on all connections together they need little memory.
const MAX_UNRESERVED_BYTES: usize = 16 * 1024;

/// Bytes per permit: a semaphore hands out at most 2³² permits at a time.
const BYTES_PER_PERMIT: usize = 1024;

/// Maximum wait for memory. A client on a good connection reads a large page in less.
const RESERVE_TIMEOUT: Duration = Duration::from_secs(1);

/// Chunk size of large responses, in bytes. Each chunk that leaves shows that the reader is alive.
const CHUNK_BYTES: usize = 128 * 1024;

/// A reader that takes no chunk for this long (less than 40 kB a second) may be disconnected if others wait for memory.
const STALL_TIMEOUT: Duration = Duration::from_secs(3);

/// Memory that a response holds until its client has read it, in bytes. Stored in the response's extensions.
#[derive(Clone, Copy, Debug)]
pub struct MemoryBytes(pub usize);

/// The shared memory budget for responses.
#[derive(Debug)]
pub struct ResponseBudget {
    semaphore: Arc<Semaphore>,
    /// The whole budget in permits. A larger response waits for all of it.
    total_permits: u32,
    /// Permits to wait for memory.
    waiting_permits: Semaphore,
    readers: Arc<ActiveReaders>,
}

impl ResponseBudget {
    /// Creates a budget of `bytes`. At most half of the `slots` may wait for memory; the rest stay free for small responses.
    pub fn new(bytes: u64, slots: usize) -> Self {
        let total_permits = u32::try_from(bytes / BYTES_PER_PERMIT as u64).unwrap_or(u32::MAX).max(1);
        let semaphore = Arc::new(Semaphore::new((total_permits as usize).min(Semaphore::MAX_PERMITS)));
        Self { semaphore, total_permits, waiting_permits: Semaphore::new((slots / 2).max(1)), readers: Arc::default() }
    }

    /// Reserves the memory that a response needs, until its client has read it or disconnects. Cancelling
    /// `disconnect_token` disconnects the client.
    ///
    /// # Errors
    /// 503 if no memory becomes free in time.
    pub async fn reserve(
        &self,
        mut response: Response,
        disconnect_token: CancellationToken,
    ) -> Result<Response, Problem> {
        match response.extensions_mut().remove() {
            Some(MemoryBytes(bytes)) if bytes > MAX_UNRESERVED_BYTES => {
                let permits =
                    u32::try_from(bytes.div_ceil(BYTES_PER_PERMIT)).unwrap_or(u32::MAX).min(self.total_permits);
                let permit = self.acquire(permits).await?;
                let reader = Reader { permits, disconnect_token, last_progress: Instant::now() };
                let (readers, reader_id) = (self.readers.clone(), self.readers.register(reader));
                Ok(with_reservation(
                    response,
                    Arc::new(Reservation {
                        readers,
                        reader_id,
                        _permit: permit,
                        _metric: metrics::count_response_bytes(bytes),
                    }),
                ))
            }
            _ => Ok(response),
        }
    }

    async fn acquire(&self, permits: u32) -> Result<OwnedSemaphorePermit, Problem> {
        if let Ok(permit) = self.semaphore.clone().try_acquire_many_owned(permits) {
            return Ok(permit);
        }
        let _waiting_permit = self.waiting_permits.try_acquire().map_err(|_| budget_exhausted())?;
        self.readers.disconnect_stalled(permits);
        let permit = timeout(RESERVE_TIMEOUT, self.semaphore.clone().acquire_many_owned(permits))
            .await
            .map_err(|_| budget_exhausted())?;
        Ok(permit.expect("the semaphore is never closed"))
    }
}

fn budget_exhausted() -> Problem {
    metrics::count_rejected_request();
    Problem::overloaded("server is overloaded with large responses; retry later")
}

/// Clients that are reading a response with reserved memory.
#[derive(Debug, Default)]
struct ActiveReaders {
    next_id: AtomicU64,
    readers: Mutex<HashMap<u64, Reader>>,
}

#[derive(Debug)]
struct Reader {
    permits: u32,
    disconnect_token: CancellationToken,
    /// Time at which the client last read a chunk.
    last_progress: Instant,
}

impl ActiveReaders {
    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Reader>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn register(&self, reader: Reader) -> u64 {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        self.lock().insert(id, reader);
        id
    }

    /// Records that the client has read a chunk.
    fn record_progress(&self, id: u64) {
        if let Some(reader) = self.lock().get_mut(&id) {
            reader.last_progress = Instant::now();
        }
    }

    /// Disconnects the clients that have stalled longest, until enough permits are free.
    fn disconnect_stalled(&self, mut permits: u32) {
        let mut readers = self.lock();
        let mut stalled: Vec<_> =
            readers.iter().filter(|(_, reader)| reader.last_progress.elapsed() >= STALL_TIMEOUT).collect();
        stalled.sort_by_key(|(_, reader)| reader.last_progress);
        let mut disconnected = Vec::new();
        for (id, reader) in stalled {
            if permits == 0 {
                break;
            }
            permits = permits.saturating_sub(reader.permits);
            reader.disconnect_token.cancel();
            disconnected.push(*id);
        }
        for id in disconnected {
            readers.remove(&id);
        }
    }
}

/// Memory reserved for one response.
struct Reservation {
    readers: Arc<ActiveReaders>,
    reader_id: u64,
    _permit: OwnedSemaphorePermit,
    _metric: GaugeGuard,
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.readers.lock().remove(&self.reader_id);
    }
}

/// A chunk of a response that holds its reservation until it is written.
struct ReservedChunk {
    bytes: Bytes,
    reservation: Arc<Reservation>,
}

impl AsRef<[u8]> for ReservedChunk {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for ReservedChunk {
    fn drop(&mut self) {
        self.reservation.readers.record_progress(self.reservation.reader_id);
    }
}

/// Splits a response into chunks that release its memory with the last byte.
fn with_reservation(response: Response, reservation: Arc<Reservation>) -> Response {
    let (mut parts, body) = response.into_parts();
    let length = hyper::body::Body::size_hint(&body).exact();
    let to_chunk = move |bytes| Bytes::from_owner(ReservedChunk { bytes, reservation: reservation.clone() });
    let Some(length) = length else {
        let body = warp::reply::stream(body.into_data_stream().map_ok(to_chunk)).into_response().into_body();
        return Response::from_parts(parts, body);
    };
    // A body that is complete is collected without waiting and without a copy.
    let content =
        body.collect().now_or_never().and_then(Result::ok).map(|content| content.to_bytes()).unwrap_or_default();
    parts.headers.entry(header::CONTENT_LENGTH).or_insert(length.into());
    let chunks = stream::iter((0..content.len()).step_by(CHUNK_BYTES)).map(move |start| {
        let end = content.len().min(start + CHUNK_BYTES);
        Ok::<_, std::convert::Infallible>(to_chunk(content.slice(start..end)))
    });
    Response::from_parts(parts, warp::reply::stream(chunks).into_response().into_body())
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::time::Duration;

    use bytes::Bytes;
    use futures::{StreamExt, stream};
    use http::HeaderValue;
    use http_body_util::BodyExt;
    use tokio::time::{Instant, sleep};
    use tokio_util::sync::CancellationToken;

    use super::{CHUNK_BYTES, MAX_UNRESERVED_BYTES, RESERVE_TIMEOUT, ResponseBudget, STALL_TIMEOUT};
    use crate::http::problem::Problem;
    use crate::http::reply::{self, Response};

    const LARGE_BYTES: usize = 3 * CHUNK_BYTES / 2;

    /// A budget for one large response.
    fn new_budget() -> ResponseBudget {
        ResponseBudget::new(2 * LARGE_BYTES as u64 - 1, 4)
    }

    fn large_response() -> Response {
        reply::bytes("text/plain", vec![b'x'; LARGE_BYTES])
    }

    async fn reserve(budget: &ResponseBudget, response: Response) -> Result<Response, Problem> {
        budget.reserve(response, CancellationToken::new()).await
    }

    async fn next_chunk(response: &mut Response) -> Option<Bytes> {
        Some(response.body_mut().frame().await?.expect("no error").into_data().expect("data"))
    }

    #[tokio::test(start_paused = true)]
    async fn memory_is_held_until_last_byte_is_sent() {
        let budget = new_budget();
        let first = reserve(&budget, large_response()).await.expect("enough memory");
        assert_eq!(first.headers()["content-length"], LARGE_BYTES.to_string());
        let body = first.into_body().collect().await.expect("a body");
        let started = Instant::now();
        reserve(&budget, large_response()).await.expect_err("the bytes outlive the body");
        assert_eq!(started.elapsed(), RESERVE_TIMEOUT);
        let bytes = body.to_bytes();
        assert_eq!(bytes.len(), LARGE_BYTES);
        reserve(&budget, large_response()).await.expect("the memory was released");
    }

    #[tokio::test(start_paused = true)]
    async fn waiting_response_gets_released_memory() {
        let budget = new_budget();
        let first = reserve(&budget, large_response()).await.expect("enough memory");
        let (second, ()) = tokio::join!(reserve(&budget, large_response()), async {
            sleep(RESERVE_TIMEOUT / 2).await;
            drop(first);
        });
        second.expect("in time");
    }

    #[tokio::test(start_paused = true)]
    async fn stalled_readers_are_disconnected_under_pressure() {
        let budget = ResponseBudget::new(5 * LARGE_BYTES as u64 / 2, 4);
        let tokens = [CancellationToken::new(), CancellationToken::new()];
        let _stalled = budget.reserve(large_response(), tokens[0].clone()).await.expect("enough memory");
        let mut slow = budget.reserve(large_response(), tokens[1].clone()).await.expect("enough memory");
        sleep(STALL_TIMEOUT).await;
        assert!(!tokens[0].is_cancelled(), "no request is waiting for memory");
        next_chunk(&mut slow).await.expect("a piece");
        reserve(&budget, large_response()).await.expect_err("the test keeps the memory of disconnected responses");
        assert_eq!(tokens.map(|token| token.is_cancelled()), [true, false]);
    }

    #[tokio::test(start_paused = true)]
    async fn at_most_half_of_the_slots_wait_for_memory() {
        let budget = new_budget();
        let _first = reserve(&budget, large_response()).await.expect("enough memory");
        let started = Instant::now();
        let elapsed = stream::iter(0..3).map(|_| async {
            reserve(&budget, large_response()).await.expect_err("no memory");
            started.elapsed()
        });
        let elapsed = elapsed.buffer_unordered(3).collect::<Vec<_>>().await;
        assert_eq!(elapsed, [Duration::ZERO, RESERVE_TIMEOUT, RESERVE_TIMEOUT]);
    }

    #[tokio::test(start_paused = true)]
    async fn small_and_shared_bodies_need_no_memory() {
        let budget = ResponseBudget::new(10 * 1024, 4);
        let _largest = reserve(&budget, large_response()).await.expect("a response that exceeds the budget, alone");
        reserve(&budget, large_response()).await.expect_err("no memory left");
        reserve(&budget, reply::bytes("text/plain", vec![b'x'; MAX_UNRESERVED_BYTES])).await.expect("a small response");
        reserve(&budget, reply::shared("text/plain", vec![b'x'; LARGE_BYTES].into())).await.expect("shared");
    }

    #[tokio::test(start_paused = true)]
    async fn stream_holds_memory_while_open() {
        let budget = new_budget();
        let start_stream = || {
            let chunks = stream::repeat_with(|| Ok::<_, Infallible>(Bytes::from_static(b"line\n")));
            reserve(&budget, reply::stream(HeaderValue::from_static("text/csv"), LARGE_BYTES, chunks))
        };
        let mut first = start_stream().await.expect("enough memory");
        assert_eq!(next_chunk(&mut first).await.expect("a chunk"), "line\n");
        start_stream().await.expect_err("no memory left");
        drop(first);
        start_stream().await.expect("the memory was released");
    }
}

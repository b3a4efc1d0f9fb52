//! Memory budget for responses that clients have not read yet.
//!
//! The server produces a response faster than a slow client reads it, over any of some thousand connections. A large response therefore
//! reserves memory before it is sent and releases it when its last byte has left the process. If none is free, the request keeps its slot,
//! waits briefly and is then refused. Small responses reserve nothing: the number of connections bounds them.
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

use super::problem::Refusal;
use super::reply::Response;
use crate::telemetry::metrics::{self, Lasting};

/// Responses of at most this many bytes reserve nothing: even on all connections together they need little memory.
const SMALL: usize = 16 * 1024;

/// Bytes per permit: a semaphore hands out at most 2³² permits at a time.
const UNIT: usize = 1024;

/// Maximum wait for memory. A client on a good connection reads a large page in less.
const PATIENCE: Duration = Duration::from_secs(1);

/// Chunk size of large responses, in bytes. Each chunk that leaves shows that the reader is alive.
const PIECE: usize = 128 * 1024;

/// A reader that takes no chunk for this long (less than 40 kB a second) may be disconnected if others wait for memory.
const STALLED: Duration = Duration::from_secs(3);

/// Memory that a response holds until its client has read it, in bytes. Stored in the response's extensions.
#[derive(Clone, Copy, Debug)]
pub struct Weight(pub usize);

/// The shared memory budget for responses.
#[derive(Debug)]
pub struct Answers {
    room: Arc<Semaphore>,
    /// The whole budget in permits. A larger response waits for all of it.
    most: u32,
    /// Permits to wait for memory.
    waiting: Semaphore,
    readers: Arc<Readers>,
}

impl Answers {
    /// Creates a budget of `bytes`. At most half of the `slots` may wait for memory; the rest stay free for small responses.
    pub fn new(bytes: u64, slots: usize) -> Self {
        let most = u32::try_from(bytes / UNIT as u64).unwrap_or(u32::MAX).max(1);
        let room = Arc::new(Semaphore::new((most as usize).min(Semaphore::MAX_PERMITS)));
        Self { room, most, waiting: Semaphore::new((slots / 2).max(1)), readers: Arc::default() }
    }

    /// Reserves the memory that a response needs, until its client has read it or disconnects. Cancelling `cut` disconnects it.
    ///
    /// # Errors
    /// 503 if no memory becomes free in time.
    pub async fn make_room(&self, mut answer: Response, cut: CancellationToken) -> Result<Response, Refusal> {
        match answer.extensions_mut().remove() {
            Some(Weight(bytes)) if bytes > SMALL => {
                let permits = u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX).min(self.most);
                let permit = self.room_for(permits).await?;
                let reader = Reader { permits, cut, alive: Instant::now() };
                let (readers, number) = (self.readers.clone(), self.readers.enter(reader));
                Ok(kept(answer, Arc::new(Room { readers, number, _permit: permit, _counted: metrics::answer(bytes) })))
            }
            _ => Ok(answer),
        }
    }

    async fn room_for(&self, permits: u32) -> Result<OwnedSemaphorePermit, Refusal> {
        if let Ok(room) = self.room.clone().try_acquire_many_owned(permits) {
            return Ok(room);
        }
        let _waits = self.waiting.try_acquire().map_err(|_| none())?;
        self.readers.cut_stalled(permits);
        let room = timeout(PATIENCE, self.room.clone().acquire_many_owned(permits)).await.map_err(|_| none())?;
        Ok(room.expect("the semaphore is never closed"))
    }
}

fn none() -> Refusal {
    metrics::shed();
    Refusal::overloaded("server is overloaded with large responses; retry later")
}

/// Clients that are reading a response with reserved memory.
#[derive(Debug, Default)]
struct Readers {
    next: AtomicU64,
    known: Mutex<HashMap<u64, Reader>>,
}

#[derive(Debug)]
struct Reader {
    permits: u32,
    cut: CancellationToken,
    /// Time at which the client last read a chunk.
    alive: Instant,
}

impl Readers {
    fn known(&self) -> MutexGuard<'_, HashMap<u64, Reader>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self, reader: Reader) -> u64 {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.known().insert(number, reader);
        number
    }

    /// Records that the client has read a chunk.
    fn is_alive(&self, number: u64) {
        if let Some(reader) = self.known().get_mut(&number) {
            reader.alive = Instant::now();
        }
    }

    /// Disconnects the clients that have stalled longest, until enough permits are free.
    fn cut_stalled(&self, mut permits: u32) {
        let mut known = self.known();
        let mut stalled: Vec<_> = known.iter().filter(|(_, reader)| reader.alive.elapsed() >= STALLED).collect();
        stalled.sort_by_key(|(_, reader)| reader.alive);
        let mut gone = Vec::new();
        for (number, reader) in stalled {
            if permits == 0 {
                break;
            }
            permits = permits.saturating_sub(reader.permits);
            reader.cut.cancel();
            gone.push(*number);
        }
        for number in gone {
            known.remove(&number);
        }
    }
}

/// Memory reserved for one response.
struct Room {
    readers: Arc<Readers>,
    number: u64,
    _permit: OwnedSemaphorePermit,
    _counted: Lasting,
}

impl Drop for Room {
    fn drop(&mut self) {
        self.readers.known().remove(&self.number);
    }
}

/// A chunk of a response that holds its reservation until it is written.
struct Kept {
    bytes: Bytes,
    room: Arc<Room>,
}

impl AsRef<[u8]> for Kept {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.room.readers.is_alive(self.room.number);
    }
}

/// Splits a response into chunks that release its memory with the last byte.
fn kept(answer: Response, room: Arc<Room>) -> Response {
    let (mut head, body) = answer.into_parts();
    let length = hyper::body::Body::size_hint(&body).exact();
    let keep = move |bytes| Bytes::from_owner(Kept { bytes, room: room.clone() });
    let Some(length) = length else {
        let body = warp::reply::stream(body.into_data_stream().map_ok(keep)).into_response().into_body();
        return Response::from_parts(head, body);
    };
    // A body that is complete is collected without waiting and without a copy.
    let whole = body.collect().now_or_never().and_then(Result::ok).map(|whole| whole.to_bytes()).unwrap_or_default();
    head.headers.entry(header::CONTENT_LENGTH).or_insert(length.into());
    let pieces = stream::iter((0..whole.len()).step_by(PIECE)).map(move |begin| {
        let end = whole.len().min(begin + PIECE);
        Ok::<_, std::convert::Infallible>(keep(whole.slice(begin..end)))
    });
    Response::from_parts(head, warp::reply::stream(pieces).into_response().into_body())
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

    use super::{Answers, PATIENCE, PIECE, SMALL, STALLED};
    use crate::http::problem::Refusal;
    use crate::http::reply::{self, Response};

    const LARGE: usize = 3 * PIECE / 2;

    /// A budget for one large response.
    fn answers() -> Answers {
        Answers::new(2 * LARGE as u64 - 1, 4)
    }

    fn large() -> Response {
        reply::bytes("text/plain", vec![b'x'; LARGE])
    }

    async fn make_room(answers: &Answers, answer: Response) -> Result<Response, Refusal> {
        answers.make_room(answer, CancellationToken::new()).await
    }

    async fn piece(answer: &mut Response) -> Option<Bytes> {
        Some(answer.body_mut().frame().await?.expect("no error").into_data().expect("data"))
    }

    #[tokio::test(start_paused = true)]
    async fn memory_is_held_until_last_byte_is_sent() {
        let answers = answers();
        let first = make_room(&answers, large()).await.expect("room");
        assert_eq!(first.headers()["content-length"], LARGE.to_string());
        let body = first.into_body().collect().await.expect("a body");
        let begin = Instant::now();
        make_room(&answers, large()).await.expect_err("the bytes are still there, though the body is gone");
        assert_eq!(begin.elapsed(), PATIENCE);
        let bytes = body.to_bytes();
        assert_eq!(bytes.len(), LARGE);
        make_room(&answers, large()).await.expect("room again");
    }

    #[tokio::test(start_paused = true)]
    async fn waiting_response_gets_released_memory() {
        let answers = answers();
        let first = make_room(&answers, large()).await.expect("room");
        let (second, ()) = tokio::join!(make_room(&answers, large()), async {
            sleep(PATIENCE / 2).await;
            drop(first);
        });
        second.expect("in time");
    }

    #[tokio::test(start_paused = true)]
    async fn stalled_readers_are_disconnected_under_pressure() {
        let answers = Answers::new(5 * LARGE as u64 / 2, 4);
        let cuts = [CancellationToken::new(), CancellationToken::new()];
        let _stalled = answers.make_room(large(), cuts[0].clone()).await.expect("room");
        let mut slow = answers.make_room(large(), cuts[1].clone()).await.expect("room");
        sleep(STALLED).await;
        assert!(!cuts[0].is_cancelled(), "nobody waits");
        piece(&mut slow).await.expect("a piece");
        make_room(&answers, large()).await.expect_err("what is cut is still there, in this test");
        assert_eq!(cuts.map(|cut| cut.is_cancelled()), [true, false]);
    }

    #[tokio::test(start_paused = true)]
    async fn at_most_half_of_the_slots_wait_for_memory() {
        let answers = answers();
        let _first = make_room(&answers, large()).await.expect("room");
        let begin = Instant::now();
        let took = stream::iter(0..3).map(|_| async {
            make_room(&answers, large()).await.expect_err("no room");
            begin.elapsed()
        });
        let took = took.buffer_unordered(3).collect::<Vec<_>>().await;
        assert_eq!(took, [Duration::ZERO, PATIENCE, PATIENCE]);
    }

    #[tokio::test(start_paused = true)]
    async fn small_and_shared_bodies_need_no_memory() {
        let answers = Answers::new(10 * 1024, 4);
        let _largest = make_room(&answers, large()).await.expect("larger than all room, and alone");
        make_room(&answers, large()).await.expect_err("no room beside it");
        make_room(&answers, reply::bytes("text/plain", vec![b'x'; SMALL])).await.expect("small");
        make_room(&answers, reply::shared("text/plain", vec![b'x'; LARGE].into())).await.expect("shared");
    }

    #[tokio::test(start_paused = true)]
    async fn stream_holds_memory_while_open() {
        let answers = answers();
        let open = || {
            let chunks = stream::repeat_with(|| Ok::<_, Infallible>(Bytes::from_static(b"line\n")));
            make_room(&answers, reply::stream(HeaderValue::from_static("text/csv"), LARGE, chunks))
        };
        let mut first = open().await.expect("room");
        assert_eq!(piece(&mut first).await.expect("a chunk"), "line\n");
        open().await.expect_err("no room beside it");
        drop(first);
        open().await.expect("room again");
    }
}

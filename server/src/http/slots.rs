//! Slots: limits the number of concurrent requests and the memory of their bodies.
//!
//! A client that sends slowly must not block others. While a request waits for its body, it releases its slot and takes one again
//! afterwards. Bytes received in the meantime count against a separate memory budget. Uploads, which may take minutes, have a limit of
//! their own: slow uploads block only other uploads.
//!
//! One credential takes seven eighths of the slots at most, and of the places for uploads. So it never keeps all others out. Requests
//! that may wait for their turn to write take seven eighths of the slots, all together, and those of one credential seven eighths
//! of these: while the disk is slow, the others are for reads, and while one client writes, for the writes of others.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::Poll;
use std::time::Duration;

use futures::stream::{BoxStream, try_unfold};
use futures::{StreamExt, TryStreamExt, poll};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::problem::Refusal;
use crate::quota::{Place, Quota};
use crate::telemetry::metrics;

/// Maximum wait of a complete upload for a slot. It is long because the upload may have taken minutes and would have to be repeated.
const AFTER_UPLOAD: Duration = Duration::from_secs(10);

/// One in this many slots is reserved for other credentials and for requests that only read.
const OTHERS: usize = 8;

/// The shared slots and budgets.
#[derive(Debug)]
pub struct Slots(Arc<Bounds>);

#[derive(Debug)]
struct Bounds {
    /// A permit per running request.
    slots: Arc<Semaphore>,
    /// A permit per running request that may write.
    writes: Arc<Semaphore>,
    /// Slots held by each credential.
    shares: Quota,
    /// The slots of each credential for requests that may write.
    write_shares: Quota,
    /// One for each byte of a body that is read whole, while it comes.
    room: Arc<Semaphore>,
    /// A permit per upload that waits for its client.
    uploads: Quota,
}

impl Slots {
    /// Creates `slots` slots, memory for as many bodies of `max_body_bytes`, and permits for as many uploads.
    pub fn new(slots: usize, max_body_bytes: u64) -> Self {
        let bytes = slots.saturating_mul(usize::try_from(max_body_bytes).unwrap_or(usize::MAX));
        let semaphore = |permits: usize| Arc::new(Semaphore::new(permits.min(Semaphore::MAX_PERMITS)));
        let part = |of: usize| of - of / OTHERS;
        let shares = || Quota::new(slots, part(slots));
        let writes = part(slots);
        Self(Arc::new(Bounds {
            slots: semaphore(slots),
            writes: semaphore(writes),
            shares: shares(),
            write_shares: Quota::new(writes, part(writes)),
            room: semaphore(bytes),
            uploads: shares(),
        }))
    }

    /// Takes a slot for a request that only reads.
    ///
    /// # Errors
    /// 503 if no slot is free.
    pub fn take(&self) -> Result<Slot, Refusal> {
        self.take_for(false)
    }

    /// Takes a slot for a request that may write, or for one that only reads.
    ///
    /// # Errors
    /// 503 if no slot is free for that kind of request.
    pub fn take_for(&self, may_write: bool) -> Result<Slot, Refusal> {
        let permit = SlotPermit { _slots: self.0.permits(may_write)?, shares: None };
        let permit = Mutex::new(Some(permit));
        let taken = Taken { permit, may_write, credential: OnceLock::new(), bounds: self.0.clone() };
        Ok(Slot(Some(Arc::new(taken))))
    }
}

/// The slot of one request. It is released when the last clone is dropped.
#[derive(Clone, Debug, Default)]
pub struct Slot(Option<Arc<Taken>>);

#[derive(Debug)]
struct Taken {
    /// `None` while the request waits for its client.
    permit: Mutex<Option<SlotPermit>>,
    may_write: bool,
    /// The credential of the request, once it is known.
    credential: OnceLock<String>,
    bounds: Arc<Bounds>,
}

/// A slot, and its share of the credential's quota.
#[derive(Debug)]
struct SlotPermit {
    _slots: SlotPermits,
    shares: Option<Shares>,
}

/// A slot, and a write permit for requests that may write.
type SlotPermits = (OwnedSemaphorePermit, Option<OwnedSemaphorePermit>);

/// The places of a credential for both.
type Shares = (Place, Option<Place>);

impl Bounds {
    /// Takes the permits of a request if they are free.
    fn permits(&self, may_write: bool) -> Result<SlotPermits, Refusal> {
        let write = if may_write { Some(permit(&self.writes, 1)?) } else { None };
        Ok((permit(&self.slots, 1)?, write))
    }

    /// The places of a request among those of its credential.
    fn shares(&self, credential: &str, may_write: bool) -> Result<Shares, Refusal> {
        let share = self.shares.take(credential).ok_or_else(overloaded)?;
        let write = if may_write { Some(self.write_shares.take(credential).ok_or_else(overloaded)?) } else { None };
        Ok((share, write))
    }

    /// Waits for the permits of a request.
    async fn wait_for_permits(&self, may_write: bool) -> SlotPermits {
        let wait = async |semaphore: &Arc<Semaphore>| {
            semaphore.clone().acquire_owned().await.expect("the semaphore is never closed")
        };
        let write = if may_write { Some(wait(&self.writes).await) } else { None };
        (wait(&self.slots).await, write)
    }
}

impl Slot {
    /// Counts the request against the quota of its credential.
    ///
    /// # Errors
    /// 503 if the credential's quota is used up.
    pub fn belongs_to(&self, credential: String) -> Result<(), Refusal> {
        let Some(taken) = &self.0 else { return Ok(()) };
        let shares = taken.bounds.shares(&credential, taken.may_write)?;
        taken.credential.get_or_init(|| credential);
        if let Some(permit) = &mut *taken.permit() {
            permit.shares = Some(shares);
        }
        Ok(())
    }

    /// Awaits client I/O without holding the slot. Returns immediately if the future is ready; otherwise the slot is released while waiting
    /// and taken again afterwards.
    ///
    /// # Errors
    /// 503 if no slot is free afterwards.
    pub async fn left_during<T>(&self, waiting: impl Future<Output = T>) -> Result<T, Refusal> {
        let mut waiting = std::pin::pin!(waiting);
        if let Poll::Ready(value) = poll!(waiting.as_mut()) {
            return Ok(value);
        }
        let Some(taken) = &self.0 else { return Ok(waiting.await) };
        taken.leave();
        let value = waiting.await;
        taken.enter(taken.bounds.permits(taken.may_write)?)?;
        Ok(value)
    }

    /// Wraps the chunks of an upload. The slot is released at the first wait and taken again after the last chunk.
    ///
    /// # Errors
    /// Within the stream: its own errors, and 503 if too many uploads wait for their clients or if no slot becomes free within ten seconds
    /// after the last chunk.
    pub fn left_by<T: Send + 'static>(
        &self,
        chunks: BoxStream<'static, Result<T, Refusal>>,
    ) -> BoxStream<'static, Result<T, Refusal>> {
        let Some(taken) = self.0.clone() else { return chunks };
        let upload = Upload { chunks, taken, waits: None };
        try_unfold(upload, |mut upload| async move { Ok(upload.next().await?.map(|chunk| (chunk, upload))) }).boxed()
    }

    /// Adds `bytes` received to the memory that a body holds in `room`. A request without a slot is not limited.
    ///
    /// # Errors
    /// 503 if the memory budget is exhausted.
    pub fn widen(&self, room: &mut Option<OwnedSemaphorePermit>, bytes: usize) -> Result<(), Refusal> {
        let Some(taken) = &self.0 else { return Ok(()) };
        let more = permit(&taken.bounds.room, u32::try_from(bytes).unwrap_or(u32::MAX))?;
        match room {
            None => *room = Some(more),
            Some(room) => room.merge(more),
        }
        Ok(())
    }
}

impl Taken {
    fn permit(&self) -> MutexGuard<'_, Option<SlotPermit>> {
        self.permit.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn leave(&self) {
        *self.permit() = None;
    }

    fn enter(&self, slots: SlotPermits) -> Result<(), Refusal> {
        let shares = self.credential.get().map(|credential| self.bounds.shares(credential, self.may_write));
        *self.permit() = Some(SlotPermit { _slots: slots, shares: shares.transpose()? });
        Ok(())
    }
}

/// An upload whose chunks may arrive slowly.
struct Upload<T> {
    chunks: BoxStream<'static, Result<T, Refusal>>,
    taken: Arc<Taken>,
    /// Upload permit, taken at the first wait.
    waits: Option<Place>,
}

impl<T> Upload<T> {
    async fn next(&mut self) -> Result<Option<T>, Refusal> {
        let mut coming = self.chunks.try_next();
        let next = match poll!(&mut coming) {
            Poll::Ready(next) => next?,
            Poll::Pending => {
                if self.waits.is_none() {
                    let credential = self.taken.credential.get().map_or("", String::as_str);
                    self.waits = Some(self.taken.bounds.uploads.take(credential).ok_or_else(overloaded)?);
                    self.taken.leave();
                }
                coming.await?
            }
        };
        if next.is_none() && self.waits.take().is_some() {
            let permits = self.taken.bounds.wait_for_permits(self.taken.may_write);
            self.taken.enter(timeout(AFTER_UPLOAD, permits).await.map_err(|_| overloaded())?)?;
        }
        Ok(next)
    }
}

fn permit(semaphore: &Arc<Semaphore>, count: u32) -> Result<OwnedSemaphorePermit, Refusal> {
    semaphore.clone().try_acquire_many_owned(count).map_err(|_| overloaded())
}

fn overloaded() -> Refusal {
    metrics::shed();
    Refusal::overloaded("server is overloaded; retry later")
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};
    use std::time::Duration;

    use futures::{StreamExt, TryStreamExt, stream};
    use tokio::time::{sleep, timeout};

    use super::{AFTER_UPLOAD, Slot, Slots};

    #[tokio::test(start_paused = true)]
    async fn slot_is_free_while_request_waits_for_client() {
        let slots = Slots::new(1, 10);
        let waits = slots.take().expect("a slot");
        slots.take().expect_err("the only slot is taken");
        let (sender, comes) = tokio::sync::oneshot::channel::<()>();
        let task = tokio::spawn(async move { waits.left_during(comes).await.map(|_| waits) });
        tokio::task::yield_now().await;
        let other = slots.take().expect("left by the one that waits");
        sender.send(()).expect("it waits");
        task.await.expect("no panic").expect_err("the other has the slot now");
        drop(other);

        let slot = slots.take().expect("given back");
        let _never = timeout(Duration::from_secs(1), slot.left_during(pending::<()>())).await;
        slots.take().expect("a request that is given up holds nothing");
    }

    #[tokio::test(start_paused = true)]
    async fn upload_releases_slot_until_complete() {
        let slots = Slots::new(1, 10);
        let slot = slots.take().expect("a slot");
        let chunks = stream::iter([1, 2]).then(async |chunk| {
            sleep(Duration::from_secs(1)).await;
            Ok(chunk)
        });
        let mut upload = slot.left_by(chunks.boxed());
        let (first, other) = tokio::join!(upload.try_next(), async {
            tokio::task::yield_now().await;
            slots.take().expect("left by the upload")
        });
        assert_eq!(first.expect("a chunk"), Some(1));
        slots.take().expect_err("the other has the only slot");
        assert_eq!(upload.try_next().await.expect("none is needed for a chunk"), Some(2));
        let (end, ()) = tokio::join!(upload.try_next(), async {
            sleep(AFTER_UPLOAD / 2).await;
            drop(other);
        });
        assert_eq!(end.expect("it waits for a slot at its end"), None);
        slots.take().expect_err("the upload has it again");
    }

    #[tokio::test(start_paused = true)]
    async fn upload_wait_for_slot_times_out() {
        let slots = Slots::new(1, 10);
        let mut upload = slots
            .take()
            .expect("a slot")
            .left_by::<()>(stream::once(sleep(Duration::from_secs(1))).filter_map(async |()| None).boxed());
        let taken = async {
            tokio::task::yield_now().await;
            let other = slots.take().expect("left by the upload");
            sleep(AFTER_UPLOAD * 2).await;
            drop(other);
        };
        let (refused, ()) = tokio::join!(upload.try_next(), taken);
        refused.expect_err("all slots are taken");
    }

    #[tokio::test(start_paused = true)]
    async fn limits_waiting_uploads_but_not_immediate_ones() {
        let slots = Slots::new(2, 10);
        let upload = || slots.take().expect("a slot").left_by::<()>(stream::pending().boxed());
        let mut waiting = [upload(), upload()];
        for upload in &mut waiting {
            timeout(Duration::from_secs(1), upload.try_next()).await.expect_err("nothing comes");
        }
        upload().try_next().await.expect_err("two wait already");
        let at_once = slots.take().expect("a slot").left_by(stream::iter([Ok(1)]).boxed());
        assert_eq!(at_once.try_collect::<Vec<_>>().await.expect("all of it"), [1]);
        drop(waiting);
        timeout(Duration::from_secs(1), upload().try_next()).await.expect_err("it may wait again");
    }

    #[tokio::test]
    async fn ready_future_keeps_slot() {
        let slots = Slots::new(1, 10);
        let slot = slots.take().expect("a slot");
        slot.left_during(ready(())).await.expect("kept");
        slots.take().expect_err("still taken");
        drop(slot.clone());
        slots.take().expect_err("a clone is gone, the slot is not");
    }

    #[tokio::test(start_paused = true)]
    async fn one_credential_cannot_take_all_slots() {
        let slots = Slots::new(8, 10);
        let take = |credential: &str| {
            let slot = slots.take()?;
            slot.belongs_to(credential.to_owned()).map(|()| slot)
        };
        let own: Vec<_> = (0..7).map(|_| take("key:1").expect("a slot")).collect();
        take("key:1").expect_err("it has its share");
        let other = take("key:2").expect("a slot of the others");
        drop(other);
        // A request that waited for its client counts against the quota again.
        let (sender, comes) = tokio::sync::oneshot::channel::<()>();
        let waits = own[0].left_during(comes);
        let (waited, _another) = tokio::join!(waits, async {
            tokio::task::yield_now().await;
            let another = take("key:1").expect("left by the one that waits");
            sender.send(()).expect("it waits");
            another
        });
        waited.expect_err("the share is taken");

        let upload = || take("key:3").expect("a slot").left_by::<()>(stream::pending().boxed());
        let mut uploads: Vec<_> = (0..7).map(|_| stream::empty().boxed()).collect();
        drop(own);
        for place in &mut uploads {
            *place = upload();
            timeout(Duration::from_secs(1), place.try_next()).await.expect_err("nothing comes");
        }
        upload().try_next().await.expect_err("it has its share of the places for uploads");
        let mut other = take("key:4").expect("a slot").left_by::<()>(stream::pending().boxed());
        timeout(Duration::from_secs(1), other.try_next()).await.expect_err("it may wait");
    }

    #[tokio::test]
    async fn writes_cannot_take_all_slots() {
        let slots = Slots::new(8, 10);
        let writes: Vec<_> = (0..7).map(|_| slots.take_for(true).expect("a slot")).collect();
        slots.take_for(true).expect_err("the last one is for reads");
        drop(slots.take().expect("a slot for a read"));
        // A write that waits for its client frees its permit for another one.
        let (sender, comes) = tokio::sync::oneshot::channel::<()>();
        let waits = writes[0].left_during(comes);
        let (waited, _another) = tokio::join!(waits, async {
            tokio::task::yield_now().await;
            let another = slots.take_for(true).expect("left by the one that waits");
            sender.send(()).expect("it waits");
            another
        });
        waited.expect_err("all places of writes are taken");
    }

    #[tokio::test]
    async fn one_credential_leaves_writes_to_others() {
        let slots = Slots::new(64, 10);
        let writes = std::iter::from_fn(|| {
            let slot = slots.take_for(true).ok()?;
            slot.belongs_to("key 1".to_owned()).ok()?;
            Some(slot)
        });
        let writes: Vec<_> = writes.take(64).collect();
        assert_eq!(writes.len(), 49);
        let other = slots.take_for(true).expect("a slot for another credential");
        other.belongs_to("key 2".to_owned()).expect("a place");
    }

    #[tokio::test]
    async fn bytes_on_their_way_have_a_bound() {
        let slots = Slots::new(2, 10);
        let slot = slots.take().expect("a slot");
        let (mut one, mut other) = (None, None);
        slot.widen(&mut one, 8).expect("room");
        slot.widen(&mut one, 7).expect("room");
        slot.widen(&mut other, 6).expect_err("20 in all");
        drop(one);
        slot.widen(&mut other, 20).expect("room again");
        Slot::default().widen(&mut other, usize::MAX).expect("no slot, no bound");
    }
}

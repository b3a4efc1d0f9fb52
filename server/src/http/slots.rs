//! Slots: limits the number of concurrent requests and the memory of their bodies.
//!
//! A client that sends slowly must not block others. While a request waits for its body, it releases its slot and takes one again
//! afterwards. Bytes received in the meantime count against a separate memory budget. Uploads, which may take minutes, have a limit of
//! their own: slow uploads block only other uploads.
//!
//! One credential takes at most seven eighths of the slots and of the upload permits, so it can't lock out all others. Requests that may
//! write take at most seven eighths of the slots in total, and those of one credential at most seven eighths of these. So slots remain for
//! reads while the disk is slow, and for writes of others while one client writes.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::Poll;
use std::time::Duration;

use futures::stream::{BoxStream, try_unfold};
use futures::{StreamExt, TryStreamExt, poll};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::problem::Problem;
use crate::concurrency_limit::{ConcurrencyLimit, ConcurrencyPermit};
use crate::telemetry::metrics;

/// Maximum wait of a complete upload for a slot. It is long because the upload may have taken minutes and would have to be repeated.
const UPLOAD_SLOT_TIMEOUT: Duration = Duration::from_secs(10);

/// One in this many slots is reserved for other credentials and for requests that only read.
const RESERVED_SLOT_DIVISOR: usize = 8;

/// The shared slots and budgets.
#[derive(Debug)]
pub struct Slots(Arc<SlotPool>);

#[derive(Debug)]
struct SlotPool {
    /// A permit per running request.
    slots: Arc<Semaphore>,
    /// A permit per running request that may write.
    writes: Arc<Semaphore>,
    /// Slots held by each credential.
    credential_slots: ConcurrencyLimit,
    /// The slots of each credential for requests that may write.
    credential_writes: ConcurrencyLimit,
    /// A permit per byte of the bodies that are being received into memory.
    body_memory: Arc<Semaphore>,
    /// A permit per upload that waits for its client.
    uploads: ConcurrencyLimit,
}

impl Slots {
    /// Creates `slots` slots. For each slot, there is memory for one body of `max_body_bytes`, and a permit for one upload.
    pub fn new(slots: usize, max_body_bytes: u64) -> Self {
        let memory_bytes = slots.saturating_mul(usize::try_from(max_body_bytes).unwrap_or(usize::MAX));
        let semaphore = |permits: usize| Arc::new(Semaphore::new(permits.min(Semaphore::MAX_PERMITS)));
        let without_reserve = |total: usize| total - total / RESERVED_SLOT_DIVISOR;
        let new_limit = || ConcurrencyLimit::new(slots, without_reserve(slots));
        let writes = without_reserve(slots);
        Self(Arc::new(SlotPool {
            slots: semaphore(slots),
            writes: semaphore(writes),
            credential_slots: new_limit(),
            credential_writes: ConcurrencyLimit::new(writes, without_reserve(writes)),
            body_memory: semaphore(memory_bytes),
            uploads: new_limit(),
        }))
    }

    /// Takes a slot for a request that may write, or for one that only reads.
    ///
    /// # Errors
    /// 503 if no slot is free for that kind of request.
    pub fn try_acquire(&self, may_write: bool) -> Result<Slot, Problem> {
        let permits = RequestPermits { _slot_permits: self.0.try_acquire(may_write)?, credential_permits: None };
        let permits = Mutex::new(Some(permits));
        let held = HeldSlot { permits, may_write, credential: OnceLock::new(), pool: self.0.clone() };
        Ok(Slot(Some(Arc::new(held))))
    }
}

/// The slot of one request. It is released when the last clone is dropped.
#[derive(Clone, Debug, Default)]
pub struct Slot(Option<Arc<HeldSlot>>);

#[derive(Debug)]
struct HeldSlot {
    /// `None` while the request waits for its client.
    permits: Mutex<Option<RequestPermits>>,
    may_write: bool,
    /// The credential of the request, once it is known.
    credential: OnceLock<Arc<str>>,
    pool: Arc<SlotPool>,
}

/// A slot, and its share of the credential's quota.
#[derive(Debug)]
struct RequestPermits {
    _slot_permits: SlotPermits,
    credential_permits: Option<CredentialPermits>,
}

/// A slot, and a write permit for requests that may write.
type SlotPermits = (OwnedSemaphorePermit, Option<OwnedSemaphorePermit>);

/// The permits of a credential: one for its slot, and one for a request that may write.
type CredentialPermits = (ConcurrencyPermit, Option<ConcurrencyPermit>);

impl SlotPool {
    /// Takes the permits of a request if they are free.
    fn try_acquire(&self, may_write: bool) -> Result<SlotPermits, Problem> {
        let write_permit = if may_write { Some(try_acquire_many(&self.writes, 1)?) } else { None };
        Ok((try_acquire_many(&self.slots, 1)?, write_permit))
    }

    /// Takes the permits of a request from those of its credential.
    fn acquire_for_credential(&self, credential: &str, may_write: bool) -> Result<CredentialPermits, Problem> {
        let slot_permit = self.credential_slots.try_acquire(credential).ok_or_else(overloaded)?;
        let write_permit =
            if may_write { Some(self.credential_writes.try_acquire(credential).ok_or_else(overloaded)?) } else { None };
        Ok((slot_permit, write_permit))
    }

    /// Waits for the permits of a request.
    async fn acquire(&self, may_write: bool) -> SlotPermits {
        let acquire_one = async |semaphore: &Arc<Semaphore>| {
            semaphore.clone().acquire_owned().await.expect("the semaphore is never closed")
        };
        let write_permit = if may_write { Some(acquire_one(&self.writes).await) } else { None };
        (acquire_one(&self.slots).await, write_permit)
    }
}

impl Slot {
    /// Counts the request against the quota of its credential.
    ///
    /// # Errors
    /// 503 if the credential's quota is used up.
    pub fn assign_credential(&self, credential: Arc<str>) -> Result<(), Problem> {
        let Some(held) = &self.0 else { return Ok(()) };
        let credential_permits = held.pool.acquire_for_credential(&credential, held.may_write)?;
        held.credential.get_or_init(|| credential);
        if let Some(permits) = &mut *held.permits() {
            permits.credential_permits = Some(credential_permits);
        }
        Ok(())
    }

    /// Awaits client I/O without holding the slot. Returns immediately if the future is ready; otherwise the slot is released while waiting
    /// and taken again afterwards.
    ///
    /// # Errors
    /// 503 if no slot is free afterwards.
    pub async fn release_while<T>(&self, future: impl Future<Output = T>) -> Result<T, Problem> {
        let mut future = std::pin::pin!(future);
        if let Poll::Ready(value) = poll!(future.as_mut()) {
            return Ok(value);
        }
        let Some(held) = &self.0 else { return Ok(future.await) };
        held.release();
        let value = future.await;
        held.reacquire(held.pool.try_acquire(held.may_write)?)?;
        Ok(value)
    }

    /// Wraps the chunks of an upload. The slot is released at the first wait and taken again after the last chunk.
    ///
    /// # Errors
    /// Within the stream: its own errors, and 503 if too many uploads wait for their clients or if no slot becomes free within ten seconds
    /// after the last chunk.
    pub fn release_during_upload<T: Send + 'static>(
        &self,
        chunks: BoxStream<'static, Result<T, Problem>>,
    ) -> BoxStream<'static, Result<T, Problem>> {
        let Some(slot) = self.0.clone() else { return chunks };
        let upload = Upload { chunks, slot, upload_permit: None };
        try_unfold(upload, |mut upload| async move { Ok(upload.next().await?.map(|chunk| (chunk, upload))) }).boxed()
    }

    /// Adds memory for `bytes` more bytes of a body to its `reservation`. A request without a slot is not limited.
    ///
    /// # Errors
    /// 503 if the memory budget is exhausted.
    pub fn reserve_memory(&self, reservation: &mut Option<OwnedSemaphorePermit>, bytes: usize) -> Result<(), Problem> {
        let Some(held) = &self.0 else { return Ok(()) };
        let additional = try_acquire_many(&held.pool.body_memory, u32::try_from(bytes).unwrap_or(u32::MAX))?;
        match reservation {
            None => *reservation = Some(additional),
            Some(reservation) => reservation.merge(additional),
        }
        Ok(())
    }
}

impl HeldSlot {
    fn permits(&self) -> MutexGuard<'_, Option<RequestPermits>> {
        self.permits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn release(&self) {
        *self.permits() = None;
    }

    fn reacquire(&self, slot_permits: SlotPermits) -> Result<(), Problem> {
        let credential_permits =
            self.credential.get().map(|credential| self.pool.acquire_for_credential(credential, self.may_write));
        *self.permits() =
            Some(RequestPermits { _slot_permits: slot_permits, credential_permits: credential_permits.transpose()? });
        Ok(())
    }
}

/// An upload whose chunks may arrive slowly.
struct Upload<T> {
    chunks: BoxStream<'static, Result<T, Problem>>,
    slot: Arc<HeldSlot>,
    /// Upload permit, taken at the first wait.
    upload_permit: Option<ConcurrencyPermit>,
}

impl<T> Upload<T> {
    async fn next(&mut self) -> Result<Option<T>, Problem> {
        let mut next_chunk = self.chunks.try_next();
        let next = match poll!(&mut next_chunk) {
            Poll::Ready(next) => next?,
            Poll::Pending => {
                if self.upload_permit.is_none() {
                    let credential = self.slot.credential.get().map_or("", AsRef::as_ref);
                    self.upload_permit = Some(self.slot.pool.uploads.try_acquire(credential).ok_or_else(overloaded)?);
                    self.slot.release();
                }
                next_chunk.await?
            }
        };
        if next.is_none() && self.upload_permit.take().is_some() {
            let slot_permits = self.slot.pool.acquire(self.slot.may_write);
            self.slot.reacquire(timeout(UPLOAD_SLOT_TIMEOUT, slot_permits).await.map_err(|_| overloaded())?)?;
        }
        Ok(next)
    }
}

fn try_acquire_many(semaphore: &Arc<Semaphore>, count: u32) -> Result<OwnedSemaphorePermit, Problem> {
    semaphore.clone().try_acquire_many_owned(count).map_err(|_| overloaded())
}

fn overloaded() -> Problem {
    metrics::count_rejected_request();
    Problem::overloaded("server is overloaded; retry later")
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};
    use std::time::Duration;

    use futures::{StreamExt, TryStreamExt, stream};
    use tokio::time::{sleep, timeout};

    use super::{Slot, Slots, UPLOAD_SLOT_TIMEOUT};

    #[tokio::test(start_paused = true)]
    async fn slot_is_free_while_request_waits_for_client() {
        let slots = Slots::new(1, 10);
        let waiting_slot = slots.try_acquire(false).expect("a slot");
        slots.try_acquire(false).expect_err("the only slot is taken");
        let (sender, receiver) = tokio::sync::oneshot::channel::<()>();
        let task = tokio::spawn(async move { waiting_slot.release_while(receiver).await.map(|_| waiting_slot) });
        tokio::task::yield_now().await;
        let other = slots.try_acquire(false).expect("the slot of the waiting request");
        sender.send(()).expect("the request is waiting");
        task.await.expect("no panic").expect_err("the other request has the slot");
        drop(other);

        let slot = slots.try_acquire(false).expect("the released slot");
        let _never = timeout(Duration::from_secs(1), slot.release_while(pending::<()>())).await;
        slots.try_acquire(false).expect("an abandoned request holds no slot");
    }

    #[tokio::test(start_paused = true)]
    async fn upload_releases_slot_until_complete() {
        let slots = Slots::new(1, 10);
        let slot = slots.try_acquire(false).expect("a slot");
        let chunks = stream::iter([1, 2]).then(async |chunk| {
            sleep(Duration::from_secs(1)).await;
            Ok(chunk)
        });
        let mut upload = slot.release_during_upload(chunks.boxed());
        let (first, other) = tokio::join!(upload.try_next(), async {
            tokio::task::yield_now().await;
            slots.try_acquire(false).expect("the slot that the upload released")
        });
        assert_eq!(first.expect("a chunk"), Some(1));
        slots.try_acquire(false).expect_err("the other request has the only slot");
        assert_eq!(upload.try_next().await.expect("a chunk needs no slot"), Some(2));
        let (end, ()) = tokio::join!(upload.try_next(), async {
            sleep(UPLOAD_SLOT_TIMEOUT / 2).await;
            drop(other);
        });
        assert_eq!(end.expect("the end waits for a slot"), None);
        slots.try_acquire(false).expect_err("the upload has reacquired the slot");
    }

    #[tokio::test(start_paused = true)]
    async fn upload_wait_for_slot_times_out() {
        let slots = Slots::new(1, 10);
        let mut upload = slots.try_acquire(false).expect("a slot").release_during_upload::<()>(
            stream::once(sleep(Duration::from_secs(1))).filter_map(async |()| None).boxed(),
        );
        let other_request = async {
            tokio::task::yield_now().await;
            let other = slots.try_acquire(false).expect("the slot that the upload released");
            sleep(UPLOAD_SLOT_TIMEOUT * 2).await;
            drop(other);
        };
        let (result, ()) = tokio::join!(upload.try_next(), other_request);
        result.expect_err("all slots are taken");
    }

    #[tokio::test(start_paused = true)]
    async fn limits_waiting_uploads_but_not_immediate_ones() {
        let slots = Slots::new(2, 10);
        let upload =
            || slots.try_acquire(false).expect("a slot").release_during_upload::<()>(stream::pending().boxed());
        let mut waiting = [upload(), upload()];
        for upload in &mut waiting {
            timeout(Duration::from_secs(1), upload.try_next()).await.expect_err("the client sends nothing");
        }
        upload().try_next().await.expect_err("two uploads are waiting");
        let immediate = slots.try_acquire(false).expect("a slot").release_during_upload(stream::iter([Ok(1)]).boxed());
        assert_eq!(immediate.try_collect::<Vec<_>>().await.expect("the whole body"), [1]);
        drop(waiting);
        timeout(Duration::from_secs(1), upload().try_next()).await.expect_err("the upload is allowed to wait again");
    }

    #[tokio::test]
    async fn ready_future_keeps_slot() {
        let slots = Slots::new(1, 10);
        let slot = slots.try_acquire(false).expect("a slot");
        slot.release_while(ready(())).await.expect("the slot is kept");
        slots.try_acquire(false).expect_err("the slot is still taken");
        drop(slot.clone());
        slots.try_acquire(false).expect_err("the original still holds the slot");
    }

    #[tokio::test(start_paused = true)]
    async fn one_credential_cannot_take_all_slots() {
        let slots = Slots::new(8, 10);
        let acquire = |credential: &str| {
            let slot = slots.try_acquire(false)?;
            slot.assign_credential(credential.into()).map(|()| slot)
        };
        let own_slots: Vec<_> = (0..7).map(|_| acquire("key:1").expect("a slot")).collect();
        acquire("key:1").expect_err("the limit per credential applies");
        let other = acquire("key:2").expect("a slot for another credential");
        drop(other);
        // A request that waited for its client counts against the quota again.
        let (sender, receiver) = tokio::sync::oneshot::channel::<()>();
        let reacquire = own_slots[0].release_while(receiver);
        let (reacquired, _another) = tokio::join!(reacquire, async {
            tokio::task::yield_now().await;
            let another = acquire("key:1").expect("the slot of the waiting request");
            sender.send(()).expect("the request is waiting");
            another
        });
        reacquired.expect_err("the limit per credential applies");

        let upload = || acquire("key:3").expect("a slot").release_during_upload::<()>(stream::pending().boxed());
        let mut uploads: Vec<_> = (0..7).map(|_| stream::empty().boxed()).collect();
        drop(own_slots);
        for entry in &mut uploads {
            *entry = upload();
            timeout(Duration::from_secs(1), entry.try_next()).await.expect_err("the client sends nothing");
        }
        upload().try_next().await.expect_err("the limit of uploads per credential applies");
        let mut other = acquire("key:4").expect("a slot").release_during_upload::<()>(stream::pending().boxed());
        timeout(Duration::from_secs(1), other.try_next()).await.expect_err("another credential may upload");
    }

    #[tokio::test]
    async fn writes_cannot_take_all_slots() {
        let slots = Slots::new(8, 10);
        let writes: Vec<_> = (0..7).map(|_| slots.try_acquire(true).expect("a slot")).collect();
        slots.try_acquire(true).expect_err("the last one is for reads");
        drop(slots.try_acquire(false).expect("a slot for a read"));
        // A write that waits for its client frees its permit for another one.
        let (sender, receiver) = tokio::sync::oneshot::channel::<()>();
        let reacquire = writes[0].release_while(receiver);
        let (reacquired, _another) = tokio::join!(reacquire, async {
            tokio::task::yield_now().await;
            let another = slots.try_acquire(true).expect("the slot of the waiting request");
            sender.send(()).expect("the request is waiting");
            another
        });
        reacquired.expect_err("all write permits are taken");
    }

    #[tokio::test]
    async fn one_credential_leaves_writes_to_others() {
        let slots = Slots::new(64, 10);
        let writes = std::iter::from_fn(|| {
            let slot = slots.try_acquire(true).ok()?;
            slot.assign_credential("key 1".into()).ok()?;
            Some(slot)
        });
        let writes: Vec<_> = writes.take(64).collect();
        assert_eq!(writes.len(), 49);
        let other = slots.try_acquire(true).expect("a slot for another credential");
        other.assign_credential("key 2".into()).expect("a permit");
    }

    #[tokio::test]
    async fn limits_memory_of_bodies_being_received() {
        let slots = Slots::new(2, 10);
        let slot = slots.try_acquire(false).expect("a slot");
        let (mut reservation, mut other_reservation) = (None, None);
        slot.reserve_memory(&mut reservation, 8).expect("enough bytes");
        slot.reserve_memory(&mut reservation, 7).expect("enough bytes");
        slot.reserve_memory(&mut other_reservation, 6).expect_err("the total is 20 bytes");
        drop(reservation);
        slot.reserve_memory(&mut other_reservation, 20).expect("the memory was released");
        Slot::default().reserve_memory(&mut other_reservation, usize::MAX).expect("no limit without a slot");
    }
}

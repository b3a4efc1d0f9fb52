//! Slots: how many requests are carried out at once, and how much of their bodies may be on its way.
//!
//! A client that sends slowly must not keep others out. Where a body is waited for, its request leaves its slot and takes
//! one again afterwards; what has come by then counts against a bound of its own, so that memory stays bounded too.

use std::sync::{Arc, Mutex, PoisonError};

use futures::poll;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::problem::Refusal;
use crate::telemetry::metrics;

/// The slots there are.
#[derive(Debug)]
pub struct Slots {
    slots: Arc<Semaphore>,
    /// A permit for each byte.
    room: Arc<Semaphore>,
}

impl Slots {
    /// So many slots, and room for as many bodies of `max_body_bytes` while they come.
    pub fn new(slots: usize, max_body_bytes: u64) -> Self {
        let bytes = slots.saturating_mul(usize::try_from(max_body_bytes).unwrap_or(usize::MAX));
        let room = Semaphore::new(bytes.min(Semaphore::MAX_PERMITS));
        Self { slots: Arc::new(Semaphore::new(slots)), room: Arc::new(room) }
    }

    /// Takes a slot.
    ///
    /// # Errors
    /// 503 while all are taken.
    pub fn take(&self) -> Result<Slot, Refusal> {
        let permit = permit(&self.slots, 1)?;
        Ok(Slot(Some(Arc::new(Taken {
            permit: Mutex::new(Some(permit)),
            slots: self.slots.clone(),
            room: self.room.clone(),
        }))))
    }
}

/// The slot of one request, given back with its last clone.
#[derive(Clone, Debug, Default)]
pub struct Slot(Option<Arc<Taken>>);

#[derive(Debug)]
struct Taken {
    /// None while the request waits for its client.
    permit: Mutex<Option<OwnedSemaphorePermit>>,
    slots: Arc<Semaphore>,
    room: Arc<Semaphore>,
}

impl Slot {
    /// Awaits what comes at the pace of the client, and leaves the slot to others if it isn't there at once.
    ///
    /// # Errors
    /// 503 when all slots are taken afterwards.
    pub async fn left_during<T>(&self, waiting: impl Future<Output = T>) -> Result<T, Refusal> {
        let mut waiting = std::pin::pin!(waiting);
        if let std::task::Poll::Ready(value) = poll!(waiting.as_mut()) {
            return Ok(value);
        }
        let Some(taken) = &self.0 else { return Ok(waiting.await) };
        taken.set(None);
        let value = waiting.await;
        taken.set(Some(permit(&taken.slots, 1)?));
        Ok(value)
    }

    /// Adds to the `room` of a body what the bytes that have come take, until it is dropped. A request without a slot has all
    /// the room it wants.
    ///
    /// # Errors
    /// 503 when there is none.
    pub fn widen(&self, room: &mut Option<OwnedSemaphorePermit>, bytes: usize) -> Result<(), Refusal> {
        let Some(taken) = &self.0 else { return Ok(()) };
        let more = permit(&taken.room, u32::try_from(bytes).unwrap_or(u32::MAX))?;
        match room {
            None => *room = Some(more),
            Some(room) => room.merge(more),
        }
        Ok(())
    }
}

impl Taken {
    fn set(&self, permit: Option<OwnedSemaphorePermit>) {
        *self.permit.lock().unwrap_or_else(PoisonError::into_inner) = permit;
    }
}

fn permit(semaphore: &Arc<Semaphore>, count: u32) -> Result<OwnedSemaphorePermit, Refusal> {
    semaphore.clone().try_acquire_many_owned(count).map_err(|_| {
        metrics::shed();
        Refusal::overloaded("the server does as much as it can already; try again")
    })
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};
    use std::time::Duration;

    use tokio::time::timeout;

    use super::{Slot, Slots};

    #[tokio::test(start_paused = true)]
    async fn a_slot_is_free_while_its_request_waits_for_the_client() {
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

    #[tokio::test]
    async fn what_is_there_at_once_costs_no_slot() {
        let slots = Slots::new(1, 10);
        let slot = slots.take().expect("a slot");
        slot.left_during(ready(())).await.expect("kept");
        slots.take().expect_err("still taken");
        drop(slot.clone());
        slots.take().expect_err("a clone is gone, the slot is not");
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

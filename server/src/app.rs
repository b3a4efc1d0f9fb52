//! What every service works with: the adapters behind their traits, the clock, and the options.
//!
//! Built once at start, by `main.rs` or by a test, and shared by all requests.

use std::sync::Arc;

use leadscribe_engine::api::{Timestamp, TokenId};
use object_store::ObjectStore;
use tokio::sync::Notify;

use crate::background::Background;
use crate::clock::Clock;
use crate::clock_watch::ClockWatch;
use crate::config::Config;
use crate::in_flight::InFlight;
use crate::outage::Outage;
use crate::quota::Quota;
use crate::service::allowance::Allowance;
use crate::service::bulk_writes::BulkWrites;
use crate::service::changes::Changes;
use crate::service::imports;
use crate::service::overview::Pictures;
use crate::service::sessions::Guard;
use crate::speech::Provider;
use crate::storage::{Notice, Store};
use crate::webhook;

/// Rung when there may be work in a queue, so that a worker of this process needn't wait for its next look. Other processes
/// hear of it through the store, where it can tell them ([`App::listen`]).
#[derive(Debug, Default)]
pub struct Bells {
    /// A transcription was queued.
    pub transcriptions: Notify,
    /// A delivery was queued.
    pub deliveries: Notify,
}

/// The parts of a running server.
#[derive(Debug)]
pub struct App {
    /// Everything but the bytes of recordings.
    pub store: Arc<dyn Store>,
    /// The bytes of recordings.
    pub recordings: Arc<dyn ObjectStore>,
    /// What recognises speech.
    pub recognizer: Provider,
    /// What delivers to callbacks.
    pub webhook: webhook::Client,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Detects that the clock was set.
    pub clock_watch: Arc<ClockWatch>,
    /// The options.
    pub config: Arc<Config>,
    /// Bounds log-in attempts and the work of hashing passwords.
    pub guard: Guard,
    /// The idempotency keys of submissions under way.
    pub in_flight: InFlight<(TokenId, String)>,
    /// Bounds what the requests of speech recognition tokens have stored.
    pub allowance: Allowance,
    /// Work that goes on after an answer.
    pub background: Background,
    /// Turns for writes that take long.
    pub bulk_writes: BulkWrites,
    /// Imports under way, counted per credential.
    pub imports: Quota,
    /// Whether the store can be used.
    pub outage: Outage,
    /// Wakes the workers of this process.
    pub bells: Bells,
    /// Tells the panel what changes.
    pub changes: Changes,
    /// How things are, as it was last counted.
    pub pictures: Pictures,
}

impl App {
    /// Puts the parts together.
    pub fn new(
        store: Arc<dyn Store>,
        recordings: Arc<dyn ObjectStore>,
        recognizer: Provider,
        clock: Arc<dyn Clock>,
        config: Arc<Config>,
    ) -> Self {
        let guard = Guard::new(&config.login);
        let webhook = webhook::Client::new(&config.callbacks);
        let clock_watch = Arc::new(ClockWatch::new(clock.clone(), store.clone()));
        Self {
            store,
            recordings,
            recognizer,
            webhook,
            clock,
            clock_watch,
            config,
            guard,
            in_flight: InFlight::default(),
            allowance: Allowance::default(),
            background: Background::default(),
            bulk_writes: BulkWrites::default(),
            imports: imports::quota(),
            outage: Outage::default(),
            bells: Bells::default(),
            changes: Changes::default(),
            pictures: Pictures::default(),
        }
    }

    /// Wakes those of this process who wait for what another one may have done. Never ends.
    pub async fn listen(self: &Arc<Self>) {
        let app = Arc::downgrade(self);
        let heard = move |notice| {
            let Some(app) = app.upgrade() else { return };
            match notice {
                Notice::TranscriptionQueued => app.bells.transcriptions.notify_one(),
                Notice::DeliveryQueued => app.bells.deliveries.notify_one(),
                Notice::StateChanged => app.changes.look_soon(),
            }
        };
        self.store.listen(Arc::new(heard)).await;
    }

    /// Now, in UTC, to the microsecond.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }
}

//! Application state shared by all requests: the adapters behind their traits, the clock and the options.
//!
//! Built once at startup by `main.rs`, or by a test.

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

/// Wakes workers of this process when there may be work in a queue, so that they needn't wait for their next poll. Other processes are
/// notified through the store, if it supports that ([`App::listen`]).
#[derive(Debug, Default)]
pub struct Bells {
    /// Signalled when a transcription was queued.
    pub transcriptions: Notify,
    /// Signalled when a delivery was queued.
    pub deliveries: Notify,
}

/// The parts of a running server.
#[derive(Debug)]
pub struct App {
    /// Everything except the bytes of recordings.
    pub store: Arc<dyn Store>,
    /// The bytes of recordings.
    pub recordings: Arc<dyn ObjectStore>,
    /// Speech recogniser.
    pub recognizer: Provider,
    /// Client for callbacks.
    pub webhook: webhook::Client,
    /// Source of the current time.
    pub clock: Arc<dyn Clock>,
    /// Detects that the clock was set.
    pub clock_watch: Arc<ClockWatch>,
    /// The options.
    pub config: Arc<Config>,
    /// Limits log-in attempts and concurrent password hashing.
    pub guard: Guard,
    /// Idempotency keys of running submissions.
    pub in_flight: InFlight<(TokenId, String)>,
    /// Limits the stored size of requests by speech recognition tokens.
    pub allowance: Allowance,
    /// Work that continues after the response.
    pub background: Background,
    /// Queue for bulk writes.
    pub bulk_writes: BulkWrites,
    /// Running imports, limited for each credential.
    pub imports: Quota,
    /// Tracks whether the store is available.
    pub outage: Outage,
    /// Wakes the workers of this process.
    pub bells: Bells,
    /// Publishes changes to open panels.
    pub changes: Changes,
    /// Cached figures of the overview.
    pub pictures: Pictures,
}

impl App {
    /// Creates the state from its adapters.
    pub fn new(
        store: Arc<dyn Store>,
        recordings: Arc<dyn ObjectStore>,
        recognizer: Provider,
        clock: Arc<dyn Clock>,
        config: Arc<Config>,
    ) -> Self {
        let guard = Guard::new(&config.login);
        let webhook = webhook::Client::new(&config.callbacks);
        let outage = Outage::new(store.clone());
        let clock_watch = Arc::new(ClockWatch::new(clock.clone(), store.clone()));
        let bulk_writes = BulkWrites::new(&config.storage);
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
            bulk_writes,
            imports: imports::quota(),
            outage,
            bells: Bells::default(),
            changes: Changes::default(),
            pictures: Pictures::default(),
        }
    }

    /// Forwards notifications from other processes to this one. Never returns.
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

    /// Returns the current time in UTC, truncated to microseconds.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }
}

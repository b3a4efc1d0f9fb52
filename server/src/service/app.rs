//! Application state shared by all requests: the adapters behind their traits, the clock and the options.
//!
//! Built by a command at startup, or by a test.

use std::sync::Arc;

use leadscribe_engine::api::Timestamp;
use object_store::ObjectStore;
use tokio::sync::Notify;

use crate::background::BackgroundTasks;
use crate::clock::Clock;
use crate::clock_watch::ClockWatch;
use crate::concurrency_limit::ConcurrencyLimit;
use crate::config::Config;
use crate::in_flight::InFlightKeys;
use crate::outage::Outage;
use crate::service::auth::sessions::LoginGuard;
use crate::service::imports;
use crate::service::leads::bulk_writes;
use crate::service::operations::change_feed::ChangeFeed;
use crate::service::operations::overview::OverviewCache;
use crate::service::speech::storage_quota::StorageQuota;
use crate::speech::RecognizerProvider;
use crate::storage::{Notice, Store};
use crate::webhook;

/// Wakes workers of this process when there may be work in a queue, so that they needn't wait for their next poll. Other processes are
/// notified through the store, if it supports that ([`App::forward_notifications`]).
#[derive(Debug, Default)]
pub struct Notifiers {
    /// Signaled when a transcription was queued.
    pub transcriptions: Notify,
    /// Signaled when a delivery was queued.
    pub deliveries: Notify,
}

/// The state of a running server.
#[derive(Debug)]
pub struct App {
    /// Everything except the bytes of recordings.
    pub store: Arc<dyn Store>,
    /// The bytes of recordings.
    pub recordings: Arc<dyn ObjectStore>,
    /// Speech recognizer.
    pub recognizer: RecognizerProvider,
    /// Client for callbacks.
    pub webhook_client: webhook::Client,
    /// Source of the current time.
    pub clock: Arc<dyn Clock>,
    /// Detects that the clock was set.
    pub clock_watch: Arc<ClockWatch>,
    /// The options.
    pub config: Arc<Config>,
    /// Limits login attempts and concurrent password hashing.
    pub login_guard: LoginGuard,
    /// Running requests with an idempotency key: caller and key.
    pub keyed_requests: InFlightKeys<(String, String)>,
    /// Limits the stored size of requests by speech tokens.
    pub storage_quota: StorageQuota,
    /// Work that continues after the response.
    pub background: BackgroundTasks,
    /// Running bulk writes.
    pub bulk_writes: ConcurrencyLimit,
    /// Running imports, limited for each credential.
    pub import_limit: ConcurrencyLimit,
    /// Tracks whether the store is available.
    pub outage: Outage,
    /// Wakes the workers of this process.
    pub notifiers: Notifiers,
    /// Publishes changes to open panels.
    pub changes: ChangeFeed,
    /// Cached figures of the overview.
    pub overview_cache: OverviewCache,
}

impl App {
    /// Creates the state from its adapters.
    pub fn new(
        store: Arc<dyn Store>,
        recordings: Arc<dyn ObjectStore>,
        recognizer: RecognizerProvider,
        clock: Arc<dyn Clock>,
        config: Arc<Config>,
    ) -> Self {
        let login_guard = LoginGuard::new(&config.login);
        let webhook_client = webhook::Client::new(&config.callbacks);
        let outage = Outage::new(store.clone());
        let clock_watch = Arc::new(ClockWatch::new(clock.clone(), store.clone()));
        let bulk_writes = bulk_writes::concurrency_limit(&config.storage);
        Self {
            store,
            recordings,
            recognizer,
            webhook_client,
            clock,
            clock_watch,
            config,
            login_guard,
            keyed_requests: InFlightKeys::default(),
            storage_quota: StorageQuota::default(),
            background: BackgroundTasks::default(),
            bulk_writes,
            import_limit: imports::concurrency_limit(),
            outage,
            notifiers: Notifiers::default(),
            changes: ChangeFeed::default(),
            overview_cache: OverviewCache::default(),
        }
    }

    /// Forwards notifications from other processes to this one. Never returns.
    pub async fn forward_notifications(self: &Arc<Self>) {
        let app = Arc::downgrade(self);
        let handle_notice = move |notice| {
            let Some(app) = app.upgrade() else { return };
            match notice {
                Notice::TranscriptionQueued => app.notifiers.transcriptions.notify_one(),
                Notice::DeliveryQueued => app.notifiers.deliveries.notify_one(),
                Notice::StateChanged => app.changes.request_poll(),
            }
        };
        self.store.listen(Arc::new(handle_notice)).await;
    }

    /// Returns the current time in UTC, truncated to microseconds.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }
}

//! What every service works with: the adapters behind their traits, the clock, and the options.
//!
//! Built once at start, by `main.rs` or by a test, and shared by all requests.

use std::sync::Arc;

use leadscribe_engine::api::Timestamp;
use object_store::ObjectStore;

use crate::background::Background;
use crate::clock::Clock;
use crate::config::Config;
use crate::service::sessions::Guard;
use crate::service::submit_calls::InFlight;
use crate::storage::Store;

/// The parts of a running server.
#[derive(Debug)]
pub struct App {
    /// Everything but the bytes of recordings.
    pub store: Arc<dyn Store>,
    /// The bytes of recordings.
    pub recordings: Arc<dyn ObjectStore>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// The options.
    pub config: Arc<Config>,
    /// Bounds log-in attempts and the work of hashing passwords.
    pub guard: Guard,
    /// The idempotency keys of submissions under way.
    pub in_flight: InFlight,
    /// Work that goes on after an answer.
    pub background: Background,
}

impl App {
    /// Puts the parts together.
    pub fn new(
        store: Arc<dyn Store>,
        recordings: Arc<dyn ObjectStore>,
        clock: Arc<dyn Clock>,
        config: Arc<Config>,
    ) -> Self {
        let guard = Guard::new(&config.login);
        Self {
            store,
            recordings,
            clock,
            config,
            guard,
            in_flight: InFlight::default(),
            background: Background::default(),
        }
    }

    /// Now, in UTC, to the microsecond.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }
}

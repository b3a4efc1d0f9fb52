//! The Leadscribe server: the HTTP API, the panel that it serves, and everything behind them.
//!
//! Layers: [`http`] → [`service`] → the traits of [`storage`], [`speech`], [`clock`] ← their adapters. Only `main.rs` and the commands it
//! calls ([`cli`]) name concrete adapters. A handler decodes, calls one service function, and encodes.
//!
//! Where to start: [`http::routes`] is the route table of the API, [`config`] defines the options, [`service::app::App`] is the
//! state of a running server.

pub mod background;
pub mod backup;
pub mod blocking_pool;
pub mod cli;
pub mod clock;
pub mod clock_watch;
pub mod concurrency_limit;
pub mod config;
pub mod demo;
pub mod doctor;
pub mod fd_limit;
pub mod http;
pub mod http_client;
pub mod in_flight;
pub mod low_priority;
pub mod outage;
pub mod phone;
pub mod recording;
pub mod service;
pub mod speech;
pub mod storage;
pub mod telemetry;
pub mod time_zones;
pub mod transcript;
pub mod webhook;
pub mod worker;

//! The Leadscribe server: the HTTP API, the panel that it serves, and everything behind them.
//!
//! Layers: [`http`] → [`service`] → the traits of [`storage`], [`speech`], [`clock`] ← their adapters. Only the
//! commands ([`cli`]) name concrete adapters. A handler decodes, calls one service function, and encodes.
//!
//! Where to start: [`http::routes`] is the route table of the API, [`config`] defines the options, [`service::app::App`] is the
//! state of a running server.

mod background;
mod backup;
mod blocking_pool;
pub mod cli;
pub mod clock;
mod clock_watch;
mod concurrency_limit;
pub mod config;
pub mod demo;
mod doctor;
mod fd_limit;
pub mod http;
mod http_client;
mod in_flight;
mod low_priority;
mod outage;
mod phone;
pub mod recording;
pub mod service;
pub mod speech;
pub mod storage;
pub mod telemetry;
mod time_zones;
pub mod transcript;
mod webhook;
pub mod worker;

//! System tests. Most of them run a server in this process; the others start the program.
//!
//! [`harness`] starts the server and sends requests. The other modules hold the tests:
//!
//! - [`api`]: the routes, one file per resource
//! - [`browser`]: user journeys through the panel
//! - [`filters`]: searches, compared with an independent reference evaluator
//! - [`options`]: the program's options
//! - [`demo`]: the sample data
//! - [`clients`]: clients generated from the OpenAPI document
//! - [`import_command`]: imports by command
//! - [`import_call_details`]: imports of call detail records
//! - [`import_dialects`]: imports of CSV files as spreadsheets and databases write them
//! - [`crash`]: killed processes
//! - [`full_disk`]: a full disk
//! - [`backup`]: backup and restore
//! - [`doctor`]: detection of problems
//! - [`operations`]: metrics and monitoring
//! - [`postgresql`]: several processes on one PostgreSQL database
//! - [`recordings`]: recordings in an S3-compatible store
//! - [`secrets`]: leaks of secrets
//! - [`tls`]: encrypted connections
//! - [`speech`]: calls from recording to delivered transcript
//! - [`torture`]: tests that take minutes

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod api;
mod backup;
mod browser;
mod clients;
mod crash;
mod demo;
mod doctor;
mod filters;
mod full_disk;
mod harness;
mod import_call_details;
mod import_command;
mod import_dialects;
mod operations;
mod options;
mod postgresql;
mod recordings;
mod secrets;
mod speech;
mod tls;
mod torture;

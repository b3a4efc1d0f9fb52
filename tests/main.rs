//! The tests of the whole system, against a server that runs in this process.
//!
//! [`harness`] starts it and talks to it; [`api`] holds the tests of the routes, one file per resource; [`browser`] walks
//! through the panel as people do; [`filters`] compares look-ups with an evaluator that was written apart from the engine;
//! [`options`] starts the program with them; [`import_command`] imports with it, [`import_call_details`] call records of telephone
//! systems, [`import_dialects`] files as spreadsheets and databases write them; [`crash`] kills it; [`full_disk`] fills its disk;
//! [`backup`] backs it up and restores it; [`doctor`] looks for faults; [`operations`] watches it; [`postgresql`] runs several of
//! it on one PostgreSQL database; [`recordings`] keeps recordings in an S3-compatible store; [`secrets`] looks for what must stand
//! nowhere; [`tls`] talks to it by TLS; [`speech`] follows calls from their recording to the text that is delivered; [`torture`]
//! has what takes minutes.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod api;
mod backup;
mod browser;
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

//! Starts a server and sends requests to it.

mod client;
mod corpora;
mod database;
mod endpoint;
mod events;
mod installation;
mod ledger;
mod patient;
mod program;
mod recordings;
mod retention;
mod server;
mod small_disk;
mod speech_server;
mod staff;
mod transcripts;

pub use client::{Answer, Client, body};
pub use corpora::{JsonText, json_texts, naughty_strings};
pub(crate) use database::on_each_database;
pub use database::{Database, postgres};
pub use endpoint::{Arrived, Endpoint};
pub use events::Events;
pub use installation::{Installation, eventually, expect_one_transcript_each, record_call, submission, verdict};
pub use ledger::Crowd;
pub use patient::{Patient, Seen, look_up, send_calls, write_leads};
pub use program::{
    Program, Worker, binary, killed_after, outcome, piped, refusal, run, run_with, run_with_input, told,
};
pub use recordings::{Coding, flac, mp3, wav, wav_coded};
pub use server::Server;
pub use small_disk::SmallDisk;
pub use speech_server::SpeechServer;
pub use staff::{PASSWORD, cookie, log_in};

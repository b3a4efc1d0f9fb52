//! Starts a server and sends requests to it.

mod client;
mod corpora;
mod database;
mod duration;
mod endpoint;
mod events;
mod installation;
mod ledger;
mod program;
mod recordings;
mod retention;
mod retrying_client;
mod server;
mod small_disk;
mod speech_server;
mod staff;
mod transcripts;

pub use client::{Client, Response, body};
pub use corpora::{JsonText, json_texts, naughty_strings};
pub(crate) use database::on_each_database;
pub use database::{Database, create_postgres_database};
pub use duration::measure_test;
pub use endpoint::{Endpoint, ReceivedDelivery};
pub use events::EventStream;
pub use installation::{
    Installation, assert_one_transcript_each, create_recorded_call, eventually, submission_body, submission_outcome,
};
pub use ledger::ClientPool;
pub use program::{
    ServerProcess, WorkerProcess, binary, kill_after, run, run_failing, run_piped, run_to_end, run_with,
    run_with_input, stderr_of,
};
pub use recordings::{WavEncoding, flac, mp3, sample_recording, wav, wav_encoded};
pub use retrying_client::{LoadStats, RetryingClient, search_leads, submit_calls, write_leads};
pub use server::Server;
pub use small_disk::SmallDisk;
pub use speech_server::SpeechServer;
pub use staff::{PASSWORD, log_in, session_cookie};

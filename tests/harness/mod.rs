//! Starts a server and talks to it.

mod client;
mod endpoint;
mod events;
mod program;
mod recordings;
mod server;
mod speech_server;
mod staff;
mod transcripts;

pub use client::{Answer, Client, body};
pub use endpoint::{Arrived, Endpoint};
pub use events::Events;
pub use program::{Program, Worker, run};
pub use recordings::{Coding, flac, mp3, wav, wav_coded};
pub use server::Server;
pub use speech_server::SpeechServer;
pub use staff::{PASSWORD, cookie, log_in};

//! Starts a server and talks to it.

mod client;
mod recordings;
mod server;
mod staff;

pub use client::{Answer, Client, body};
pub use recordings::{Coding, flac, mp3, wav, wav_coded};
pub use server::Server;
pub use staff::{PASSWORD, cookie, log_in};

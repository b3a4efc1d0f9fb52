//! Reasons why a file can't be used as a recording.

use std::io;

use leadscribe_engine::diagnostic::{Message, recording};

/// A file can't be used as a recording.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// The content of the file is unusable, so retries fail too. The message is for the client.
    #[error("{0}")]
    Unusable(Message),
    /// The file can't be read.
    #[error("the file can't be read")]
    Io(#[from] io::Error),
}

impl RecordingError {
    /// Returns the error for an impossible value in the format chunk of a WAV file.
    pub(super) fn format_chunk(field: &str, value: impl std::fmt::Display) -> Self {
        recording::damaged_format_chunk(field, value.to_string()).into()
    }
}

impl From<Message> for RecordingError {
    fn from(message: Message) -> Self {
        Self::Unusable(message)
    }
}

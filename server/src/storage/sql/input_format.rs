//! Input format of a write, which determines how refusals name its members.

use leadscribe_engine::diagnostic::{Diagnostic, Location, Message};

use crate::storage::WriteError;

/// Input format, which determines how members are located.
#[derive(Clone, Copy, Debug)]
pub(super) enum InputFormat {
    /// JSON body.
    Body,
    /// Row of a CSV file.
    Row,
}

impl InputFormat {
    pub(super) fn location(self, member: &str) -> Location {
        match self {
            Self::Body => Location::Pointer(format!("/{member}")),
            Self::Row => Location::Column(member.to_owned()),
        }
    }

    /// Refuses the write because of a member.
    pub(super) fn refuse(self, member: &str, code: &str, message: Message) -> WriteError {
        WriteError::Refused(Diagnostic::new(self.location(member), code, message))
    }

    /// Converts a diagnostic of an engine record, which only knows columns.
    pub(super) fn write_error(self, mut diagnostic: Diagnostic) -> WriteError {
        if let (Self::Body, Location::Column(member)) = (self, &diagnostic.location) {
            diagnostic.location = self.location(member);
        }
        WriteError::Refused(diagnostic)
    }
}

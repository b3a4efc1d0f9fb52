//! Collects diagnostics with the current location.

use super::error;
use crate::diagnostic::{Diagnostic, Location, Span};
use crate::json::{self, MAX_DIAGNOSTICS};

/// Diagnostics found so far, and the current location.
pub(super) struct DiagnosticCollector {
    location: Location,
    pub diagnostics: Vec<Diagnostic>,
}

impl DiagnosticCollector {
    /// Creates an empty collector that starts at `location`.
    pub fn new(location: Location) -> Self {
        Self { location, diagnostics: Vec::new() }
    }

    /// Returns true if the maximum number of diagnostics is reached.
    pub fn is_full(&self) -> bool {
        self.diagnostics.len() >= MAX_DIAGNOSTICS
    }

    /// Adds a diagnostic at the current location.
    pub fn add(&mut self, span: Span, diagnostic: Diagnostic) {
        if !self.is_full() {
            let diagnostic = match self.location {
                Location::Parameter(_) => error::adapt_to_query(diagnostic),
                Location::Pointer(_) | Location::Column(_) => diagnostic,
            };
            self.diagnostics.push(Diagnostic { location: self.location.clone(), byte_range: span, ..diagnostic });
        }
    }

    /// Returns the value, or adds the diagnostic and returns `None`.
    pub fn ok_or_report<T>(&mut self, span: Span, result: Result<T, Diagnostic>) -> Option<T> {
        result.map_err(|diagnostic| self.add(span, diagnostic)).ok()
    }

    /// Moves the current location one level down. Returns the previous length, for [`Self::leave`]. For parameters, the first step is the
    /// parameter's name; deeper levels don't change the location.
    pub fn enter(&mut self, token: &str) -> usize {
        match &mut self.location {
            Location::Pointer(pointer) => {
                let parent_len = pointer.len();
                json::push_pointer(pointer, token);
                parent_len
            }
            Location::Parameter(name) | Location::Column(name) => {
                let parent_len = name.len();
                if parent_len == 0 {
                    name.push_str(token);
                }
                parent_len
            }
        }
    }

    /// Runs `run` one level down.
    pub fn within<T>(&mut self, token: &str, run: impl FnOnce(&mut Self) -> T) -> T {
        let parent_len = self.enter(token);
        let result = run(self);
        self.leave(parent_len);
        result
    }

    /// Moves back up after [`Self::enter`].
    pub fn leave(&mut self, parent_len: usize) {
        let (Location::Pointer(path) | Location::Parameter(path) | Location::Column(path)) = &mut self.location;
        path.truncate(parent_len);
    }
}

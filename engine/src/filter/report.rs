//! Collects faults with the current place.

use super::error;
use crate::diagnostic::{Diagnostic, Place, Span};
use crate::json::{self, MAX_DIAGNOSTICS};

/// Faults found so far, and the current place.
pub(super) struct Report {
    place: Place,
    pub faults: Vec<Diagnostic>,
}

impl Report {
    /// Creates an empty report that starts at `place`.
    pub fn new(place: Place) -> Self {
        Self { place, faults: Vec::new() }
    }

    /// Returns true if the maximum number of faults is reached.
    pub fn is_full(&self) -> bool {
        self.faults.len() >= MAX_DIAGNOSTICS
    }

    /// Adds a fault at the current place.
    pub fn add(&mut self, at: Span, fault: Diagnostic) {
        if !self.is_full() {
            let fault = match self.place {
                Place::Parameter(_) => error::in_query(fault),
                Place::Pointer(_) | Place::Column(_) => fault,
            };
            self.faults.push(Diagnostic { place: self.place.clone(), at, ..fault });
        }
    }

    /// Returns the value, or adds the fault and returns `None`.
    pub fn take<T>(&mut self, at: Span, found: Result<T, Diagnostic>) -> Option<T> {
        found.map_err(|fault| self.add(at, fault)).ok()
    }

    /// Moves the current place one level down. Returns the previous length, for [`Self::back`]. For parameters, the first step is the
    /// parameter's name; deeper levels have no place of their own.
    pub fn step(&mut self, step: &str) -> usize {
        match &mut self.place {
            Place::Pointer(pointer) => {
                let outer = pointer.len();
                json::push_pointer(pointer, step);
                outer
            }
            Place::Parameter(name) | Place::Column(name) => {
                let outer = name.len();
                if outer == 0 {
                    name.push_str(step);
                }
                outer
            }
        }
    }

    /// Runs `look` one level down.
    pub fn inside<T>(&mut self, step: &str, look: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.step(step);
        let seen = look(self);
        self.back(outer);
        seen
    }

    /// Moves back up after [`Self::step`].
    pub fn back(&mut self, outer: usize) {
        let (Place::Pointer(path) | Place::Parameter(path) | Place::Column(path)) = &mut self.place;
        path.truncate(outer);
    }
}

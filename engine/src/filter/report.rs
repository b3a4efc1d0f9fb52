//! The faults found so far, and the place that is being looked at.

use super::error;
use crate::fault::{Fault, Place, Span};
use crate::json::{self, MAX_FAULTS};

/// Faults, and the place that is being looked at.
pub(super) struct Report {
    place: Place,
    pub faults: Vec<Fault>,
}

impl Report {
    /// An empty report on what stands at `place`.
    pub fn new(place: Place) -> Self {
        Self { place, faults: Vec::new() }
    }

    /// Whether no more faults are taken; then there is no need to look on.
    pub fn is_full(&self) -> bool {
        self.faults.len() >= MAX_FAULTS
    }

    /// Adds a fault of the place that is being looked at.
    pub fn add(&mut self, at: Span, fault: Fault) {
        if !self.is_full() {
            let fault = match self.place {
                Place::Parameter(_) => error::in_query(fault),
                Place::Pointer(_) | Place::Column(_) => fault,
            };
            self.faults.push(Fault { place: self.place.clone(), at, ..fault });
        }
    }

    /// What was found, or none and its fault added.
    pub fn take<T>(&mut self, at: Span, found: Result<T, Fault>) -> Option<T> {
        found.map_err(|fault| self.add(at, fault)).ok()
    }

    /// Goes one step further down, and says where from. The first step among parameters is the name of one; inside its
    /// value nothing has a place of its own.
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

    /// Looks one step further down while `look` runs.
    pub fn inside<T>(&mut self, step: &str, look: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.step(step);
        let seen = look(self);
        self.back(outer);
        seen
    }

    /// Goes back up from a [`Self::step`].
    pub fn back(&mut self, outer: usize) {
        let (Place::Pointer(path) | Place::Parameter(path) | Place::Column(path)) = &mut self.place;
        path.truncate(outer);
    }
}

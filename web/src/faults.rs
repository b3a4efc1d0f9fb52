//! Which faults stand at which input.

use leadscribe_engine::fault::{Fault, Place};

/// Those faults that stand at `place` or inside it: a JSON Pointer into the body, or the name of a parameter.
pub fn faults_at(faults: &[Fault], place: &str) -> Vec<Fault> {
    faults.iter().filter(|fault| stands_at(fault, place)).cloned().collect()
}

/// Whether a fault stands at `place` or inside it.
pub fn stands_at(fault: &Fault, place: &str) -> bool {
    match &fault.place {
        Place::Pointer(pointer) => {
            pointer.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        }
        Place::Parameter(name) | Place::Column(name) => name == place,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_stand_at_a_member_or_inside_it() {
        let places =
            [Place::Pointer("/scopes/0".into()), Place::Pointer("/scopes_too".into()), Place::Parameter("from".into())];
        let faults = places.map(|place| Fault::new(place, "wrong", "wrong"));
        assert_eq!(faults_at(&faults, "/scopes"), faults[..1]);
        assert_eq!(faults_at(&faults, "from"), faults[2..]);
    }
}

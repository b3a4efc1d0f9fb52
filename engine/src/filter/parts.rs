//! Converts filters to the tree of rows and groups in the panel's form, and back.
//!
//! All parts of a form must match, like all conditions of an object. An `all` group within an `any` group is a branch with several
//! conditions; next to other conditions it is an `_and`.

use super::ast::{Branch, Condition, Filter, Group, Junction};
use super::form::{Row, condition_of, rows_of};
use crate::diagnostic::Span;
use crate::json::push_pointer;

/// A part of a form.
#[derive(Clone, Debug, PartialEq)]
pub struct Part<M> {
    /// Identifier of the part. When read from a filter, its place in the filter as a JSON Pointer.
    pub mark: M,
    /// Content.
    pub says: Says<M>,
}

/// Content of a part.
#[derive(Clone, Debug, PartialEq)]
pub enum Says<M> {
    /// A field, an operator and values.
    Row(Row),
    /// A group of parts.
    Group(Junction, Vec<Part<M>>),
    /// A condition that rows can't express, as written.
    Kept(Condition),
}

/// A filter made from parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Written<M> {
    /// The filter.
    pub filter: Filter,
    /// The place of each complete part as a JSON Pointer, by its mark.
    pub places: Vec<(M, String)>,
}

impl<M> Part<M> {
    /// Returns true if the part is complete.
    fn is_complete(&self) -> bool {
        match &self.says {
            Says::Row(row) => row.is_complete(),
            Says::Group(_, parts) => parts.iter().any(Self::is_complete),
            Says::Kept(_) => true,
        }
    }

    /// Returns the slot that the part occupies in an object: a key, or one operator of a key.
    fn slot(&self) -> (&str, Option<&str>) {
        match &self.says {
            Says::Row(row) => (row.key.as_str(), Some(row.operator.as_str())),
            Says::Kept(Condition::Field(field)) => (field.key.text.as_str(), None),
            Says::Group(junction, _) => (junction.key(), None),
            Says::Kept(Condition::Group(group)) => (group.junction.key(), None),
        }
    }

    fn is_all(&self) -> bool {
        self.slot().0 == Junction::All.key()
    }

    /// Returns true if one object can't contain both, because each key and each of its operators occurs only once.
    fn clashes_with(&self, other: &Self) -> bool {
        let ((key, operator), (other_key, other_operator)) = (self.slot(), other.slot());
        key == other_key && (operator == other_operator || operator.is_none() || other_operator.is_none())
    }
}

/// Converts the filter's conditions to parts.
pub fn read(filter: &Filter) -> Vec<Part<String>> {
    read_all(&filter.conditions, "")
}

fn read_all(conditions: &[Condition], outer: &str) -> Vec<Part<String>> {
    let mut parts: Vec<Part<String>> = Vec::new();
    for condition in conditions {
        let kept = || Says::Kept(condition.clone());
        match condition {
            Condition::Field(field) => {
                let place = inside(outer, &field.key.text);
                let says: Vec<_> = match rows_of(field) {
                    Some(rows) => rows.into_iter().map(Says::Row).collect(),
                    None => vec![kept()],
                };
                parts.extend(says.into_iter().map(|says| Part { mark: place.clone(), says }));
            }
            Condition::Group(group) => {
                let place = inside(outer, group.junction.key());
                match read_group(group, &place) {
                    Some(children) if is_overflow(&children, group.junction, &parts) => parts.extend(children),
                    Some(children) => {
                        parts.push(Part { mark: place, says: Says::Group(group.junction, children) });
                    }
                    None => parts.push(Part { mark: place, says: kept() }),
                }
            }
        }
    }
    parts
}

/// Returns the parts of a group. `None` if the group has empty branches, which the conversion would lose.
fn read_group(group: &Group, place: &str) -> Option<Vec<Part<String>>> {
    if group.branches.is_empty() || group.branches.iter().any(|branch| branch.conditions.is_empty()) {
        return None;
    }
    let mut children = Vec::new();
    for branch in &group.branches {
        let place = inside(place, &branch.index.to_string());
        let mut parts = read_all(&branch.conditions, &place);
        if group.junction == Junction::All || parts.len() == 1 {
            children.append(&mut parts);
        } else {
            children.push(Part { mark: place, says: Says::Group(Junction::All, parts) });
        }
    }
    Some(children)
}

/// Returns true if these parts are only separate because they don't fit into the same object as the parts before.
fn is_overflow(children: &[Part<String>], junction: Junction, before: &[Part<String>]) -> bool {
    let has_no_room = |child: &Part<String>| child.is_all() || before.iter().any(|other| other.clashes_with(child));
    junction == Junction::All && children.iter().all(has_no_room)
}

fn inside(place: &str, step: &str) -> String {
    let mut inner = place.to_owned();
    push_pointer(&mut inner, step);
    inner
}

/// Builds the filter from the parts, with the controls of `keep`.
pub fn write<M: Clone>(parts: &[Part<M>], keep: &Filter) -> Written<M> {
    let mut writer = Writer { places: Vec::new() };
    let conditions = writer.all(&parts.iter().collect::<Vec<_>>(), "");
    let filter = Filter { conditions, controls: keep.controls.clone(), span: Span::default() };
    Written { filter, places: writer.places }
}

struct Writer<M> {
    places: Vec<(M, String)>,
}

impl<M: Clone> Writer<M> {
    /// Returns the conditions of an object with all these parts.
    fn all(&mut self, parts: &[&Part<M>], place: &str) -> Vec<Condition> {
        let complete = parts.iter().copied().filter(|part| part.is_complete());
        let (groups, others): (Vec<_>, Vec<_>) = complete.partition(|part| part.is_all());
        let mut levels: Vec<Vec<&Part<M>>> = Vec::new();
        for part in others {
            match levels.iter_mut().find(|level| !level.iter().any(|other| other.clashes_with(part))) {
                Some(level) => level.push(part),
                None => levels.push(vec![part]),
            }
        }
        let mut levels = levels.into_iter();
        let mut conditions = levels.next().map(|level| self.object(&level, place)).unwrap_or_default();
        let rest: Vec<_> = levels.collect();
        match groups.as_slice() {
            [] if rest.is_empty() => {}
            [group] if rest.is_empty() => conditions.push(self.group(group, place)),
            // An object has one `_and`, so parts that don't fit become branches of it.
            groups => {
                let branches = groups.iter().map(|group| vec![*group]).chain(rest).collect();
                conditions.push(self.join(Junction::All, branches, place));
            }
        }
        conditions
    }

    /// Returns one condition per key, in the order of each key's first occurrence.
    fn object(&mut self, parts: &[&Part<M>], place: &str) -> Vec<Condition> {
        let of_key = |part: &&Part<M>, key: &str| match &part.says {
            Says::Row(row) if row.key == key => Some(row.clone()),
            _ => None,
        };
        let mut conditions = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            let Says::Row(row) = &part.says else {
                conditions.push(self.group(part, place));
                continue;
            };
            self.places.push((part.mark.clone(), inside(place, &row.key)));
            if !parts[..index].iter().any(|other| of_key(other, &row.key).is_some()) {
                let rows: Vec<Row> = parts.iter().filter_map(|part| of_key(part, &row.key)).collect();
                conditions.push(condition_of(&row.key, &rows));
            }
        }
        conditions
    }

    /// Returns the condition of a part other than a row.
    fn group(&mut self, part: &Part<M>, outer: &str) -> Condition {
        let place = inside(outer, part.slot().0);
        self.places.push((part.mark.clone(), place.clone()));
        match &part.says {
            Says::Group(junction, parts) => {
                let mut branches = Vec::new();
                for part in parts.iter().filter(|part| part.is_complete()) {
                    match &part.says {
                        Says::Group(Junction::All, inner) if *junction == Junction::Any => {
                            self.places.push((part.mark.clone(), inside(&place, &branches.len().to_string())));
                            branches.push(inner.iter().collect());
                        }
                        _ => branches.push(vec![part]),
                    }
                }
                self.join(*junction, branches, outer)
            }
            Says::Kept(condition) => condition.clone(),
            Says::Row(row) => condition_of(&row.key, std::slice::from_ref(row)),
        }
    }

    fn join(&mut self, junction: Junction, branches: Vec<Vec<&Part<M>>>, outer: &str) -> Condition {
        let place = inside(outer, junction.key());
        let branches = branches.into_iter().enumerate().map(|(index, parts)| {
            let conditions = self.all(&parts, &inside(&place, &index.to_string()));
            Branch { index, conditions, span: Span::default() }
        });
        let branches = branches.collect();
        Condition::Group(Group { junction, key_span: Span::default(), branches, span: Span::default() })
    }
}

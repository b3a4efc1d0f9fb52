//! Converts filters to the tree of rows and groups in the panel's form, and back.
//!
//! All parts of a form must match, like all conditions of an object. An `all` group within an `any` group is a branch with several
//! conditions; next to other conditions it is an `_and`.

use super::ast::{Branch, Condition, Group, Junction, SyntaxTree};
use super::form::{FormRow, to_condition, to_rows};
use crate::diagnostic::Span;
use crate::json::push_pointer;

/// A part of a form.
#[derive(Clone, Debug, PartialEq)]
pub struct FormNode<Id> {
    /// Identifier of the part. When read from a filter, its JSON Pointer in the filter.
    pub id: Id,
    /// Content.
    pub content: NodeContent<Id>,
}

/// Content of a part.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeContent<Id> {
    /// A field, an operator and values.
    Row(FormRow),
    /// A group of parts.
    Group(Junction, Vec<FormNode<Id>>),
    /// A condition that rows can't express, as written.
    Raw(Condition),
}

/// A filter made from parts.
#[derive(Clone, Debug, PartialEq)]
pub struct BuiltFilter<Id> {
    /// The filter.
    pub filter: SyntaxTree,
    /// The id of each complete part, with its JSON Pointer in the filter.
    pub pointers: Vec<(Id, String)>,
}

impl<Id> FormNode<Id> {
    /// Returns true if the part is complete.
    fn is_complete(&self) -> bool {
        match &self.content {
            NodeContent::Row(row) => row.is_complete(),
            NodeContent::Group(_, parts) => parts.iter().any(Self::is_complete),
            NodeContent::Raw(_) => true,
        }
    }

    /// Returns the slot that the part occupies in an object: a key, or one operator of a key.
    fn object_slot(&self) -> (&str, Option<&str>) {
        match &self.content {
            NodeContent::Row(row) => (row.key.as_str(), Some(row.operator.as_str())),
            NodeContent::Raw(Condition::Field(field)) => (field.key.text.as_str(), None),
            NodeContent::Group(junction, _) => (junction.key(), None),
            NodeContent::Raw(Condition::Group(group)) => (group.junction.key(), None),
        }
    }

    fn is_all_group(&self) -> bool {
        self.object_slot().0 == Junction::All.key()
    }

    /// Returns true if one object can't contain both, because each key and each of its operators occurs only once.
    fn conflicts_with(&self, other: &Self) -> bool {
        let ((key, operator), (other_key, other_operator)) = (self.object_slot(), other.object_slot());
        key == other_key && (operator == other_operator || operator.is_none() || other_operator.is_none())
    }
}

/// Converts the filter's conditions to parts.
pub fn nodes_from_filter(filter: &SyntaxTree) -> Vec<FormNode<String>> {
    nodes_from_conditions(&filter.conditions, "")
}

fn nodes_from_conditions(conditions: &[Condition], parent: &str) -> Vec<FormNode<String>> {
    let mut parts: Vec<FormNode<String>> = Vec::new();
    for condition in conditions {
        let raw = || NodeContent::Raw(condition.clone());
        match condition {
            Condition::Field(field) => {
                let pointer = child_pointer(parent, &field.key.text);
                let contents: Vec<_> = match to_rows(field) {
                    Some(rows) => rows.into_iter().map(NodeContent::Row).collect(),
                    None => vec![raw()],
                };
                parts.extend(contents.into_iter().map(|contents| FormNode { id: pointer.clone(), content: contents }));
            }
            Condition::Group(group) => {
                let pointer = child_pointer(parent, group.junction.key());
                match nodes_from_group(group, &pointer) {
                    Some(children) if is_overflow(&children, group.junction, &parts) => parts.extend(children),
                    Some(children) => {
                        parts.push(FormNode { id: pointer, content: NodeContent::Group(group.junction, children) });
                    }
                    None => parts.push(FormNode { id: pointer, content: raw() }),
                }
            }
        }
    }
    parts
}

/// Returns the parts of a group. `None` if the group has empty branches, which the conversion would lose.
fn nodes_from_group(group: &Group, pointer: &str) -> Option<Vec<FormNode<String>>> {
    if group.branches.is_empty() || group.branches.iter().any(|branch| branch.conditions.is_empty()) {
        return None;
    }
    let mut children = Vec::new();
    for branch in &group.branches {
        let pointer = child_pointer(pointer, &branch.index.to_string());
        let mut parts = nodes_from_conditions(&branch.conditions, &pointer);
        if group.junction == Junction::All || parts.len() == 1 {
            children.append(&mut parts);
        } else {
            children.push(FormNode { id: pointer, content: NodeContent::Group(Junction::All, parts) });
        }
    }
    Some(children)
}

/// Returns true if these parts are only separate because they don't fit into the same object as the parts before.
fn is_overflow(children: &[FormNode<String>], junction: Junction, previous: &[FormNode<String>]) -> bool {
    let does_not_fit =
        |child: &FormNode<String>| child.is_all_group() || previous.iter().any(|other| other.conflicts_with(child));
    junction == Junction::All && children.iter().all(does_not_fit)
}

fn child_pointer(parent: &str, token: &str) -> String {
    let mut pointer = parent.to_owned();
    push_pointer(&mut pointer, token);
    pointer
}

/// Builds the filter from the parts, with the controls of `original`.
pub fn filter_from_nodes<Id: Clone>(parts: &[FormNode<Id>], original: &SyntaxTree) -> BuiltFilter<Id> {
    let mut builder = FilterBuilder { pointers: Vec::new() };
    let conditions = builder.conditions(&parts.iter().collect::<Vec<_>>(), "");
    let filter = SyntaxTree { conditions, controls: original.controls.clone(), span: Span::default() };
    BuiltFilter { filter, pointers: builder.pointers }
}

struct FilterBuilder<Id> {
    pointers: Vec<(Id, String)>,
}

impl<Id: Clone> FilterBuilder<Id> {
    /// Returns the conditions of an object with all these parts.
    fn conditions(&mut self, parts: &[&FormNode<Id>], pointer: &str) -> Vec<Condition> {
        let complete_nodes = parts.iter().copied().filter(|part| part.is_complete());
        let (groups, others): (Vec<_>, Vec<_>) = complete_nodes.partition(|part| part.is_all_group());
        let mut levels: Vec<Vec<&FormNode<Id>>> = Vec::new();
        for part in others {
            match levels.iter_mut().find(|level| !level.iter().any(|other| other.conflicts_with(part))) {
                Some(level) => level.push(part),
                None => levels.push(vec![part]),
            }
        }
        let mut levels = levels.into_iter();
        let mut conditions = levels.next().map(|level| self.row_conditions(&level, pointer)).unwrap_or_default();
        let overflow: Vec<_> = levels.collect();
        match groups.as_slice() {
            [] if overflow.is_empty() => {}
            [group] if overflow.is_empty() => conditions.push(self.group_condition(group, pointer)),
            // An object has one `_and`, so parts that don't fit become branches of it.
            groups => {
                let branches = groups.iter().map(|group| vec![*group]).chain(overflow).collect();
                conditions.push(self.join_branches(Junction::All, branches, pointer));
            }
        }
        conditions
    }

    /// Returns one condition per key, in the order of each key's first occurrence.
    fn row_conditions(&mut self, parts: &[&FormNode<Id>], pointer: &str) -> Vec<Condition> {
        let row_with_key = |part: &&FormNode<Id>, key: &str| match &part.content {
            NodeContent::Row(row) if row.key == key => Some(row.clone()),
            _ => None,
        };
        let mut conditions = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            let NodeContent::Row(row) = &part.content else {
                conditions.push(self.group_condition(part, pointer));
                continue;
            };
            self.pointers.push((part.id.clone(), child_pointer(pointer, &row.key)));
            if !parts[..index].iter().any(|other| row_with_key(other, &row.key).is_some()) {
                let rows: Vec<FormRow> = parts.iter().filter_map(|part| row_with_key(part, &row.key)).collect();
                conditions.push(to_condition(&row.key, &rows));
            }
        }
        conditions
    }

    /// Returns the condition of a part other than a row.
    fn group_condition(&mut self, part: &FormNode<Id>, parent: &str) -> Condition {
        let pointer = child_pointer(parent, part.object_slot().0);
        self.pointers.push((part.id.clone(), pointer.clone()));
        match &part.content {
            NodeContent::Group(junction, parts) => {
                let mut branches = Vec::new();
                for part in parts.iter().filter(|part| part.is_complete()) {
                    match &part.content {
                        NodeContent::Group(Junction::All, children) if *junction == Junction::Any => {
                            self.pointers.push((part.id.clone(), child_pointer(&pointer, &branches.len().to_string())));
                            branches.push(children.iter().collect());
                        }
                        _ => branches.push(vec![part]),
                    }
                }
                self.join_branches(*junction, branches, parent)
            }
            NodeContent::Raw(condition) => condition.clone(),
            NodeContent::Row(row) => to_condition(&row.key, std::slice::from_ref(row)),
        }
    }

    fn join_branches(&mut self, junction: Junction, branches: Vec<Vec<&FormNode<Id>>>, parent: &str) -> Condition {
        let pointer = child_pointer(parent, junction.key());
        let branches = branches.into_iter().enumerate().map(|(index, parts)| {
            let conditions = self.conditions(&parts, &child_pointer(&pointer, &index.to_string()));
            Branch { index, conditions, span: Span::default() }
        });
        let branches = branches.collect();
        Condition::Group(Group { junction, key_span: Span::default(), branches, span: Span::default() })
    }
}

//! Tree of the form's lines and groups, and its edit operations.

use std::iter;

use leadscribe_engine::filter::MAX_GROUP_DEPTH;
use leadscribe_engine::filter::ast::{Condition, Junction};
use leadscribe_engine::filter::form::FormRow;

use super::lines::default_test;
use crate::i18n::relative_date::RelativeCondition;

/// A line of the form. Lines with equal content compare as equal.
#[derive(Clone, Debug)]
pub struct Line {
    /// Identifies the line during editing.
    pub number: usize,
    /// Location in the filter as a JSON pointer; `None` for a line without content.
    pub pointer: Option<String>,
    pub content: Content,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    Test(FormRow),
    /// A relative date; the filter contains its current dates.
    Relative(RelativeCondition),
    /// A condition that can only be edited as JSON.
    Unsupported(Condition),
    /// A group: any or all of these lines must match.
    Group(Junction, Vec<Line>),
}

/// Edit operation on the line with this number. `None` as parent is the form itself.
#[derive(Clone, Debug)]
pub enum Edit {
    Change(usize, Content),
    SetJunction(usize, Junction),
    Remove(usize),
    AddTest(Option<usize>),
    AddGroup(Option<usize>),
}

impl Content {
    /// The relative date, if the line is one.
    pub fn relative(&self) -> Option<&RelativeCondition> {
        match self {
            Self::Relative(condition) => Some(condition),
            Self::Test(_) | Self::Unsupported(_) | Self::Group(..) => None,
        }
    }
}

impl PartialEq for Line {
    fn eq(&self, other: &Self) -> bool {
        self.content == other.content
    }
}

impl Line {
    /// Lines of a group; empty for any other line.
    fn children(&self) -> &[Self] {
        match &self.content {
            Content::Group(_, lines) => lines,
            _ => &[],
        }
    }

    /// Lines in a group, at any depth.
    pub fn descendants(&self) -> Vec<&Self> {
        self.children().iter().flat_map(|line| iter::once(line).chain(line.descendants())).collect()
    }
}

pub fn find(lines: &[Line], number: usize) -> Option<&Line> {
    lines.iter().find_map(|line| if line.number == number { Some(line) } else { find(line.children(), number) })
}

/// Calls the visitor for each line, including lines in groups.
pub fn visit(lines: &mut [Line], visitor: &mut impl FnMut(&mut Line)) {
    for line in lines {
        visitor(line);
        if let Content::Group(_, children) = &mut line.content {
            visit(children, visitor);
        }
    }
}

/// Direct children of a group or the form.
pub fn child_lines(lines: &[Line], parent: Option<usize>) -> &[Line] {
    match parent {
        None => lines,
        Some(number) => find(lines, number).map(Line::children).unwrap_or_default(),
    }
}

/// Junction of the lines in a group or the form, and their depth in the filter. An "all" group inside an "any" group is
/// a branch of it and doesn't add to the depth.
fn parent_junction(lines: &[Line], parent: Option<usize>) -> Option<(Junction, usize)> {
    fn search(lines: &[Line], parent: (Junction, usize), number: usize) -> Option<(Junction, usize)> {
        lines.iter().find_map(|line| {
            let Content::Group(junction, children) = &line.content else { return None };
            let is_branch = (parent.0, *junction) == (Junction::Any, Junction::All);
            let nested = (*junction, parent.1 + usize::from(!is_branch));
            if line.number == number { Some(nested) } else { search(children, nested, number) }
        })
    }
    let root = (Junction::All, 0);
    parent.map_or(Some(root), |number| search(lines, root, number))
}

/// Junction of a new group inside this one: "any" inside "all", and "all" inside "any". Returns `None` if the filter
/// language permits no deeper group.
pub fn new_group_junction(lines: &[Line], parent: Option<usize>) -> Option<Junction> {
    match parent_junction(lines, parent)? {
        (Junction::Any, _) => Some(Junction::All),
        (Junction::All, depth) => (depth < MAX_GROUP_DEPTH).then_some(Junction::Any),
    }
}

/// Element id of the field picker of a line.
pub fn field_picker_id(number: usize) -> String {
    format!("condition-{number}-field")
}

/// Element id of the button that adds a line to a group or to the form.
pub fn add_button_id(parent: Option<usize>) -> String {
    parent.map_or_else(|| "condition-add".to_owned(), |number| format!("condition-add-{number}"))
}

/// Applies an edit. New lines are numbered from `next_number`. Returns the id of the element that receives the focus,
/// if the focus moves.
pub fn apply_edit(lines: &mut Vec<Line>, edit: Edit, next_number: &mut usize) -> Option<String> {
    let mut new_line = |content| {
        *next_number += 1;
        Line { number: *next_number - 1, pointer: None, content }
    };
    match edit {
        Edit::Change(number, content) => {
            if let Some(line) = find_mut(lines, number) {
                line.content = content;
            }
            None
        }
        Edit::SetJunction(number, junction) => {
            if let Some(Line { content: Content::Group(old, _), .. }) = find_mut(lines, number) {
                *old = junction;
            }
            None
        }
        Edit::Remove(number) => remove(lines, None, number).map(add_button_id),
        Edit::AddTest(parent) => {
            let line = new_line(Content::Test(default_test()));
            let number = line.number;
            add(lines, parent, line);
            Some(field_picker_id(number))
        }
        Edit::AddGroup(parent) => {
            let junction = new_group_junction(lines, parent)?;
            let first = new_line(Content::Test(default_test()));
            let number = first.number;
            let group = new_line(Content::Group(junction, vec![first]));
            add(lines, parent, group);
            Some(field_picker_id(number))
        }
    }
}

fn find_mut(lines: &mut [Line], number: usize) -> Option<&mut Line> {
    lines.iter_mut().find_map(|line| match line {
        line if line.number == number => Some(line),
        Line { content: Content::Group(_, children), .. } => find_mut(children, number),
        _ => None,
    })
}

fn add(lines: &mut Vec<Line>, parent: Option<usize>, line: Line) {
    match parent.map(|number| find_mut(lines, number)) {
        None => lines.push(line),
        Some(Some(Line { content: Content::Group(_, children), .. })) => children.push(line),
        Some(_) => {}
    }
}

/// Removes a line and returns its parent.
fn remove(lines: &mut Vec<Line>, parent: Option<usize>, number: usize) -> Option<Option<usize>> {
    if let Some(index) = lines.iter().position(|line| line.number == number) {
        lines.remove(index);
        return Some(parent);
    }
    lines.iter_mut().find_map(|line| match &mut line.content {
        Content::Group(_, children) => remove(children, Some(line.number), number),
        _ => None,
    })
}

/// Gives parsed lines the numbers of the previous lines that they continue, so that their elements are kept. Equal
/// lines match at the beginning and at the end; lines between them match in order.
pub fn reuse_numbers(new_lines: &mut [Line], old_lines: &[Line], next_number: &mut usize) {
    let is_same = |(new, old): &(&Line, &Line)| new == old;
    let prefix_len = new_lines.iter().zip(old_lines).take_while(is_same).count();
    let suffix_len =
        new_lines[prefix_len..].iter().rev().zip(old_lines[prefix_len..].iter().rev()).take_while(is_same).count();
    let (old_start, old_suffix) = old_lines.split_at(old_lines.len() - suffix_len);
    let suffix_start = new_lines.len() - suffix_len;
    for (index, line) in new_lines.iter_mut().enumerate() {
        let old = if index < suffix_start { old_start.get(index) } else { old_suffix.get(index - suffix_start) };
        line.number = old.map_or(*next_number, |old| old.number);
        *next_number = (*next_number).max(line.number + 1);
        if let Content::Group(_, children) = &mut line.content {
            reuse_numbers(children, old.map(Line::children).unwrap_or_default(), next_number);
        }
    }
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::filter::parse;

    use crate::ui::filter_editor::line_tree::*;
    use crate::ui::filter_editor::lines::lines_from_filter;

    fn parse_lines(text: &str) -> Vec<Line> {
        lines_from_filter(&parse(text).tree)
    }

    /// Numbers in the order of the form; a group comes before its lines.
    fn numbers(lines: &mut [Line]) -> Vec<usize> {
        let mut numbers = Vec::new();
        visit(lines, &mut |line| numbers.push(line.number));
        numbers
    }

    #[test]
    fn unchanged_lines_keep_their_numbers() {
        let mut next_number = 0;
        let mut previous = Vec::new();
        for (text, expected) in [
            (r#"{"city":"Bonn"}"#, vec![0]),
            (r#"{"city":"Bonn","state":"NW"}"#, vec![0, 1]),
            // The user is still typing the state.
            (r#"{"city":"Bonn","state":"N"}"#, vec![0, 1]),
            // A line is inserted between them, then one before them.
            (r#"{"city":"Bonn","zip":"53111","state":"N"}"#, vec![0, 2, 1]),
            (r#"{"email":"a@b.de","city":"Bonn","zip":"53111","state":"N"}"#, vec![3, 0, 2, 1]),
            (r#"{"city":"Bonn","state":"N"}"#, vec![3, 1]),
            ("{}", vec![]),
            // A group, then one more line in it, then a line before it.
            (r#"{"_or":[{"id":1},{"id":2}]}"#, vec![4, 5, 6]),
            (r#"{"_or":[{"id":1},{"zip":"5"},{"id":2}]}"#, vec![4, 5, 7, 6]),
            (r#"{"city":"Bonn","_or":[{"id":1},{"zip":"5"},{"id":2}]}"#, vec![8, 4, 5, 7, 6]),
        ] {
            let mut lines = parse_lines(text);
            reuse_numbers(&mut lines, &previous, &mut next_number);
            assert_eq!(numbers(&mut lines), expected, "{text}");
            previous = lines;
        }
    }

    #[test]
    fn limits_group_depth() {
        let (mut lines, mut next_number, mut parent, mut group_count) = (Vec::new(), 0, None, 0);
        while new_group_junction(&lines, parent).is_some() {
            apply_edit(&mut lines, Edit::AddGroup(parent), &mut next_number);
            parent =
                child_lines(&lines, parent).iter().find(|line| !line.children().is_empty()).map(|line| line.number);
            group_count += 1;
        }
        // Each "any" group contains an "all" group as its branch.
        assert_eq!(group_count, 2 * MAX_GROUP_DEPTH);
    }
}

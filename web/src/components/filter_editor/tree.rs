//! Tree of the form's lines and groups, and its edit operations.

use leadscribe_engine::filter::MAX_GROUP_DEPTH;
use leadscribe_engine::filter::ast::{Condition, Junction};
use leadscribe_engine::filter::form::Row;

use super::rows::new_test;
use crate::relative::Choice;

/// A line of the form. Lines with equal content compare as equal.
#[derive(Clone, Debug)]
pub struct Line {
    /// Identifies the line during editing.
    pub number: usize,
    /// Location in the filter as a JSON pointer; `None` for a line without content.
    pub place: Option<String>,
    pub content: Content,
}

/// Content of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    Test(Row),
    /// A relative date; the filter contains its current dates.
    Relative(Choice),
    /// A condition that can only be edited as JSON.
    Kept(Condition),
    /// A group: any or all of these lines must match.
    Group(Junction, Vec<Line>),
}

/// Edit operation on the line with this number. `None` as parent is the form itself.
#[derive(Clone, Debug)]
pub enum Edit {
    Change(usize, Content),
    Switch(usize, Junction),
    Remove(usize),
    AddTest(Option<usize>),
    AddGroup(Option<usize>),
}

/// Element that receives the focus after an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoOn {
    Here,
    /// The field picker of a line.
    Field(usize),
    /// The add button of a group or the form.
    Add(Option<usize>),
}

impl Content {
    /// The relative date, if the line is one.
    pub fn relative(&self) -> Option<&Choice> {
        match self {
            Self::Relative(choice) => Some(choice),
            Self::Test(_) | Self::Kept(_) | Self::Group(..) => None,
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
    fn inner(&self) -> &[Self] {
        match &self.content {
            Content::Group(_, lines) => lines,
            _ => &[],
        }
    }
}

/// Finds a line by its number.
pub fn find(lines: &[Line], number: usize) -> Option<&Line> {
    lines.iter().find_map(|line| if line.number == number { Some(line) } else { find(line.inner(), number) })
}

/// Calls the visitor for each line, including lines in groups.
pub fn visit(lines: &mut [Line], visitor: &mut impl FnMut(&mut Line)) {
    for line in lines {
        visitor(line);
        if let Content::Group(_, inner) = &mut line.content {
            visit(inner, visitor);
        }
    }
}

/// Direct children of a group or the form.
pub fn lines_within(lines: &[Line], within: Option<usize>) -> &[Line] {
    match within {
        None => lines,
        Some(number) => find(lines, number).map(Line::inner).unwrap_or_default(),
    }
}

/// Junction of the lines in a group or the form, and their depth in the filter. An "all" group inside an "any" group is a branch of it and
/// doesn't add to the depth.
fn joined_within(lines: &[Line], within: Option<usize>) -> Option<(Junction, usize)> {
    fn look(lines: &[Line], outer: (Junction, usize), number: usize) -> Option<(Junction, usize)> {
        lines.iter().find_map(|line| {
            let Content::Group(junction, inner) = &line.content else { return None };
            let is_branch = (outer.0, *junction) == (Junction::Any, Junction::All);
            let here = (*junction, outer.1 + usize::from(!is_branch));
            if line.number == number { Some(here) } else { look(inner, here, number) }
        })
    }
    let form = (Junction::All, 0);
    within.map_or(Some(form), |number| look(lines, form, number))
}

/// Junction of a new group inside this one: "any" inside "all", and "all" inside "any". Returns `None` if the filter language permits no
/// deeper group.
pub fn group_for(lines: &[Line], within: Option<usize>) -> Option<Junction> {
    match joined_within(lines, within)? {
        (Junction::Any, _) => Some(Junction::All),
        (Junction::All, depth) => (depth < MAX_GROUP_DEPTH).then_some(Junction::Any),
    }
}

/// Applies an edit. New lines are numbered from `next`.
pub fn apply(lines: &mut Vec<Line>, edit: Edit, next: &mut usize) -> GoOn {
    let mut new = |content| {
        *next += 1;
        Line { number: *next - 1, place: None, content }
    };
    match edit {
        Edit::Change(number, content) => {
            change(lines, number, |old| *old = content);
            GoOn::Here
        }
        Edit::Switch(number, junction) => {
            change(lines, number, |old| {
                if let Content::Group(old, _) = old {
                    *old = junction;
                }
            });
            GoOn::Here
        }
        Edit::Remove(number) => remove(lines, None, number).unwrap_or(GoOn::Here),
        Edit::AddTest(within) => {
            let line = new(Content::Test(new_test()));
            let number = line.number;
            add(lines, within, line);
            GoOn::Field(number)
        }
        Edit::AddGroup(within) => {
            let Some(junction) = group_for(lines, within) else { return GoOn::Here };
            let first = new(Content::Test(new_test()));
            let number = first.number;
            let group = new(Content::Group(junction, vec![first]));
            add(lines, within, group);
            GoOn::Field(number)
        }
    }
}

fn change(lines: &mut [Line], number: usize, how: impl FnOnce(&mut Content)) {
    let mut how = Some(how);
    visit(lines, &mut |line| {
        if line.number == number
            && let Some(how) = how.take()
        {
            how(&mut line.content);
        }
    });
}

fn add(lines: &mut Vec<Line>, within: Option<usize>, line: Line) {
    match within {
        None => lines.push(line),
        Some(number) => change(lines, number, |content| {
            if let Content::Group(_, inner) = content {
                inner.push(line);
            }
        }),
    }
}

/// Removes a line. The focus moves to the add button of its parent.
fn remove(lines: &mut Vec<Line>, within: Option<usize>, number: usize) -> Option<GoOn> {
    if let Some(place) = lines.iter().position(|line| line.number == number) {
        lines.remove(place);
        return Some(GoOn::Add(within));
    }
    lines.iter_mut().find_map(|line| match &mut line.content {
        Content::Group(_, inner) => remove(inner, Some(line.number), number),
        _ => None,
    })
}

/// Gives parsed lines the numbers of the previous lines that they continue, so that their elements are kept. Equal lines match at the
/// beginning and at the end; lines between them match in order.
pub fn keep_numbers(read: &mut [Line], before: &[Line], next: &mut usize) {
    let is_same = |(new, old): &(&Line, &Line)| new == old;
    let head = read.iter().zip(before).take_while(is_same).count();
    let tail = read[head..].iter().rev().zip(before[head..].iter().rev()).take_while(is_same).count();
    let (changed, rest) = before.split_at(before.len() - tail);
    let place_of_rest = read.len() - tail;
    for (place, line) in read.iter_mut().enumerate() {
        let old = if place < place_of_rest { changed.get(place) } else { rest.get(place - place_of_rest) };
        line.number = old.map_or(*next, |old| old.number);
        *next = (*next).max(line.number + 1);
        if let Content::Group(_, inner) = &mut line.content {
            keep_numbers(inner, old.map(Line::inner).unwrap_or_default(), next);
        }
    }
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::filter::parse;

    use super::super::rows::lines_of;
    use super::*;

    fn read(text: &str) -> Vec<Line> {
        lines_of(&parse(text).tree)
    }

    /// Numbers in the order of the form; a group comes before its lines.
    fn numbers(lines: &mut [Line]) -> Vec<usize> {
        let mut numbers = Vec::new();
        visit(lines, &mut |line| numbers.push(line.number));
        numbers
    }

    #[test]
    fn unchanged_lines_keep_their_numbers() {
        let mut next = 0;
        let mut before = Vec::new();
        for (text, expected) in [
            (r#"{"city":"Bonn"}"#, vec![0]),
            (r#"{"city":"Bonn","state":"NW"}"#, vec![0, 1]),
            // Its value is being typed.
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
            let mut lines = read(text);
            keep_numbers(&mut lines, &before, &mut next);
            assert_eq!(numbers(&mut lines), expected, "{text}");
            before = lines;
        }
    }

    #[test]
    fn adds_and_removes_lines_in_place() {
        let mut lines = read(r#"{"city":"Bonn","_or":[{"id":1},{"id":2}]}"#);
        let mut next = 4;
        assert_eq!(apply(&mut lines, Edit::AddTest(Some(1)), &mut next), GoOn::Field(4));
        assert_eq!(numbers(&mut lines), [0, 1, 2, 3, 4]);
        assert_eq!(apply(&mut lines, Edit::AddGroup(Some(1)), &mut next), GoOn::Field(5));
        assert!(matches!(find(&lines, 6).unwrap().content, Content::Group(Junction::All, _)));
        assert_eq!(apply(&mut lines, Edit::Remove(5), &mut next), GoOn::Add(Some(6)));
        assert_eq!(apply(&mut lines, Edit::Remove(1), &mut next), GoOn::Add(None));
        assert_eq!(numbers(&mut lines), [0]);
    }

    #[test]
    fn limits_group_depth() {
        let (mut lines, mut next, mut within, mut groups) = (Vec::new(), 0, None, 0);
        while group_for(&lines, within).is_some() {
            apply(&mut lines, Edit::AddGroup(within), &mut next);
            within = lines_within(&lines, within).iter().find(|line| !line.inner().is_empty()).map(|line| line.number);
            groups += 1;
        }
        // Each "any" group contains an "all" group as its branch.
        assert_eq!(groups, 2 * MAX_GROUP_DEPTH);
    }
}

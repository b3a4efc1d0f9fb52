//! Parses calling hours: an object in JSON, three columns in CSV.

use chrono::NaiveTime;

use super::value::FieldInput;
use crate::api::{CallingHours, Weekday};
use crate::diagnostic::{
    Diagnostic, Location, catalog::record as texts, describe_json, expected, format_name, format_text, member_location,
    new_diagnostic, not_permitted, required, wrong_type,
};
use crate::json::{MAX_DIAGNOSTICS, Node, Value};

/// The columns, in the order in which [`calling_hours`] takes the cells.
pub const HOUR_COLUMNS: [&str; 3] = ["calling_hours_start", "calling_hours_end", "calling_hours_days"];

const HOUR_MEMBERS: [&str; 3] = ["start", "end", "days"];

/// Parses calling hours into the slot; null removes them.
pub fn calling_hours(
    slot: &mut Option<Option<CallingHours>>,
    input: &FieldInput<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if input.is_null() {
        *slot = Some(None);
        return;
    }
    let hours = match input {
        FieldInput::Json(node) => hours_from_json(node, diagnostics),
        FieldInput::Cells(cells, _) => hours_from_cells(cells, diagnostics),
    };
    *slot = hours.map(Some);
}

fn hours_from_json(node: &Node, diagnostics: &mut Vec<Diagnostic>) -> Option<CallingHours> {
    let Value::Object(members) = &node.value else {
        diagnostics.push(wrong_type(texts::hours(), node.value.kind()));
        return None;
    };
    for member in members.iter().filter(|member| !HOUR_MEMBERS.contains(&member.key.as_str())).take(MAX_DIAGNOSTICS) {
        let diagnostic = new_diagnostic("unknown_key", texts::unknown_hours(format_name(&member.key)));
        let diagnostic = diagnostic.permitted(HOUR_MEMBERS).suggest_nearest(&member.key, HOUR_MEMBERS);
        diagnostics.push(Diagnostic {
            location: member_location(&member.key),
            byte_range: member.key_span,
            ..diagnostic
        });
    }
    let [start, end, days] = HOUR_MEMBERS.map(|name| {
        let member = members.iter().find(|member| member.key == name);
        if member.is_none() {
            diagnostics.push(Diagnostic { location: member_location(name), ..required(name) });
        }
        member.map(|member| &member.value)
    });
    let mut time = |node: Option<&Node>, name| match &node?.value {
        Value::String(text) => parse_hour_minute(text)
            .map_err(|error| {
                diagnostics.push(Diagnostic {
                    location: member_location(name),
                    byte_range: node.map_or(error.byte_range, |n| n.span),
                    ..error
                })
            })
            .ok(),
        Value::Invalid => None,
        other => {
            let error = wrong_type(texts::hour_in_string(), describe_json(other));
            diagnostics.push(Diagnostic {
                location: member_location(name),
                byte_range: node.map_or(error.byte_range, |n| n.span),
                ..error
            });
            None
        }
    };
    let (start, end) = (time(start, "start"), time(end, "end"));
    let days = days_from_json(days?, diagnostics);
    Some(CallingHours { start: start?, end: end?, days: days? })
}

fn days_from_json(node: &Node, diagnostics: &mut Vec<Diagnostic>) -> Option<Vec<Weekday>> {
    let Value::Array(items) = &node.value else {
        // Invalid JSON was already reported.
        if node.value == Value::Invalid {
            return None;
        }
        let error = wrong_type(texts::days(), node.value.kind());
        diagnostics.push(Diagnostic { location: member_location("days"), byte_range: node.span, ..error });
        return None;
    };
    let mut days = Vec::new();
    let diagnostic_count = diagnostics.len();
    if items.is_empty() {
        let error = new_diagnostic("too_few", texts::no_days()).permitted(Weekday::names());
        diagnostics.push(Diagnostic { location: member_location("days"), byte_range: node.span, ..error });
    }
    for (index, item) in items.iter().enumerate().filter(|(_, item)| item.value != Value::Invalid) {
        if diagnostics.len() - diagnostic_count >= MAX_DIAGNOSTICS {
            break;
        }
        let error = match &item.value {
            Value::String(name) => match Weekday::from_name(name) {
                Some(day) => {
                    days.push(day);
                    continue;
                }
                None => not_permitted(name, Weekday::names()),
            },
            other => wrong_type(texts::day_name(), describe_json(other)).permitted(Weekday::names()),
        };
        diagnostics.push(Diagnostic {
            location: Location::Pointer(format!("/days/{index}")),
            byte_range: item.span,
            ..error
        });
    }
    (diagnostics.len() == diagnostic_count).then(|| sort_days(days))
}

fn hours_from_cells(cells: &[&str], diagnostics: &mut Vec<Diagnostic>) -> Option<CallingHours> {
    let diagnostic_count = diagnostics.len();
    let mut add = |column: usize, error: Diagnostic| {
        diagnostics.push(Diagnostic { location: Location::Column(HOUR_COLUMNS[column].to_owned()), ..error });
    };
    for column in (0..HOUR_COLUMNS.len()).filter(|column| cells[*column].is_empty()) {
        add(column, new_diagnostic("required", texts::incomplete_hours()));
    }
    let mut time = |column: usize| {
        (!cells[column].is_empty())
            .then(|| parse_hour_minute(cells[column]).map_err(|error| add(column, error)).ok())
            .flatten()
    };
    let (start, end) = (time(0), time(1));
    let days = days_from_cell(cells[2]).map_err(|error| add(2, error)).ok();
    if diagnostics.len() > diagnostic_count {
        return None;
    }
    Some(CallingHours { start: start?, end: end?, days: days? })
}

/// Parses the names of days and ranges of them: `mon-fri sun`.
fn days_from_cell(cell: &str) -> Result<Vec<Weekday>, Diagnostic> {
    let day = |name: &str| Weekday::from_name(name).ok_or_else(|| not_permitted(name, Weekday::names()));
    let mut days = Vec::new();
    for part in cell.split_ascii_whitespace() {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (day(first)? as usize, day(last)? as usize);
        // A range may cross the end of the week: `sat-mon`.
        let day_count = (last + 7 - first) % 7 + 1;
        days.extend((first..first + day_count).map(|day_index| Weekday::ALL[day_index % 7]));
    }
    Ok(sort_days(days))
}

/// Removes duplicates and sorts, Monday first.
fn sort_days(mut days: Vec<Weekday>) -> Vec<Weekday> {
    days.sort_unstable();
    days.dedup();
    days
}

fn parse_hour_minute(text: &str) -> Result<NaiveTime, Diagnostic> {
    let two_digits =
        |text: &str| (text.len() == 2 && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?;
    let time = text
        .split_once(':')
        .and_then(|(hour, minute)| NaiveTime::from_hms_opt(two_digits(hour)?, two_digits(minute)?, 0));
    time.ok_or_else(|| {
        let error = expected("invalid_time", texts::clock_time(), format_text(text));
        if text == "24:00" { error.suggest(texts::end_of_day()) } else { error }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn limits_the_number_of_errors() {
        let names: String = (0..1_000).map(|number| format!("\"n{number}\":0,")).collect();
        for text in [format!("{{{names}\"start\":0}}"), format!("{{\"days\":[{}1]}}", "1,".repeat(1_000))] {
            let mut diagnostics = Vec::new();
            let document = json::parse(&text);
            let hours = document.root.as_ref().expect("valid JSON");
            calling_hours(&mut None, &FieldInput::Json(hours), &mut diagnostics);
            // Plus the diagnostics for missing fields.
            assert!((MAX_DIAGNOSTICS..MAX_DIAGNOSTICS + 5).contains(&diagnostics.len()), "{}", diagnostics.len());
        }
    }
}

//! Reads calling hours: an object in JSON, three columns in CSV.

use chrono::NaiveTime;

use super::value::Given;
use crate::api::{CallingHours, Weekday};
use crate::diagnostic::{
    Diagnostic, Place, below, catalog::record as texts, expected, fault, found, name, not_permitted, required, shown,
    wrong_type,
};
use crate::json::{MAX_DIAGNOSTICS, Node, Value};

/// The columns, in the order in which [`read`] takes the cells.
pub const COLUMNS: [&str; 3] = ["calling_hours_start", "calling_hours_end", "calling_hours_days"];

const MEMBERS: [&str; 3] = ["start", "end", "days"];

/// Reads calling hours into the slot; null removes them.
pub fn calling_hours(slot: &mut Option<Option<CallingHours>>, given: &Given<'_>, faults: &mut Vec<Diagnostic>) {
    if given.is_null() {
        *slot = Some(None);
        return;
    }
    let hours = match given {
        Given::Json(node) => from_json(node, faults),
        Given::Cells(cells, _) => from_cells(cells, faults),
    };
    *slot = hours.map(Some);
}

fn from_json(node: &Node, faults: &mut Vec<Diagnostic>) -> Option<CallingHours> {
    let Value::Object(members) = &node.value else {
        faults.push(wrong_type(texts::hours(), node.value.kind()));
        return None;
    };
    for member in members.iter().filter(|member| !MEMBERS.contains(&member.key.as_str())).take(MAX_DIAGNOSTICS) {
        let unknown = fault("unknown_key", texts::unknown_hours(name(&member.key)));
        let unknown = unknown.permitted(MEMBERS).suggest_nearest(&member.key, MEMBERS);
        faults.push(Diagnostic { place: below(&member.key), at: member.key_span, ..unknown });
    }
    let [start, end, days] = MEMBERS.map(|name| {
        let found = members.iter().find(|member| member.key == name);
        if found.is_none() {
            faults.push(Diagnostic { place: below(name), ..required(name) });
        }
        found.map(|member| &member.value)
    });
    let mut time = |node: Option<&Node>, name| match &node?.value {
        Value::String(text) => hour_minute(text)
            .map_err(|wrong| {
                faults.push(Diagnostic { place: below(name), at: node.map_or(wrong.at, |n| n.span), ..wrong })
            })
            .ok(),
        Value::Invalid => None,
        other => {
            let wrong = wrong_type(texts::hour_in_string(), found(other));
            faults.push(Diagnostic { place: below(name), at: node.map_or(wrong.at, |n| n.span), ..wrong });
            None
        }
    };
    let (start, end) = (time(start, "start"), time(end, "end"));
    let days = days_from_json(days?, faults);
    Some(CallingHours { start: start?, end: end?, days: days? })
}

fn days_from_json(node: &Node, faults: &mut Vec<Diagnostic>) -> Option<Vec<Weekday>> {
    let Value::Array(items) = &node.value else {
        // Invalid JSON was already reported.
        if node.value == Value::Invalid {
            return None;
        }
        let wrong = wrong_type(texts::days(), node.value.kind());
        faults.push(Diagnostic { place: below("days"), at: node.span, ..wrong });
        return None;
    };
    let mut days = Vec::new();
    let before = faults.len();
    if items.is_empty() {
        let wrong = fault("too_few", texts::no_days()).permitted(Weekday::names());
        faults.push(Diagnostic { place: below("days"), at: node.span, ..wrong });
    }
    for (place, item) in items.iter().enumerate().filter(|(_, item)| item.value != Value::Invalid) {
        if faults.len() - before >= MAX_DIAGNOSTICS {
            break;
        }
        let wrong = match &item.value {
            Value::String(name) => match Weekday::from_name(name) {
                Some(day) => {
                    days.push(day);
                    continue;
                }
                None => not_permitted(name, Weekday::names()),
            },
            other => wrong_type(texts::day_name(), found(other)).permitted(Weekday::names()),
        };
        faults.push(Diagnostic { place: Place::Pointer(format!("/days/{place}")), at: item.span, ..wrong });
    }
    (faults.len() == before).then(|| in_order(days))
}

fn from_cells(cells: &[&str], faults: &mut Vec<Diagnostic>) -> Option<CallingHours> {
    let before = faults.len();
    let mut add = |column: usize, wrong: Diagnostic| {
        faults.push(Diagnostic { place: Place::Column(COLUMNS[column].to_owned()), ..wrong });
    };
    for column in (0..COLUMNS.len()).filter(|column| cells[*column].is_empty()) {
        add(column, fault("required", texts::half_hours()));
    }
    let mut time = |column: usize| {
        (!cells[column].is_empty())
            .then(|| hour_minute(cells[column]).map_err(|wrong| add(column, wrong)).ok())
            .flatten()
    };
    let (start, end) = (time(0), time(1));
    let days = days_from_cell(cells[2]).map_err(|wrong| add(2, wrong)).ok();
    if faults.len() > before {
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
        let length = (last + 7 - first) % 7 + 1;
        days.extend((first..first + length).map(|place| Weekday::ALL[place % 7]));
    }
    Ok(in_order(days))
}

/// Removes duplicates and sorts, Monday first.
fn in_order(mut days: Vec<Weekday>) -> Vec<Weekday> {
    days.sort_unstable();
    days.dedup();
    days
}

fn hour_minute(text: &str) -> Result<NaiveTime, Diagnostic> {
    let digits =
        |text: &str| (text.len() == 2 && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?;
    let time =
        text.split_once(':').and_then(|(hour, minute)| NaiveTime::from_hms_opt(digits(hour)?, digits(minute)?, 0));
    time.ok_or_else(|| {
        let wrong = expected("invalid_time", texts::clock_time(), shown(text));
        if text == "24:00" { wrong.suggest(texts::end_of_day()) } else { wrong }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn limits_the_number_of_faults() {
        let names: String = (0..1_000).map(|number| format!("\"n{number}\":0,")).collect();
        for text in [format!("{{{names}\"start\":0}}"), format!("{{\"days\":[{}1]}}", "1,".repeat(1_000))] {
            let mut faults = Vec::new();
            let document = json::read(&text);
            let hours = document.root.as_ref().expect("it is JSON");
            calling_hours(&mut None, &Given::Json(hours), &mut faults);
            // Plus the faults for missing fields.
            assert!((MAX_DIAGNOSTICS..MAX_DIAGNOSTICS + 5).contains(&faults.len()), "{}", faults.len());
        }
    }
}

//! The filter language: which leads, in which campaigns, in what state, in what order.
//!
//! A text is [parsed](parse()) into a tree, the tree is [checked](check()) against the [field table](fields), and only the
//! checked filter reaches a database. [`read`] does both. The same filter can be [printed](print()) as JSON, [explained](explain())
//! in English, and [evaluated](matches()) on a lead, which says what any database must answer.
//!
//! Nothing here knows a database or HTTP. Start with [`ast`] for what is written and [`predicate`] for what it means.
//!
//! # Syntax
//!
//! A filter is a JSON object. Its keys are fields of leads and campaign leads; all of them must hold, and those about a
//! campaign lead on the same one.
//!
//! ```
//! use leadscribe_engine::filter::{Limits, explain, read};
//! use leadscribe_engine::wording::Language;
//!
//! let filter = read(
//!     r#"{
//!         "campaign_id": 7,
//!         "status": ["new", "callback"],
//!         "email": null,
//!         "updated_at": "2026-05-01 09:30:00;>",
//!         "calls_count": {"gte": 1, "lt": 5},
//!         "_or": [{"city": "Bonn"}, {"custom.source": {"contains": "fair"}}],
//!         "limit": "500;1000"
//!     }"#,
//!     &Limits::default(),
//! )
//! .unwrap();
//!
//! assert_eq!(
//!     explain(&filter, &(), Language::English),
//!     "leads in campaign 7, with status new or callback, without e-mail, updated after 1 May 2026, 09:30 UTC, \
//!      with calls at least 1 and below 5, (either with city Bonn or with custom field source containing fair); \
//!      at most 500 after the first 1,000"
//! );
//! ```
//!
//! | value | means |
//! |---|---|
//! | `7`, `"Bonn"`, `true` | the field is this |
//! | `["new", "busy"]` | any of these; of an empty array, nothing |
//! | `null` | the field has no value |
//! | `"5;>"`, `"5;>=\|9;<"` | on date and number fields: one or two expressions, which must all hold |
//! | `{"contains": "smi"}` | an object of [operators](Operator), which must all hold |
//!
//! Beside the fields stand the groups `_or` and `_and`, and the controls `limit`, `_order`, `_cursor`, `_fields` and `_campaigns`.
//!
//! # Mistakes
//!
//! All are reported at once, each where it stands:
//!
//! ```
//! use leadscribe_engine::filter::{Limits, read};
//!
//! let text = r#"{"frist_name": "Ann", "updated_at": "2026-02-30 00:00:00;>"}"#;
//! let faults = read(text, &Limits::default()).unwrap_err();
//!
//! assert_eq!(faults[0].detail, "expected a field of leads or campaign leads, found `frist_name`");
//! assert_eq!(*faults[0].hint.as_ref().unwrap(), "did you mean `first_name`?");
//! assert_eq!(faults[1].detail, "there is no day 30 in February 2026");
//! assert_eq!(&text[faults[1].at.start..faults[1].at.end], "30");
//! ```

pub mod ast;
mod check;
mod controls;
pub mod cursor;
mod error;
mod eval;
mod explain;
mod expression;
pub mod fields;
pub mod form;
mod formula;
mod operator;
mod pairs;
mod parse;
pub mod parts;
pub mod predicate;
mod print;
pub mod reference;
mod report;
#[cfg(feature = "openapi")]
pub(crate) mod schema;
#[cfg(feature = "testing")]
pub mod testing;
mod value;
mod wording;

#[cfg(test)]
mod error_messages;
#[cfg(test)]
mod form_rows;
#[cfg(test)]
mod hints;
#[cfg(test)]
mod meaning;
#[cfg(test)]
mod nesting;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod reading;

pub use check::check;
pub use controls::members;
pub use eval::{Row, Seen, calls_today, holds, lead_value, matches};
pub use explain::{Moments, Names, explain, explain_by};
pub use formula::Formula;
pub use operator::{Arity, Operator, operators_for};
pub use pairs::read_pairs;
pub use parse::{Parsed, parse};
pub use predicate::{CheckedFilter, Predicate};
pub use print::{print, print_pretty};
pub use value::check_blanks;

use crate::fault::Fault;
use crate::json;

/// Keys that say what is answered, not which leads match.
pub const CONTROLS: &[&str] = &["limit", "_order", "_cursor", "_fields", "_campaigns"];

/// Deepest nesting of `_or` and `_and`.
pub const MAX_GROUP_DEPTH: usize = 4;

/// Most conditions of one filter, each operator and expression counted. Databases bound the depth of a formula; SQLite
/// at 1,000.
pub const MAX_CONDITIONS: usize = 200;

/// Most values of one array.
pub const MAX_LIST: usize = 10_000;

/// Longest text to compare with, in characters.
pub const MAX_TEXT: usize = 1_000;

/// Most fields of `_order`.
pub const MAX_ORDER: usize = 5;

/// Largest offset. Databases pass over skipped rows one by one, so that it costs time; a cursor doesn't.
pub const MAX_OFFSET: u64 = 1_000_000_000;

/// What an installation sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most leads of one page.
    pub max_count: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_count: 1_000 }
    }
}

/// All that can be said of a text: for editors, who need the tree and the faults at once.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// The filter as far as it could be read.
    pub tree: ast::Filter,
    /// The checked filter, when there is no fault.
    pub checked: Option<CheckedFilter>,
    /// Every fault, in the order of the text, up to [`json::MAX_FAULTS`]; each [`Fault::at`] is the very bytes that are wrong.
    pub faults: Vec<Fault>,
}

/// Reads a filter from JSON text, and says everything that is wrong with it.
pub fn diagnose(text: &str, limits: &Limits) -> Diagnosis {
    let Parsed { tree, mut faults } = parse(text);
    let checked = match check(&tree, limits) {
        Ok(checked) => Some(checked).filter(|_| faults.is_empty()),
        Err(more) => {
            faults.extend(more);
            None
        }
    };
    for fault in &mut faults {
        if let Some(part) = fault.span {
            fault.at = json::narrow(text, fault.at, part);
        }
    }
    faults.sort_by_key(|fault| fault.at.start);
    faults.truncate(json::MAX_FAULTS);
    Diagnosis { tree, checked, faults }
}

/// Reads a filter from JSON text.
///
/// # Errors
/// Every fault of the text at once, in its order.
pub fn read(text: &str, limits: &Limits) -> Result<CheckedFilter, Vec<Fault>> {
    let Diagnosis { checked, faults, .. } = diagnose(text, limits);
    checked.ok_or(faults)
}

fn is_control(key: &str) -> bool {
    CONTROLS.contains(&key)
}

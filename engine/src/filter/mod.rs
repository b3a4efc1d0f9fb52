//! The filter language: selects leads by their fields, campaigns and state, and orders them.
//!
//! A text is [parsed](parse()) into a tree, the tree is [checked](check()) against the [field table](fields), and only the checked filter
//! reaches a database. [`parse_and_check`] does both. The same filter can be [printed](print()) as JSON, [explained](explain()) in words,
//! and [evaluated](matches()) on a lead. The evaluation defines the result that every database must return.
//!
//! This module doesn't depend on a database or HTTP. Start with [`ast`] for the syntax and [`predicate`] for the meaning.
//!
//! # Syntax
//!
//! A filter is a JSON object. Its keys are fields of leads and campaign leads. All of them must match, and keys of
//! campaign leads must match the same campaign lead.
//!
//! ```
//! use leadscribe_engine::filter::{Limits, explain, parse_and_check};
//! use leadscribe_engine::wording::Language;
//!
//! let filter = parse_and_check(
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
//!     "leads in campaign 7, with status new or callback, without email, updated after 1 May 2026, 09:30 UTC, \
//!      with at least 1 and fewer than 5 calls, (either with city Bonn or with custom field source containing fair); \
//!      at most 500 after the first 1,000"
//! );
//! ```
//!
//! | value | matches if |
//! |---|---|
//! | `7`, `"Bonn"`, `true` | the field has this value |
//! | `["new", "busy"]` | the field has any of these values; an empty array matches nothing |
//! | `null` | the field has no value |
//! | `"5;>"`, `"5;>=\|9;<"` | one or two expressions on date and number fields all match |
//! | `{"contains": "smi"}` | all [operators](Operator) of the object match |
//!
//! In addition to fields, a filter can have the groups `_or` and `_and`, and the controls `limit`, `_order`, `_cursor`, `_fields` and
//! `_campaigns`.
//!
//! # Mistakes
//!
//! All mistakes are reported at once, each with its position:
//!
//! ```
//! use leadscribe_engine::filter::{Limits, parse_and_check};
//!
//! let text = r#"{"frist_name": "Ann", "updated_at": "2026-02-30 00:00:00;>"}"#;
//! let diagnostics = parse_and_check(text, &Limits::default()).unwrap_err();
//!
//! assert_eq!(diagnostics[0].message, "expected a field of leads or campaign leads, found `frist_name`");
//! assert_eq!(diagnostics[0].suggestion.as_ref().unwrap().to_string(), "did you mean `first_name`?");
//! assert_eq!(diagnostics[1].message, "30 February 2026 doesn't exist");
//! assert_eq!(&text[diagnostics[1].byte_range.start..diagnostics[1].byte_range.end], "30");
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
pub mod form_tree;
mod formula;
mod operator;
mod pairs;
mod parse;
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
mod evaluation_tests;
#[cfg(test)]
mod explain_tests;
#[cfg(test)]
mod form_tests;
#[cfg(test)]
mod form_tree_tests;
#[cfg(test)]
mod hint_tests;
#[cfg(test)]
mod message_tests;
#[cfg(test)]
mod property_tests;

pub use check::check;
pub use controls::member_names;
pub use eval::{Row, calls_today, lead_value, matches, matches_pair};
pub use explain::{DisplayNames, TimeFormat, explain, explain_with};
pub use formula::Formula;
pub use operator::{Arity, Operator, operators_for};
pub use pairs::parse_pairs;
pub use parse::{ParsedFilter, parse};
pub use predicate::{CheckedFilter, FieldValueRef, Predicate};
pub use print::{print, print_pretty};
pub use value::check_blanks;

use crate::diagnostic::Diagnostic;
use crate::json;

/// Keys that control the response instead of selecting leads.
pub const CONTROLS: &[&str] = &["limit", "_order", "_cursor", "_fields", "_campaigns"];

/// Maximum nesting of `_or` and `_and`.
pub const MAX_GROUP_DEPTH: usize = 4;

/// Maximum number of conditions in a filter. Each operator and expression counts. Databases limit the depth of an expression; SQLite to
/// 1,000.
pub const MAX_CONDITIONS: usize = 200;

/// Maximum number of values in an array.
pub const MAX_LIST_VALUES: usize = 10_000;

/// Maximum length of a text to compare with, in characters.
pub const MAX_TEXT_CHARS: usize = 1_000;

/// Maximum number of fields in `_order`.
pub const MAX_ORDER_KEYS: usize = 5;

/// Maximum offset. Databases skip rows one by one, so large offsets are slow; cursors aren't.
pub const MAX_OFFSET: u64 = 1_000_000_000;

/// Limits set by the installation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of leads per page.
    pub max_count: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_count: 1_000 }
    }
}

/// Complete result of parsing a text, for editors that need both the tree and the diagnostics.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// The filter, as far as it could be parsed.
    pub tree: ast::SyntaxTree,
    /// The checked filter, if there are no errors.
    pub filter: Option<CheckedFilter>,
    /// All errors in the order of the text, up to [`json::MAX_DIAGNOSTICS`]. Each [`Diagnostic::byte_range`] is the exact range of the
    /// wrong bytes.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a filter from JSON text and reports all errors.
pub fn diagnose(text: &str, limits: &Limits) -> Diagnosis {
    let ParsedFilter { tree, mut diagnostics } = parse(text);
    let checked = match check(&tree, limits) {
        Ok(checked) => Some(checked).filter(|_| diagnostics.is_empty()),
        Err(check_errors) => {
            diagnostics.extend(check_errors);
            None
        }
    };
    for diagnostic in &mut diagnostics {
        if let Some(char_range) = diagnostic.span {
            diagnostic.byte_range = json::substring_span(text, diagnostic.byte_range, char_range);
        }
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.byte_range.start);
    diagnostics.truncate(json::MAX_DIAGNOSTICS);
    Diagnosis { tree, filter: checked, diagnostics }
}

/// Parses a filter from JSON text.
///
/// # Errors
/// All errors, in the order of the text.
pub fn parse_and_check(text: &str, limits: &Limits) -> Result<CheckedFilter, Vec<Diagnostic>> {
    let Diagnosis { filter: checked, diagnostics, .. } = diagnose(text, limits);
    checked.ok_or(diagnostics)
}

fn is_control(key: &str) -> bool {
    CONTROLS.contains(&key)
}

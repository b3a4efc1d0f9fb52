//! Times and dates: a parsed value prints as text that parses to the same value.

#![no_main]

use leadscribe_engine::time;
use leadscribe_engine::wording::Language;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(timestamp) = time::parse(text) {
        assert_eq!(time::parse(&time::print(timestamp)).ok(), Some(timestamp), "{text}");
        assert!(!time::describe(timestamp, Language::English).is_empty());
    }
    if let Ok(date) = time::parse_date(text) {
        assert_eq!(time::parse_date(&date.to_string()).ok(), Some(date), "{text}");
        assert!(!time::describe_date(date, Language::English).is_empty());
    }
});

//! Filter: an accepted filter prints as an equal filter, and the range of each diagnostic is within the text.

#![no_main]

use leadscribe_engine::filter::{Limits, diagnose, explain, parse_and_check, print, print_pretty};
use leadscribe_engine::wording::Language;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let diagnosis = diagnose(text, &Limits::default());
    assert_eq!(diagnosis.filter.is_some(), diagnosis.diagnostics.is_empty());
    for diagnostic in &diagnosis.diagnostics {
        assert!(text.get(diagnostic.byte_range.start..diagnostic.byte_range.end).is_some(), "{diagnostic:?}");
        assert!(!diagnostic.message.to_string().contains('\n'), "{diagnostic:?}");
    }
    if let Some(filter) = diagnosis.filter {
        assert!(!explain(&filter, &(), Language::English).contains('\n'));
        assert_eq!(parse_and_check(&print(&diagnosis.tree), &Limits::default()).as_ref(), Ok(&filter));
        assert_eq!(parse_and_check(&print_pretty(&diagnosis.tree), &Limits::default()), Ok(filter));
    }
});

//! Filter: an accepted filter prints as one with the same meaning, and each fault is within the text.

#![no_main]

use leadscribe_engine::filter::{Limits, diagnose, explain, print, print_pretty, read};
use leadscribe_engine::wording::Language;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let diagnosis = diagnose(text, &Limits::default());
    assert_eq!(diagnosis.checked.is_some(), diagnosis.faults.is_empty());
    for fault in &diagnosis.faults {
        assert!(text.get(fault.at.start..fault.at.end).is_some(), "{fault:?}");
        assert!(!fault.message.to_string().contains('\n'), "{fault:?}");
    }
    if let Some(checked) = diagnosis.checked {
        assert!(!explain(&checked, &(), Language::English).contains('\n'));
        assert_eq!(read(&print(&diagnosis.tree), &Limits::default()).as_ref(), Ok(&checked));
        assert_eq!(read(&print_pretty(&diagnosis.tree), &Limits::default()), Ok(checked));
    }
});

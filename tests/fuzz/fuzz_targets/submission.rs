//! Submission: an accepted submission satisfies the rules, and each fault is within the text.

#![no_main]

use leadscribe_engine::submission::{MAX_CALL_IDS, MAX_LANGUAGES, Rules, TokenRule, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for token in [TokenRule::Required, TokenRule::Absent] {
        match read(text, &Rules { token, languages: None }) {
            Ok(submission) => {
                assert!((1..=MAX_CALL_IDS).contains(&submission.call_ids.len()));
                assert!((1..=MAX_LANGUAGES).contains(&submission.languages.len()));
            }
            Err(faults) => {
                assert!(!faults.is_empty());
                for fault in &faults {
                    assert!(text.get(fault.at.start..fault.at.end).is_some(), "{fault:?}");
                    assert!(!fault.message.to_string().contains('\n'), "{fault:?}");
                }
            }
        }
    }
});

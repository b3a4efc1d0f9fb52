//! Submission: an accepted submission satisfies the rules, and the range of each diagnostic is within the text.

#![no_main]

use leadscribe_engine::submission::{MAX_CALL_IDS, MAX_LANGUAGES, SubmissionRules, TokenRule, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for token in [TokenRule::Required, TokenRule::Absent] {
        match parse(text, &SubmissionRules { token, languages: None, callback_url: None }) {
            Ok(submission) => {
                assert!((1..=MAX_CALL_IDS).contains(&submission.call_ids.len()));
                assert!((1..=MAX_LANGUAGES).contains(&submission.languages.len()));
            }
            Err(diagnostics) => {
                assert!(!diagnostics.is_empty());
                for diagnostic in &diagnostics {
                    assert!(
                        text.get(diagnostic.byte_range.start..diagnostic.byte_range.end).is_some(),
                        "{diagnostic:?}"
                    );
                    assert!(!diagnostic.message.to_string().contains('\n'), "{diagnostic:?}");
                }
            }
        }
    }
});

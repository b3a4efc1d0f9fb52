//! Stores the settings of the last send of calls in this browser, per user, as defaults for the next one.

use leadscribe_engine::api::UserId;

use crate::components::call::send_form::SendDraft;
use crate::storage;

/// Returns the settings of the last send, if stored.
pub fn read(user: UserId) -> Option<SendDraft> {
    storage::read(&key(user))
}

/// Stores the settings that stay the same between sends; the creation dates of the calls don't.
pub fn keep(user: UserId, draft: &SendDraft) {
    let draft = SendDraft { from: String::new(), till: String::new(), ..draft.clone() };
    storage::keep(&key(user), &draft);
}

fn key(user: UserId) -> String {
    format!("leadscribe.sending.{user}")
}

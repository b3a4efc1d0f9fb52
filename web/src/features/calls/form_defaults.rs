//! Stores the settings of the last send of calls in this browser, per user, as defaults for the next one.

use leadscribe_engine::api::UserId;

use crate::browser::storage;
use crate::features::calls::send_calls_form::SendCallsDraft;

/// Returns the settings of the last send, if stored.
pub fn load(user: UserId) -> Option<SendCallsDraft> {
    storage::load(&storage_key(user))
}

/// Stores the settings that stay the same between sends; the creation dates of the calls don't.
pub fn store(user: UserId, draft: &SendCallsDraft) {
    let draft = SendCallsDraft { from: String::new(), till: String::new(), ..draft.clone() };
    storage::store(&storage_key(user), &draft);
}

fn storage_key(user: UserId) -> String {
    format!("leadscribe.send-defaults.{user}")
}

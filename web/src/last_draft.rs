//! What calls were sent with last: this browser keeps it for each of its users, so that the next send begins with it.

use leadscribe_engine::api::UserId;

use crate::components::send_form::SendDraft;
use crate::storage::storage;

/// What the last send began with; the form as it is by itself where none is kept.
pub fn read(user: UserId) -> SendDraft {
    let text = storage().and_then(|storage| storage.get_item(&key(user)).ok().flatten());
    text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

/// Keeps what is the same from send to send; when calls were created isn't.
pub fn keep(user: UserId, draft: &SendDraft) {
    let draft = SendDraft { from: String::new(), till: String::new(), ..draft.clone() };
    let text = serde_json::to_string(&draft).expect("it is made of texts");
    if let Some(storage) = storage() {
        // A browser that refuses begins anew each time.
        _ = storage.set_item(&key(user), &text);
    }
}

fn key(user: UserId) -> String {
    format!("leadscribe.sending.{user}")
}

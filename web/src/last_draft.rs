//! What calls were sent with last: this browser keeps it for each of its users, so that the next send begins with it.

use leadscribe_engine::api::UserId;

use crate::components::call::send_form::SendDraft;
use crate::storage;

/// What the last send went with; none where none is kept.
pub fn read(user: UserId) -> Option<SendDraft> {
    storage::read(&key(user))
}

/// Keeps what is the same from send to send; when calls were created isn't.
pub fn keep(user: UserId, draft: &SendDraft) {
    let draft = SendDraft { from: String::new(), till: String::new(), ..draft.clone() };
    storage::keep(&key(user), &draft);
}

fn key(user: UserId) -> String {
    format!("leadscribe.sending.{user}")
}

//! Actions that the audit log records.

/// Audited actions by kind of subject. An entry's action joins both with a dot, such as `lead.update`.
pub const AUDITED_ACTIONS: [(&str, &[&str]); 21] = [
    ("api_key", &["create", "revoke"]),
    ("audit_log", &["export"]),
    ("call", &["create", "update", "export"]),
    ("campaign", &["create", "update", "delete", "export"]),
    ("campaign_lead", &["create", "update", "delete"]),
    ("delivery", &["replay", "test", "export"]),
    ("import", &["create", "cancel", "undo", "cancel_undo", "export"]),
    ("lead", &["create", "update", "delete", "export"]),
    ("lead_action", &["create", "undo"]),
    ("recording", &["upload", "purge"]),
    ("session", &["create", "delete", "end", "reject"]),
    ("speech", &["submit"]),
    ("speech_request", &["create"]),
    ("speech_token", &["create", "rotate", "revoke"]),
    ("status", &["save", "reorder", "delete"]),
    ("transcript", &["read", "search", "purge", "export"]),
    ("transcription", &["cancel"]),
    ("user", &["create", "update", "change_password", "deactivate", "activate", "delete"]),
    ("view", &["create", "update", "delete"]),
    ("webhook", &["create", "update", "delete", "test", "rotate"]),
    ("webhook_secret", &["rotate"]),
];

/// Returns true if the action exists.
pub fn is_audited(action: &str) -> bool {
    action.split_once('.').is_some_and(|(kind, verb)| {
        AUDITED_ACTIONS.iter().any(|(subject_kind, verbs)| *subject_kind == kind && verbs.contains(&verb))
    })
}

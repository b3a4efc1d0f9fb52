//! What stands in the audit log.

/// What is noted, by the kind of thing it is done to: the action of an entry is both with a point between, such as `lead.update`.
pub const AUDITED: [(&str, &[&str]); 20] = [
    ("api_key", &["create", "revoke"]),
    ("audit_log", &["export"]),
    ("call", &["create", "update", "export"]),
    ("campaign", &["create", "update", "delete", "export"]),
    ("campaign_lead", &["create", "update", "delete"]),
    ("delivery", &["replay", "test", "export"]),
    ("import", &["create", "cancel", "undo", "cancel_undo", "export"]),
    ("lead", &["create", "update", "delete", "export"]),
    ("lead_action", &["create", "undo"]),
    ("recording", &["set", "purge"]),
    ("session", &["create", "delete", "end", "refused"]),
    ("speech", &["submit"]),
    ("speech_request", &["create"]),
    ("speech_token", &["create", "rotate", "revoke"]),
    ("status", &["put", "order", "delete"]),
    ("transcript", &["read", "search", "purge", "export"]),
    ("transcription", &["cancel"]),
    ("user", &["create", "update", "password", "deactivate", "activate", "delete"]),
    ("view", &["create", "update", "delete"]),
    ("webhook_secret", &["rotate"]),
];

/// Whether there is such an action.
pub fn is_audited(action: &str) -> bool {
    action
        .split_once('.')
        .is_some_and(|(kind, verb)| AUDITED.iter().any(|(known, verbs)| *known == kind && verbs.contains(&verb)))
}

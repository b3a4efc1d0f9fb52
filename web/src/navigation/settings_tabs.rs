//! Tabs of the settings. Both the settings and the command palette list them.

use crate::i18n::texts::{audit, endpoints, settings};

/// A tab: its name in the URL, its label, and whether it is visible to administrators only.
pub type SettingsTab = (&'static str, fn() -> &'static str, bool);

pub const TABS: [SettingsTab; 8] = [
    ("tokens", settings::speech_tokens, false),
    ("keys", settings::api_keys, true),
    ("users", settings::staff, true),
    ("statuses", settings::statuses, false),
    ("endpoints", endpoints::endpoints, false),
    ("audit", settings::audit_log, true),
    ("retention", audit::retention, true),
    ("account", settings::your_account, false),
];

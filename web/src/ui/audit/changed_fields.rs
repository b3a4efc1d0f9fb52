//! Labels of the fields that a change affected.

use leadscribe_engine::filter::fields::{CUSTOM_PREFIX, find};

use crate::i18n::language;
use crate::i18n::texts::{call, calls, campaigns, common, settings};

/// Labels of these fields, separated by commas.
pub fn changed_field_labels(names: &[String]) -> String {
    names.iter().map(|name| field_label(name)).collect::<Vec<_>>().join(", ")
}

/// Label of a field. Without a label, returns the name with spaces for underscores; for a custom field, the name without the prefix.
pub fn field_label(name: &str) -> String {
    match (find(name), name.strip_prefix(CUSTOM_PREFIX)) {
        (Some(field), _) => field.label(language()).to_owned(),
        (None, Some(custom)) => custom.to_owned(),
        (None, None) => other_field_label(name).map_or_else(|| name.replace('_', " "), str::to_owned),
    }
}

/// Labels of campaign, call and user fields that aren't filter fields.
fn other_field_label(name: &str) -> Option<&'static str> {
    Some(match name {
        "name" => common::name(),
        "active" => common::status(),
        "calling_hours" => campaigns::calling_hours(),
        "max_attempts" => campaigns::max_calls(),
        "daily_attempts" => campaigns::max_calls_per_day(),
        "freeze_minutes" => campaigns::freeze(),
        "agent" => calls::agent(),
        "direction" => calls::direction(),
        "caller_number" => call::caller(),
        "callee_number" => call::callee(),
        "recording_state" => calls::recording(),
        "started_at" => call::started(),
        "ended_at" => call::ended(),
        "email" => settings::email(),
        "role" => settings::role(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use crate::i18n::locale::{Language, set_language};
    use crate::ui::audit::changed_fields::changed_field_labels;

    #[test]
    fn fields_use_their_labels() {
        let names = ["last_name", "custom.source", "max_attempts"].map(str::to_owned);
        assert_eq!(changed_field_labels(&names), "Last name, source, Max. calls");
        assert_eq!(changed_field_labels(&["some_other".to_owned()]), "some other");
        set_language(Language::German);
        let names = ["calling_hours", "max_attempts", "name"].map(str::to_owned);
        assert_eq!(changed_field_labels(&names), "Anrufzeiten, Max. Anrufe, Name");
    }
}

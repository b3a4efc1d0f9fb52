//! Filter of the audit log. Each change applies immediately and returns to the first page.

use leadscribe_engine::api::AUDITED_ACTIONS;
use leadscribe_engine::diagnostic::Diagnostic;
use leadscribe_engine::host;
use leptos::prelude::*;

use crate::api::{AuditQuery, ListQuery};
use crate::i18n::diagnostics_signal;
use crate::i18n::texts::{audit, common, settings};
use crate::ui::humanize;
use crate::ui::input::{
    Choice, DateTimeInput, FieldAccessor, FieldDiagnostics, MoreFilters, SearchInput, Select, query_field,
};

/// Parameters whose diagnostics are shown at their inputs.
pub const FIELD_PARAMETERS: [&str; 3] = ["subject", "from", "till"];

/// Label of an action: `lead.update` becomes `Lead updated`.
pub fn action_name(action: &str) -> String {
    // Labels that don't consist of a kind and a verb.
    match action {
        "session.create" => return settings::logged_in().to_owned(),
        "session.delete" => return audit::logged_out().to_owned(),
        "session.reject" => return audit::login_failed().to_owned(),
        "speech.submit" => return audit::calls_sent().to_owned(),
        _ => {}
    }
    match action.split_once('.') {
        Some((kind, verb)) => {
            // These actions concern many objects.
            let kind = match action {
                "call.export" => "calls",
                "campaign.export" => "campaigns",
                "delivery.export" => "deliveries",
                "import.export" => "imports",
                "lead.export" => "leads",
                "status.reorder" => "statuses",
                "transcript.export" | "transcript.search" => "transcripts",
                _ => kind,
            };
            let verb = audit::verb(verb).map_or_else(|| verb.replace('_', " "), str::to_owned);
            audit::kind_and_verb(kind_name(kind), verb)
        }
        None => audit::all_actions_of_kind(kind_name(action)),
    }
}

/// Label of a kind of object.
fn kind_name(kind: &str) -> String {
    audit::kind(&kind.replace('-', "_")).map_or_else(|| humanize(kind), str::to_owned)
}

/// Label of a subject: `lead:17` becomes `Lead 17`.
pub fn subject_name(subject: &str) -> String {
    match subject.split_once(':') {
        Some((kind, id)) => format!("{} {id}", kind_name(kind)),
        None => kind_name(subject),
    }
}

/// Converts the user's input to a subject of the log: `lead 17`, `Lead #17` and labels in any language, such as
/// `Anruf 3`, become `lead:17` and `call:3`. Returns the input unchanged if the kind is unknown.
pub fn parse_subject(input: &str) -> String {
    let is_separator = |letter: char| matches!(letter, ':' | '#') || letter.is_whitespace();
    let kind = |label: &str| audit::parse_kind(&host::to_lower(label.trim_end_matches(is_separator)));
    if let Some(kind_only) = kind(input) {
        return kind_only.to_owned();
    }
    match input.rsplit_once(is_separator).and_then(|(label, id)| Some((kind(label)?, id))) {
        Some((kind, id)) => format!("{kind}:{id}"),
        None => input.to_owned(),
    }
}

#[component]
pub fn AuditFilter(
    query: Memo<AuditQuery>,
    /// Possible actors, by their names in the log.
    actors: Signal<Vec<Choice>>,
    /// Diagnostics that the server found in the query.
    diagnostics: Signal<Vec<Diagnostic>>,
    on_change: Callback<AuditQuery>,
) -> impl IntoView {
    let input = move |accessor: FieldAccessor<AuditQuery>| query_field(query, on_change, accessor);
    let choice = |action: String| (action.clone(), action_name(&action));
    let actions = AUDITED_ACTIONS.iter().flat_map(|(kind, verbs)| {
        let full_names = verbs.iter().map(move |verb| format!("{kind}.{verb}"));
        std::iter::once((*kind).to_owned()).chain(full_names).map(choice)
    });
    let actions = actions.collect::<Vec<_>>();
    let (actor, set_actor) = input(|query| &mut query.actor);
    let (action, set_action) = input(|query| &mut query.action);
    let (subject, set_subject) = input(|query| &mut query.subject);
    let datetime_input = move |label, test_id, name, accessor| {
        let (value, set) = input(accessor);
        view! { <DateTimeInput label test_id diagnostics=diagnostics_signal(diagnostics, name) value set /> }
    };
    // A value from an old link stays selected even if it isn't among the choices.
    let with_current = move |choices: Vec<Choice>, value: String, name: fn(&str) -> String| -> Vec<Choice> {
        let is_known = value.is_empty() || choices.iter().any(|(existing, _)| *existing == value);
        let current = (!is_known).then(|| (value.clone(), name(&value)));
        choices.into_iter().chain(current).collect()
    };
    let actors = Signal::derive(move || with_current(actors.get(), actor.get(), str::to_owned));
    let active_filter_count = Memo::new(move |_| query.with(|query| query.count_conditions_except("subject")));
    let actions = Signal::derive(move || with_current(actions.clone(), action.get(), action_name));
    view! {
        <form class="filter-line" role="search" aria-label=settings::audit_log() on:submit=|event| event.prevent_default()>
            <div>
                <SearchInput
                    label=audit::object()
                    placeholder=audit::object_example()
                    test_id="audit-subject"
                    value=subject
                    set=set_subject
                />
                <FieldDiagnostics diagnostics=diagnostics_signal(diagnostics, "subject") />
            </div>
            <MoreFilters id="audit-filters" active_count=active_filter_count>
                <Select label=audit::actor() empty_label=audit::any_actor() choices=actors value=actor set=set_actor />
                <Select label=audit::action() empty_label=audit::any_action() choices=actions value=action set=set_action />
                {datetime_input(common::from(), "audit-from", "from", |query| &mut query.from)}
                {datetime_input(common::until(), "audit-till", "till", |query| &mut query.till)}
            </MoreFilters>
        </form>
    }
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::AUDITED_ACTIONS;

    use crate::features::settings::audit_filter::{action_name, parse_subject, subject_name};
    use crate::i18n::locale::{Language, set_language};
    use crate::i18n::texts::audit;

    #[test]
    fn audited_kinds_and_verbs_have_labels() {
        for (kind, verbs) in AUDITED_ACTIONS {
            assert!(audit::kind(kind).is_some(), "{kind}");
            for verb in verbs {
                assert!(audit::verb(verb).is_some(), "{kind}.{verb}");
            }
        }
    }

    #[test]
    fn actions_and_subjects_have_labels() {
        assert_eq!(action_name("campaign_lead.update"), "Campaign lead updated");
        assert_eq!(action_name("session.create"), "Logged in");
        assert_eq!(action_name("lead.export"), "Leads exported");
        assert_eq!(action_name("transcript.search"), "Transcripts searched");
        assert_eq!(subject_name("campaign_lead:17"), "Campaign lead 17");
        assert_eq!(subject_name("audit-log"), "Audit log");
        assert_eq!(subject_name("status:no_answer"), "Status no_answer");
    }

    #[test]
    fn parses_subjects_by_label_and_name() {
        let assert_parses = |pairs: &[(&str, &str)]| {
            for (input, subject) in pairs {
                assert_eq!(parse_subject(input), *subject, "{input}");
            }
        };
        assert_parses(&[
            ("lead:17", "lead:17"),
            ("lead 17", "lead:17"),
            ("Lead #17", "lead:17"),
            ("lead: # 17", "lead:17"),
            ("#17", "#17"),
            ("lead", "lead"),
            ("Lead #", "lead"),
            ("Campaign lead 17", "campaign_lead:17"),
            ("campaign lead 17", "campaign_lead:17"),
            ("status no_answer", "status:no_answer"),
            ("user:Ada@example.com", "user:Ada@example.com"),
            ("audit-log", "audit-log"),
            ("leads", "leads"),
            ("", ""),
        ]);
        assert_parses(&[("Anruf 3", "call:3")]);
        set_language(Language::German);
        assert_parses(&[("campaign 5", "campaign:5")]);
        assert_parses(&[
            ("Anruf 3", "call:3"),
            ("api-schlüssel 2", "api_key:2"),
            ("Benutzer", "user"),
            ("lead #17", "lead:17"),
        ]);
    }
}

//! Filter of the audit log. Each change applies immediately and returns to the first page.

use leadscribe_engine::api::AUDITED;
use leadscribe_engine::diagnostic::Diagnostic;
use leadscribe_engine::host;
use leptos::prelude::*;

use crate::api::{AuditQuery, ListQuery};
use crate::components::badge::spelled;
use crate::components::input::chip_picker::Choice;
use crate::components::input::field::FieldFaults;
use crate::components::input::filter_inputs::{Member, MomentInput, MoreFilters, Pick, input_of};
use crate::components::input::search_input::SearchInput;
use crate::faults::faults_at;
use crate::texts::audit;

/// Parameters whose faults are shown at their inputs.
pub const SHOWN: [&str; 3] = ["subject", "from", "till"];

/// Label of an action: `lead.update` becomes `Lead updated`.
pub fn action_name(action: &str) -> String {
    // Labels that don't consist of a kind and a verb.
    match action {
        "session.create" => return audit::logged_in().to_owned(),
        "session.delete" => return audit::logged_out().to_owned(),
        "session.refused" => return audit::log_in_refused().to_owned(),
        "speech.submit" => return audit::calls_sent().to_owned(),
        _ => {}
    }
    match action.split_once('.') {
        Some((thing, verb)) => {
            let verb = audit::verb(verb).map_or_else(|| verb.replace('_', " "), str::to_owned);
            audit::deed(kind_name(thing), verb)
        }
        None => audit::any_deed(kind_name(action)),
    }
}

/// Label of a kind of object.
fn kind_name(kind: &str) -> String {
    audit::kind(&kind.replace('-', "_")).map_or_else(|| spelled(kind), str::to_owned)
}

/// Label of a subject: `lead:17` becomes `Lead 17`.
pub fn subject_name(subject: &str) -> String {
    match subject.split_once(':') {
        Some((kind, id)) => format!("{} {id}", kind_name(kind)),
        None => kind_name(subject),
    }
}

/// Parses a subject as the user names it into its name in the log: `lead 17`, `lead #17` and its labels become `lead:17`. Returns the input
/// unchanged if the kind is unknown.
pub fn subject_called(typed: &str) -> String {
    let is_between = |letter: char| matches!(letter, ':' | '#') || letter.is_whitespace();
    let kind = |called: &str| audit::kind_called(&host::lower(called.trim_end_matches(is_between)));
    if let Some(any) = kind(typed) {
        return any.to_owned();
    }
    match typed.rsplit_once(is_between).and_then(|(called, id)| Some((kind(called)?, id))) {
        Some((kind, id)) => format!("{kind}:{id}"),
        None => typed.to_owned(),
    }
}

/// The filter.
#[component]
pub fn AuditFilter(
    wanted: Memo<AuditQuery>,
    /// Possible actors, by their names in the log.
    actors: Signal<Vec<Choice>>,
    /// Faults that the server found in the query.
    faults: Signal<Vec<Diagnostic>>,
    on_change: Callback<AuditQuery>,
) -> impl IntoView {
    let input = move |member: Member<AuditQuery>| input_of(wanted, on_change, member);
    let at = move |name: &'static str| Signal::derive(move || faults.with(|faults| faults_at(faults, name)));
    let choice = |action: String| (action.clone(), action_name(&action));
    let actions = AUDITED.iter().flat_map(|(kind, verbs)| {
        let whole = verbs.iter().map(move |verb| format!("{kind}.{verb}"));
        std::iter::once((*kind).to_owned()).chain(whole).map(choice)
    });
    let actions = actions.collect::<Vec<_>>();
    let (actor, set_actor) = input(|query| &mut query.actor);
    let (action, set_action) = input(|query| &mut query.action);
    let (subject, set_subject) = input(|query| &mut query.subject);
    let (from, set_from) = input(|query| &mut query.from);
    let (till, set_till) = input(|query| &mut query.till);
    // A value from an old link stays selected even if it isn't among the choices.
    let with_own = move |choices: Vec<Choice>, value: String, name: fn(&str) -> String| -> Vec<Choice> {
        let is_known = value.is_empty() || choices.iter().any(|(one, _)| *one == value);
        let own = (!is_known).then(|| (value.clone(), name(&value)));
        choices.into_iter().chain(own).collect()
    };
    let actors = Signal::derive(move || with_own(actors.get(), actor.get(), str::to_owned));
    let narrowed = Memo::new(move |_| wanted.with(|wanted| wanted.narrowed_beside("subject")));
    let actions = Signal::derive(move || with_own(actions.clone(), action.get(), action_name));
    view! {
        <form class="filter-line" role="search" aria-label=audit::log() on:submit=|event| event.prevent_default()>
            <div>
                <SearchInput
                    label=audit::to_what()
                    placeholder=audit::to_what_example()
                    test="audit-subject"
                    value=subject
                    set=set_subject
                />
                <FieldFaults faults=at("subject") />
            </div>
            <MoreFilters id="audit-filters" set=narrowed>
                <Pick label=audit::who() none=audit::who_anybody() choices=actors value=actor set=set_actor />
                <Pick label=audit::what() none=audit::what_anything() choices=actions value=action set=set_action />
                <MomentInput label=audit::from() test="audit-from" faults=at("from") value=from set=set_from />
                <MomentInput label=audit::till() test="audit-till" faults=at("till") value=till set=set_till />
            </MoreFilters>
        </form>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::AUDITED;

    use super::{action_name, subject_called, subject_name};
    use crate::language::{Language, speak};
    use crate::texts::audit;

    #[test]
    fn audited_kinds_and_verbs_have_labels() {
        for (kind, verbs) in AUDITED {
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
        assert_eq!(subject_name("campaign_lead:17"), "Campaign lead 17");
        assert_eq!(subject_name("audit-log"), "Audit log");
        assert_eq!(subject_name("status:no_answer"), "Status no_answer");
    }

    #[test]
    fn parses_subjects_by_label_and_name() {
        let are = |pairs: &[(&str, &str)]| {
            for (typed, subject) in pairs {
                assert_eq!(subject_called(typed), *subject, "{typed}");
            }
        };
        are(&[
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
        are(&[("Anruf 3", "call:3")]);
        speak(Language::German);
        are(&[("campaign 5", "campaign:5")]);
        are(&[("Anruf 3", "call:3"), ("api-schlüssel 2", "api_key:2"), ("Benutzer", "user"), ("lead #17", "lead:17")]);
    }
}

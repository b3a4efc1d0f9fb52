//! A lead to narrow a list to: typed as people know it, and kept by its number.

use std::collections::BTreeSet;
use std::time::Duration;

use leadscribe_engine::api::LeadId;
use leadscribe_engine::fault::Fault;
use leptos::leptos_dom::helpers::{TimeoutHandle, set_timeout_with_handle};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::field::FieldFaults;
use super::lead_table::{called, lead_name};
use crate::api::use_api;
use crate::lead_search::search;
use crate::texts::filter as texts;

/// A pause in typing after which leads are searched for.
const PAUSE: Duration = Duration::from_millis(150);

/// Fewer characters find too much to be of use.
const LEAST: usize = 2;

/// Most leads that are suggested.
const MOST: usize = 8;

/// An input that suggests leads.
#[component]
pub fn LeadInput(
    label: &'static str,
    test: &'static str,
    faults: Signal<Vec<Fault>>,
    /// The number of the lead as a text, empty for any.
    value: Signal<String>,
    set: Callback<String>,
) -> impl IntoView {
    let api = use_api();
    let (shown, suggested) = (RwSignal::new(String::new()), RwSignal::new(Vec::<String>::new()));
    let is_unknown = RwSignal::new(false);
    Effect::new(move |_| {
        let value = value.get();
        is_unknown.set(false);
        let Ok(id) = value.parse().map(LeadId) else { return shown.set(value) };
        shown.set(spelled("", id));
        spawn_local(async move {
            let named = api.lead_names(&BTreeSet::from([id])).await.unwrap_or_default();
            if let Some(lead) = named.first() {
                // Something else may have been typed, or the page may be gone.
                let name = called(id, lead.first_name.as_deref(), lead.last_name.as_deref());
                _ = shown.try_update(|shown| {
                    if *shown == spelled("", id) {
                        *shown = spelled(&name, id)
                    }
                });
            }
        });
    });
    let timer = StoredValue::new(None::<TimeoutHandle>);
    let forget = move || _ = timer.try_update_value(|timer| timer.take().map(|timer| timer.clear()));
    on_cleanup(forget);
    let suggest = move |typed: String| {
        spawn_local(async move {
            let found = search(api, &typed, MOST).await.unwrap_or_default();
            if shown.try_get_untracked().as_ref() == Some(&typed) {
                suggested.set(found.leads.iter().map(|lead| spelled(&lead_name(lead), lead.id)).collect());
            }
        });
    };
    let on_input = move |typed: String| {
        forget();
        is_unknown.set(false);
        shown.set(typed.clone());
        // A suggestion that was picked is typed too.
        if id_of(&typed).is_none() && typed.trim().chars().count() >= LEAST {
            timer.set_value(set_timeout_with_handle(move || suggest(typed.clone()), PAUSE).ok());
        }
    };
    let on_change = move |typed: String| match (typed.trim(), id_of(&typed)) {
        ("", _) => set.run(String::new()),
        (_, Some(id)) => set.run(id.to_string()),
        (_, None) => is_unknown.set(true),
    };
    let list = format!("{test}-suggestions");
    view! {
        <label class="filter-moment">
            <span class="small secondary">{label}</span>
            <input
                class="input"
                type="search"
                list=list.clone()
                autocomplete="off"
                spellcheck="false"
                placeholder=texts::any()
                aria-invalid=move || is_unknown.get().to_string()
                data-test=test
                prop:value=shown
                on:input:target=move |event| on_input(event.target().value())
                on:change:target=move |event| on_change(event.target().value())
                // The browser's own cross empties it, and asks at once.
                on:search=move |_: web_sys::Event| {
                    if shown.with_untracked(String::is_empty) && value.with_untracked(|value| !value.is_empty()) {
                        set.run(String::new());
                    }
                }
            />
            <datalist id=list>
                {move || suggested.get().into_iter().map(|one| view! { <option value=one></option> }).collect_view()}
            </datalist>
            <Show when=move || is_unknown.get()>
                <span class="field-hint" role="alert">
                    {texts::pick_a_lead()}
                </span>
            </Show>
            <FieldFaults faults />
        </label>
    }
    .into_any()
}

/// How a lead stands in the input.
fn spelled(name: &str, id: LeadId) -> String {
    format!("{name} #{id}").trim_start().to_owned()
}

/// The number at the end of a suggestion, or that was typed alone.
fn id_of(typed: &str) -> Option<LeadId> {
    let typed = typed.trim();
    let number = typed.rsplit_once('#').map_or(typed, |(_, number)| number);
    number.parse().ok().filter(|id| *id > 0).map(LeadId)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_is_known_by_the_number_behind_its_name() {
        assert_eq!(id_of(&spelled("Ann #1 Lee", LeadId(17))), Some(LeadId(17)));
        assert_eq!(id_of(&spelled("", LeadId(17))), Some(LeadId(17)));
        assert_eq!(id_of(" 17 "), Some(LeadId(17)));
        assert_eq!(["", "Ann", "#", "0", "Ann #x"].map(id_of), [None; 5]);
    }
}

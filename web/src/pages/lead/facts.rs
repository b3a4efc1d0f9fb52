//! The fields of a lead, and the form to edit them, which has its own address: `/leads/{id}?edit`.

use leadscribe_engine::api::{ExtendedLead, Lead};
use leadscribe_engine::filter::fields::{FIELDS, FieldId, Kind, Owner};
use leadscribe_engine::record::lead_cell;
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_location, use_navigate};

use super::edit::{EditedLead, Editing};
use crate::components::fact_list::{Fact, FactList};
use crate::components::icon::{Glyph, Icon};
use crate::components::lead::table::{custom_text, lead_text};
use crate::components::moment::Moment;
use crate::components::phone::Phone;
use crate::focus::focus_soon;
use crate::parts;
use crate::query::use_query;
use crate::remote::Remote;
use crate::session::use_session;
use crate::texts::fields::label;
use crate::texts::{lead as texts, lead_table};

/// Id of the link that opens the form.
pub const EDIT: &str = "edit-lead";

/// Query of the address that opens the form.
const EDITING: &str = "?edit";

/// Card with the fields that have a value, or with the form.
#[component]
pub fn LeadFacts(
    /// A lead that is loaded.
    lead: Remote<ExtendedLead>,
    on_change: Callback<()>,
) -> impl IntoView {
    let session = use_session();
    // Kept when the lead is refreshed, so the user's input isn't lost.
    let editing = RwSignal::new(None::<Editing>);
    let shown = Memo::new(move |_| lead.with(|lead| lead.map(|lead| lead.lead.clone())));
    let owner = leptos::prelude::Owner::current().unwrap_or_default();
    let (query, pathname, navigate) = (use_query(), use_location().pathname, use_navigate());
    let here = pathname.get_untracked();
    let is_here = {
        let here = here.clone();
        move || pathname.get_untracked() == here
    };
    let go = {
        let here = here.clone();
        let is_here = is_here.clone();
        Callback::new(move |(query, replace): (&'static str, bool)| {
            if is_here() {
                navigate(&format!("{here}{query}"), NavigateOptions { scroll: false, replace, ..Default::default() });
            }
        })
    };
    let is_asked = Memo::new(move |_| session.may_write() && query.get("edit").is_some());
    // True if the previous history entry is the address without the form.
    let came_from_facts = StoredValue::new(false);
    Effect::new(move |before: Option<bool>| {
        let now = is_asked.get();
        // While navigating away, the address already belongs to another page.
        if !is_here() {
            return now;
        }
        came_from_facts.set_value(now && before == Some(false));
        if now && editing.with_untracked(Option::is_none) {
            // The input lives as long as the card.
            editing.set(shown.get_untracked().map(|lead| owner.with(|| Editing::new(lead))));
        } else if !now && editing.with_untracked(Option::is_some) {
            editing.set(None);
            focus_soon(EDIT.to_owned());
        }
        now
    });
    let on_close = Callback::new(move |()| {
        editing.set(None);
        focus_soon(EDIT.to_owned());
        match came_from_facts.get_value() {
            // Without a history there is no previous entry.
            true => _ = window().history().and_then(|history| history.back()),
            false => go.run(("", true)),
        }
    });
    let on_refused = Callback::new(move |refused: Editing| {
        // Does nothing if the form is open again.
        if editing.with_untracked(Option::is_some) {
            return;
        }
        editing.set(Some(refused));
        go.run((EDITING, false));
    });
    let body = move || match editing.get() {
        Some(editing) => parts::edited_lead(EditedLead { lead, editing, on_change, on_close, on_refused }),
        None => (move || shown.with(|lead| lead.as_ref().map(facts))).into_any(),
    };
    view! {
        <aside class="card" aria-label=texts::fields_of_the_lead()>
            <div class="card-head">
                <h2>{texts::fields()}</h2>
                <Show when=move || session.may_write() && editing.with(Option::is_none)>
                    <a id=EDIT class="button button-small" href=EDITING data-noscroll="" data-test="edit-lead">
                        <Icon glyph=Glyph::Edit />
                        {texts::edit()}
                    </a>
                </Show>
            </div>
            {body}
        </aside>
    }
    .into_any()
}

fn facts(lead: &Lead) -> AnyView {
    let own = FIELDS.iter().filter(|field| field.owner == Owner::Lead && field.kind != Kind::DateTime);
    let known = own.filter_map(|field| {
        let text = lead_cell(lead, field.name())?.into_owned();
        let text = match field.id {
            FieldId::PhoneNormalized | FieldId::PhoneNormalized2 => {
                let phone = view! { <Phone number=text /> };
                return Some(view! { <Fact label=label(field.id)>{phone}</Fact> }.into_any());
            }
            _ => lead_text(field.id, text),
        };
        Some(fact(label(field.id).to_owned(), text))
    });
    let known: Vec<_> = known.collect();
    let (created, updated) = (lead.created_at, lead.updated_at);
    let custom: Vec<_> =
        lead.custom_fields.iter().map(|(name, value)| fact(name.clone(), custom_text(value))).collect();
    view! {
        <div class="card-body stack">
            <FactList>
                {known} <Fact label=label(FieldId::CreatedAt)>
                    <Moment at=created />
                </Fact> <Fact label=lead_table::fields_updated()>
                    <Moment at=updated />
                </Fact>
            </FactList>
            {(!custom.is_empty())
                .then(|| {
                    view! {
                        <h3>{texts::custom_fields()}</h3>
                        <FactList>{custom}</FactList>
                    }
                })}
        </div>
    }
    .into_any()
}

fn fact(label: String, value: String) -> AnyView {
    view! { <Fact label>{value}</Fact> }.into_any()
}

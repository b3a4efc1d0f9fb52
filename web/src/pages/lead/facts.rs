//! The fields of a lead, and the way to change them.

use leadscribe_engine::api::{ExtendedLead, Lead};
use leadscribe_engine::filter::fields::{FIELDS, FieldId, Kind, Owner};
use leadscribe_engine::record::lead_cell;
use leptos::prelude::*;

use super::edit::{EditLead, Editing};
use crate::components::fact_list::{Fact, FactList};
use crate::components::icon::{Glyph, Icon};
use crate::components::lead_form::input_id;
use crate::components::lead_table::{custom_text, lead_text};
use crate::components::moment::Moment;
use crate::components::phone::Phone;
use crate::focus::{self, focus_soon};
use crate::remote::Remote;
use crate::session::use_session;
use crate::texts::fields::label;
use crate::texts::{lead as texts, lead_table};

/// The id of the button that opens the form.
const EDIT: &str = "edit-lead";

/// The card: fields that have a value, or the form with all of them.
#[component]
pub fn LeadFacts(
    /// A lead that is there.
    lead: Remote<ExtendedLead>,
    on_change: Callback<()>,
) -> impl IntoView {
    let session = use_session();
    // What somebody writes stays though the lead changes.
    let editing = RwSignal::new(None::<Editing>);
    let shown = Memo::new(move |_| lead.with(|lead| lead.map(|lead| lead.lead.clone())));
    let owner = leptos::prelude::Owner::current().unwrap_or_default();
    let edit = move |_| {
        // What is written lives as long as the card.
        editing.set(shown.get_untracked().map(|lead| owner.with(|| Editing::new(lead))));
        focus_soon(input_id(FieldId::FirstName));
    };
    let on_close = Callback::new(move |()| {
        editing.set(None);
        focus_soon(EDIT.to_owned());
    });
    let on_refused = Callback::new(move |refused: Editing| {
        // Unless something else is being written.
        if editing.with_untracked(Option::is_some) {
            return;
        }
        // Who hasn't gone elsewhere goes on in the form, or with what others changed, which takes the focus by itself.
        if !refused.is_told_of_others() && focus::now().is_none_or(|at| at.id() == EDIT) {
            focus_soon(input_id(FieldId::FirstName));
        }
        editing.set(Some(refused));
    });
    let body = move || match editing.get() {
        Some(editing) => view! { <EditLead lead editing on_change on_close on_refused /> }.into_any(),
        None => (move || shown.with(|lead| lead.as_ref().map(facts))).into_any(),
    };
    view! {
        <aside class="card" aria-label=texts::fields_of_the_lead()>
            <div class="card-head">
                <h2>{texts::fields()}</h2>
                <Show when=move || session.may_write() && editing.with(Option::is_none)>
                    <button type="button" id=EDIT class="button button-small" data-test="edit-lead" on:click=edit.clone()>
                        <Icon glyph=Glyph::Edit />
                        {texts::edit()}
                    </button>
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

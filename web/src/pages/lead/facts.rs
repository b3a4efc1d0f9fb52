//! The fields of a lead, and the way to change them.

use leadscribe_engine::api::Lead;
use leadscribe_engine::filter::fields::{FIELDS, FieldId, Kind, Owner};
use leadscribe_engine::record::{custom_cell, lead_cell};
use leptos::prelude::*;

use super::edit::EditLead;
use crate::components::fact_list::{Fact, FactList};
use crate::components::icon::{Glyph, Icon};
use crate::components::lead_form::input_id;
use crate::components::moment::Moment;
use crate::focus::focus_soon;
use crate::session::use_session;
use crate::texts::fields::label;
use crate::texts::lead as texts;

/// The card: fields that have a value, or the form with all of them.
#[component]
pub fn LeadFacts(lead: Lead, on_change: Callback<()>) -> impl IntoView {
    let session = use_session();
    let editing = RwSignal::new(false);
    let lead = StoredValue::new(lead);
    let edit = move |_| {
        editing.set(true);
        focus_soon(input_id(FieldId::FirstName));
    };
    let on_close = Callback::new(move |()| {
        editing.set(false);
        focus_soon("edit-lead".to_owned());
    });
    let body = move || {
        if editing.get() {
            view! { <EditLead lead=lead.get_value() on_change on_close /> }.into_any()
        } else {
            lead.with_value(facts)
        }
    };
    view! {
        <aside class="card" aria-label=texts::fields_of_the_lead()>
            <div class="card-head">
                <h2>{texts::fields()}</h2>
                <Show when=move || session.may_write() && !editing.get()>
                    <button type="button" id="edit-lead" class="button button-small" data-test="edit-lead" on:click=edit>
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
        let text = match field.kind {
            Kind::Boolean => if text == "true" { texts::yes() } else { texts::no() }.to_owned(),
            _ => text,
        };
        Some(fact(label(field.id).to_owned(), text))
    });
    let known: Vec<_> = known.collect();
    let (created, updated) = (lead.created_at, lead.updated_at);
    let custom: Vec<_> =
        lead.custom_fields.iter().map(|(name, value)| fact(name.clone(), custom_cell(value).into_owned())).collect();
    view! {
        <div class="card-body stack">
            <FactList>
                {known} <Fact label=label(FieldId::CreatedAt)>
                    <Moment at=created />
                </Fact> <Fact label=label(FieldId::UpdatedAt)>
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

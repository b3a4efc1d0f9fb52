//! The fields of a lead, and the form to edit them, which has its own URL: `/leads/{id}?edit`.

use leadscribe_engine::api::{ExtendedLead, Lead};
use leadscribe_engine::filter::fields::{FIELDS, FieldId, Kind, Owner};
use leadscribe_engine::record::lead_cell;
use leptos::prelude::*;
use leptos_router::hooks::use_location;

use super::edit::{LeadEdit, LeadEditFormProps, lead_editor};
use crate::api::use_session;
use crate::browser::focus::focus_after_render;
use crate::browser::query::{use_navigate_in_place, use_query};
use crate::i18n::field_label;
use crate::i18n::texts::{common, lead as texts, leads};
use crate::state::ApiResource;
use crate::ui::lead::table::{custom_text, lead_text};
use crate::ui::{DescriptionItem, DescriptionList, Glyph, Icon, LocalTime, Phone};

pub const EDIT_LINK_ID: &str = "edit-lead";

const EDIT_QUERY: &str = "?edit";

/// Card with the lead's fields, or with the form to edit them.
#[component]
pub fn LeadFields(lead: ApiResource<ExtendedLead>, on_change: Callback<()>) -> impl IntoView {
    let session = use_session();
    // Kept when the lead is refreshed, so the user's input isn't lost.
    let lead_edit = RwSignal::new(None::<LeadEdit>);
    let lead_record = Memo::new(move |_| lead.with(|lead| lead.map(|lead| lead.lead.clone())));
    let owner = leptos::prelude::Owner::current().unwrap_or_default();
    let (query, pathname, navigate_in_place) = (use_query(), use_location().pathname, use_navigate_in_place());
    let page_path = StoredValue::new(pathname.get_untracked());
    let is_this_page = move || page_path.with_value(|page_path| pathname.with_untracked(|path| path == page_path));
    let navigate_to = Callback::new(move |(query, replace): (&'static str, bool)| {
        if is_this_page() {
            navigate_in_place(&format!("{}{query}", page_path.get_value()), replace);
        }
    });
    let is_edit_requested = Memo::new(move |_| session.can_write() && query.get("edit").is_some());
    // True if the previous history entry is the URL without the form.
    let can_go_back = StoredValue::new(false);
    Effect::new(move |was_requested: Option<bool>| {
        let is_requested = is_edit_requested.get();
        // While navigating away, the URL already belongs to another page.
        if !is_this_page() {
            return is_requested;
        }
        can_go_back.set_value(is_requested && was_requested == Some(false));
        if is_requested && lead_edit.with_untracked(Option::is_none) {
            // The input lives as long as the card.
            lead_edit.set(lead_record.get_untracked().map(|lead| owner.with(|| LeadEdit::new(lead))));
        } else if !is_requested && lead_edit.with_untracked(Option::is_some) {
            lead_edit.set(None);
            focus_after_render(EDIT_LINK_ID.to_owned());
        }
        is_requested
    });
    let on_close = Callback::new(move |()| {
        lead_edit.set(None);
        focus_after_render(EDIT_LINK_ID.to_owned());
        match can_go_back.get_value() {
            // Without a history there is no previous entry.
            true => _ = window().history().and_then(|history| history.back()),
            false => navigate_to.run(("", true)),
        }
    });
    let on_rejected = Callback::new(move |rejected: LeadEdit| {
        // Does nothing if the form is open again.
        if lead_edit.with_untracked(Option::is_some) {
            return;
        }
        lead_edit.set(Some(rejected));
        navigate_to.run((EDIT_QUERY, false));
    });
    let body = move || match lead_edit.get() {
        Some(lead_edit) => lead_editor(LeadEditFormProps { lead, lead_edit, on_change, on_close, on_rejected }),
        None => (move || lead_record.with(|lead| lead.as_ref().map(fields_view))).into_any(),
    };
    view! {
        <aside class="card" aria-label=texts::fields_of_the_lead()>
            <div class="card-header">
                <h2>{common::fields()}</h2>
                <Show when=move || session.can_write() && lead_edit.with(Option::is_none)>
                    <a id=EDIT_LINK_ID class="button button-small" href=EDIT_QUERY data-noscroll="" data-test="edit-lead">
                        <Icon glyph=Glyph::Edit />
                        {common::edit()}
                    </a>
                </Show>
            </div>
            {body}
        </aside>
    }
}

fn fields_view(lead: &Lead) -> AnyView {
    let lead_fields = FIELDS.iter().filter(|field| field.owner == Owner::Lead && field.kind != Kind::DateTime);
    let mut items: Vec<_> = lead_fields
        .filter_map(|field| {
            let text = lead_cell(lead, field.id)?.into_owned();
            let value = match field.id {
                FieldId::PhoneNormalized | FieldId::PhoneNormalized2 => view! { <Phone number=text /> }.into_any(),
                _ => lead_text(field.id, text).into_any(),
            };
            Some(item(field_label(field.id).to_owned(), value))
        })
        .collect();
    let times = [(field_label(FieldId::CreatedAt), lead.created_at), (leads::fields_updated(), lead.updated_at)];
    items.extend(times.map(|(label, at)| item(label.to_owned(), view! { <LocalTime at /> }.into_any())));
    let custom = lead.custom_fields.iter().map(|(name, value)| item(name.clone(), custom_text(value).into_any()));
    let custom = Some(custom.collect::<Vec<_>>()).filter(|custom| !custom.is_empty());
    view! {
        <div class="card-body stack">
            <DescriptionList>{items}</DescriptionList>
            {custom.map(|custom| view! { <h3>{common::custom_fields()}</h3> <DescriptionList>{custom}</DescriptionList> })}
        </div>
    }
    .into_any()
}

fn item(label: String, value: AnyView) -> AnyView {
    view! { <DescriptionItem label>{value}</DescriptionItem> }.into_any()
}

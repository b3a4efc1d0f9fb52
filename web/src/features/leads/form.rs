//! Form for the fields of a lead, checked by the engine and the server.

use leadscribe_engine::diagnostic::{Diagnostic, Location};
use leadscribe_engine::filter::fields::{FieldId, Kind};
use leadscribe_engine::record::{LeadRecord, WriteMode};
use leptos::prelude::*;

use super::draft::{CustomEntry, FieldEntry, LeadDraft, ValueKind, custom_pointer, pointer};
use crate::api::ApiError;
use crate::browser::focus::focus_after_render;
use crate::i18n::texts::{common, lead as texts};
use crate::i18n::{aria_invalid, diagnostics_at, field_label};
use crate::state::{FormState, Mutation};
use crate::ui::Glyph;
use crate::ui::input::time_field::DATE;
use crate::ui::input::{Button, Field, FieldDiagnostics, TimeField};

/// Label of a group, and its fields.
type FieldGroup = (fn() -> &'static str, &'static [FieldId]);

/// Editable fields, grouped.
const FIELD_GROUPS: [FieldGroup; 4] = [
    (
        texts::contact,
        &[
            FieldId::FirstName,
            FieldId::LastName,
            FieldId::Email,
            FieldId::Phone,
            FieldId::Phone2,
            FieldId::PhoneNormalized,
            FieldId::PhoneNormalized2,
            FieldId::Birthdate,
            FieldId::DoNotCall,
            FieldId::Blacklisted,
        ],
    ),
    (
        texts::address,
        &[
            FieldId::Address1,
            FieldId::Address2,
            FieldId::Zip,
            FieldId::City,
            FieldId::State,
            FieldId::Country,
            FieldId::Timezone,
            FieldId::Lat,
            FieldId::Lng,
        ],
    ),
    (
        texts::purchase,
        &[FieldId::PurchaseDate, FieldId::PurchaseAmount, FieldId::PurchaseProductName, FieldId::PurchaseSite],
    ),
    (texts::origin, &[FieldId::OriginalIdentifier, FieldId::SupportSite]),
];

/// Fields that span the full width of the form.
const FULL_WIDTH_FIELDS: [FieldId; 9] = [
    FieldId::Email,
    FieldId::Birthdate,
    FieldId::Address1,
    FieldId::Address2,
    FieldId::Timezone,
    FieldId::PurchaseProductName,
    FieldId::PurchaseSite,
    FieldId::OriginalIdentifier,
    FieldId::SupportSite,
];

pub fn fields() -> impl Iterator<Item = FieldId> {
    FIELD_GROUPS.iter().flat_map(|(_, ids)| ids.iter().copied())
}

pub fn input_id(id: FieldId) -> String {
    format!("lead-{}", id.field().name())
}

/// State of the form of a new lead or of a change, checked on every key press.
pub fn lead_form_state(draft: LeadDraft, mode: WriteMode) -> FormState {
    let body = Memo::new(move |_| draft.change());
    let diagnostics = Memo::new(move |_| {
        let mut diagnostics = draft.diagnostics();
        let own_locations: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.location.clone()).collect();
        let others = body.with(|body| LeadRecord::from_json(body.as_ref()?, mode).err()).unwrap_or_default();
        diagnostics.extend(others.into_iter().filter(|other| !own_locations.contains(&other.location)));
        diagnostics
    });
    FormState::new(body, diagnostics)
}

/// Error without the diagnostics that the inputs show themselves.
pub fn form_error(mutation: Mutation) -> Option<ApiError> {
    let pointers: Vec<_> = fields().map(pointer).chain(["/custom_fields".to_owned()]).collect();
    mutation.form_error(&pointers.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Inputs for the editable and custom fields.
#[component]
pub fn LeadForm(draft: LeadDraft, diagnostics: Signal<Vec<Diagnostic>>) -> impl IntoView {
    let groups = FIELD_GROUPS.iter().map(|(label, ids)| {
        let inputs = ids.iter().filter_map(|id| draft.entry(*id)).map(|entry| {
            let pointer = pointer(entry.key);
            let diagnostics = Signal::derive(move || diagnostics.with(|all| diagnostics_at(all, &pointer)));
            input(draft, entry, diagnostics)
        });
        view! {
            <fieldset class="lead-fields">
                <legend>{label()}</legend>
                {inputs.collect_view()}
            </fieldset>
        }
        .into_any()
    });
    view! {
        {groups.collect_view()}
        <CustomFields draft diagnostics />
    }
}

fn input(draft: LeadDraft, entry: FieldEntry, diagnostics: Signal<Vec<Diagnostic>>) -> AnyView {
    let FieldEntry { key: id, kind, text, .. } = entry;
    let (element_id, label) = (input_id(id), field_label(id));
    if kind == ValueKind::Boolean {
        return view! {
            <label class="check">
                <input
                    id=element_id
                    class="checkbox"
                    type="checkbox"
                    prop:checked=move || text.with(|text| text == "true")
                    on:change:target=move |event| text.set(event.target().checked().to_string())
                />
                <span>{label}</span>
            </label>
        }
        .into_any();
    }
    let class = if FULL_WIDTH_FIELDS.contains(&id) { "lead-field-wide" } else { "" };
    if id.field().kind == Kind::Date {
        let set = Callback::new(move |date| text.set(date));
        return view! {
            <div class=class>
                <TimeField id=element_id label input_type=&DATE value=text.into() set diagnostics />
            </div>
        }
        .into_any();
    }
    let invalid = aria_invalid(diagnostics);
    let note_id = format!("{element_id}-note");
    // The value belongs to the previous number until the server normalizes the new one.
    let is_stale = Memo::new(move |_| {
        let source_field = match id {
            FieldId::PhoneNormalized => FieldId::Phone,
            FieldId::PhoneNormalized2 => FieldId::Phone2,
            _ => return false,
        };
        draft.is_changed(source_field) && !draft.is_changed(id)
    });
    let stale_note = view! {
        <Show when=move || is_stale.get()>
            <p class="field-hint" data-test="derived-field-note">
                {texts::derived_from_phone()}
            </p>
        </Show>
    };
    let control = if matches!(id, FieldId::Address1 | FieldId::Address2) {
        view! {
            <textarea id=element_id.clone() class="input textarea" rows="2" aria-describedby=note_id aria-invalid=invalid bind:value=text></textarea>
        }
        .into_any()
    } else {
        let mode = match id {
            FieldId::Email => "email",
            FieldId::Phone | FieldId::Phone2 | FieldId::PhoneNormalized | FieldId::PhoneNormalized2 => "tel",
            _ if kind == ValueKind::Text => "text",
            _ => "decimal",
        };
        view! {
            <input
                id=element_id.clone()
                class="input"
                class:is-stale=is_stale
                inputmode=mode
                autocomplete="off"
                aria-describedby=note_id
                aria-invalid=invalid
                bind:value=text
            />
        }
        .into_any()
    };
    view! {
        <div class=class>
            <Field id=element_id label diagnostics note=stale_note.into_any()>
                {control}
            </Field>
        </div>
    }
    .into_any()
}

/// Custom fields of the lead, and a button to add one. Clearing a field removes it.
#[component]
fn CustomFields(draft: LeadDraft, diagnostics: Signal<Vec<Diagnostic>>) -> impl IntoView {
    let name = RwSignal::new(String::new());
    let is_taken = RwSignal::new(false);
    let add = move || {
        let new_name = name.get_untracked().trim().to_owned();
        if new_name.is_empty() {
            return;
        }
        if draft.add_custom(&new_name) {
            name.set(String::new());
            focus_after_render(custom_input_id(&new_name));
        } else {
            is_taken.set(true);
        }
    };
    let render_field = move |CustomEntry { key: name, kind, text, .. }: CustomEntry| {
        let (element_id, pointer) = (custom_input_id(&name), custom_pointer(&name));
        let diagnostics = Signal::derive(move || diagnostics.with(|all| diagnostics_at(all, &pointer)));
        let id = element_id.clone();
        let control = match kind {
            ValueKind::Boolean => boolean_select(id, text),
            _ => view! { <input id=id class="input" autocomplete="off" data-test="custom-field" bind:value=text /> }
                .into_any(),
        };
        view! {
            <div class="lead-field-wide">
                <Field id=element_id label=name diagnostics>
                    {control}
                </Field>
            </div>
        }
        .into_any()
    };
    // Diagnostics of the custom fields as a whole, such as too many fields.
    let general_diagnostics = Signal::derive(move || {
        let is_general =
            |diagnostic: &&Diagnostic| diagnostic.location == Location::Pointer("/custom_fields".to_owned());
        diagnostics.with(|diagnostics| diagnostics.iter().filter(is_general).cloned().collect::<Vec<_>>())
    });
    view! {
        <fieldset class="lead-fields">
            <legend>{common::custom_fields()}</legend>
            <For each=move || draft.custom() key=|entry| entry.key.clone() children=render_field />
            <div class="lead-field-wide">
                <Field id="lead-custom-name" label=texts::add_custom_field()>
                    <div class="input-group">
                        <input
                            id="lead-custom-name"
                            class="input"
                            autocomplete="off"
                            placeholder=texts::custom_field_name()
                            data-test="custom-name"
                            bind:value=name
                            on:input=move |_| is_taken.set(false)
                            on:keydown=move |event| {
                                if event.key() == "Enter" {
                                    event.prevent_default();
                                    add();
                                }
                            }
                        />
                        <Button glyph=Glyph::Plus label=common::add() test_id="custom-add" on_press=move |()| add() />
                    </div>
                    <Show when=move || is_taken.get()>
                        <p class="field-error">{texts::field_exists()}</p>
                    </Show>
                </Field>
                <FieldDiagnostics diagnostics=general_diagnostics />
            </div>
        </fieldset>
    }
}

/// Choice between true, false and empty. Empty removes the field.
fn boolean_select(id: String, text: RwSignal<String>) -> AnyView {
    let options = [("true", common::yes()), ("false", common::no()), ("", "–")].map(|(value, label)| {
        view! {
            <option value=value selected=move || text.with(|text| text == value)>
                {label}
            </option>
        }
    });
    view! {
        <select
            id=id
            class="select"
            data-test="custom-field"
            on:change:target=move |event| text.set(event.target().value())
        >
            {options.collect_view()}
        </select>
    }
    .into_any()
}

fn custom_input_id(name: &str) -> String {
    format!("lead-custom.{name}")
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::ImportKind;
    use leadscribe_engine::filter::fields::FIELDS;
    use leadscribe_engine::record::column_names;

    use super::*;

    #[test]
    fn form_has_every_field_that_users_may_change() {
        let columns = column_names(ImportKind::Leads);
        // The id can't be changed, and times come from files only.
        let editable = FIELDS
            .iter()
            .filter(|field| columns.contains(&field.name()) && field.id != FieldId::Id && field.kind != Kind::DateTime);
        let missing: Vec<_> = editable.map(|field| field.id).filter(|id| !fields().any(|other| other == *id)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}

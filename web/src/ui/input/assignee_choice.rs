//! Choice of a lead's assignee: the user, another member of staff, unassigned, or a number that only the telephone
//! system knows.

use leadscribe_engine::api::{Assignee, UserId};
use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use super::field::{Field, SelectField};
use crate::api::CurrentUser;
use crate::i18n::aria_invalid;
use crate::i18n::texts::{common, leads};

/// Value of the option for a number without an account here.
const OTHER_OPTION: &str = "other";

/// Value of the option for unassigned.
const UNASSIGNED_OPTION: &str = "nobody";

/// The choice. Reports the assignee's id as typed, an empty text for unassigned, or `None` while a number is still to
/// be typed.
#[component]
pub fn AssigneeChoice(
    id: &'static str,
    label: &'static str,
    /// Initial assignee id, empty if unassigned; `None` if the user has to choose.
    initial: Option<String>,
    current_user: Signal<Option<CurrentUser>>,
    /// All staff, if known.
    staff: Signal<Vec<Assignee>>,
    diagnostics: Signal<Vec<Diagnostic>>,
    on_choose: Callback<Option<String>>,
) -> impl IntoView {
    let selected = RwSignal::new(match initial.as_deref() {
        None => String::new(),
        Some("") => UNASSIGNED_OPTION.to_owned(),
        Some(user) => user.to_owned(),
    });
    let initial_id = StoredValue::new(initial.unwrap_or_default());
    let is_other = Memo::new(move |_| selected.with(|selected| selected == OTHER_OPTION));
    let choose = move |value: String| {
        on_choose.run(match value.as_str() {
            UNASSIGNED_OPTION => Some(String::new()),
            OTHER_OPTION => None,
            user => Some(user.to_owned()),
        });
        selected.set(value);
    };
    let choices = Signal::derive(move || {
        let user = current_user.get();
        let user_id = user.as_ref().map(|user| user.id);
        let staff: Vec<_> = staff.get().into_iter().filter(|member| Some(member.id) != user_id).collect();
        initial_id.with_value(|initial_id| {
            let is_initial = |id: UserId| id.to_string() == *initial_id;
            // An assignee of the telephone system, or one whose name isn't loaded.
            let is_known = user_id.into_iter().chain(staff.iter().map(|member| member.id)).any(is_initial);
            let unknown =
                (!is_known && !initial_id.is_empty()).then(|| (initial_id.clone(), leads::agent_number(initial_id)));
            let staff = staff.into_iter().filter(|member| member.active || is_initial(member.id));
            let user = user.map(|user| (user.id.to_string(), leads::me(user.email)));
            let other_choices = [
                (UNASSIGNED_OPTION.to_owned(), leads::no_one().to_owned()),
                (OTHER_OPTION.to_owned(), leads::enter_agent_number().to_owned()),
            ];
            let staff = staff.map(|member| (member.id.to_string(), member.email));
            user.into_iter().chain(staff).chain(unknown).chain(other_choices).collect::<Vec<_>>()
        })
    });
    let select_diagnostics = Signal::derive(move || if is_other.get() { Vec::new() } else { diagnostics.get() });
    view! {
        <SelectField
            id
            label
            empty_label=common::choose()
            is_required=true
            choices
            value=selected
            set=choose
            diagnostics=select_diagnostics
        />
        {move || is_other.get().then(|| number_input(id, diagnostics, on_choose))}
    }
}

fn number_input(id: &str, diagnostics: Signal<Vec<Diagnostic>>, on_choose: Callback<Option<String>>) -> AnyView {
    let id = format!("{id}-number");
    view! {
        <Field id=id.clone() label=leads::number() hint=leads::number_hint() diagnostics>
            <input
                id=id.clone()
                class="input"
                inputmode="numeric"
                autocomplete="off"
                aria-describedby=format!("{id}-note")
                aria-invalid=aria_invalid(diagnostics)
                data-test=id
                on:input:target=move |event| {
                    let number = event.target().value();
                    on_choose.run((!number.trim().is_empty()).then_some(number));
                }
            />
        </Field>
    }
    .into_any()
}

//! Choice of a lead's assignee: the user, another member of staff, unassigned, or a number that only the telephone system knows.

use leadscribe_engine::api::{Assignee, UserId};
use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use super::field::Field;
use crate::api::session::CurrentUser;
use crate::i18n::texts::leads;
use crate::i18n::validation_errors::aria_invalid;

/// Value of the option for a number without an account here.
const OTHER_OPTION: &str = "other";

/// Value of the option for unassigned.
const UNASSIGNED_OPTION: &str = "nobody";

/// The choice. Reports the assignee's id as typed, an empty text for unassigned, or `None` while a number is still to be typed.
#[component]
pub fn AssigneeChoice(
    id: &'static str,
    label: &'static str,
    /// Initial assignee id, empty if unassigned; `None` if the user has to choose.
    initial: Option<String>,
    /// The current user.
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
    let option = move |value: String, text: String| {
        let selected = selected.with_untracked(|selected| *selected == value);
        view! {
            <option value=value selected=selected>
                {text}
            </option>
        }
    };
    let options = move || {
        let user = current_user.get();
        let user_id = user.as_ref().map(|user| user.id);
        let other_staff: Vec<_> = staff.get().into_iter().filter(|member| Some(member.id) != user_id).collect();
        // An assignee of the telephone system, or one whose name isn't loaded.
        let unknown_assignee = initial_id.with_value(|initial_id| {
            let is_known = |id: UserId| id.to_string() == *initial_id;
            let known = user_id.into_iter().chain(other_staff.iter().map(|member| member.id)).any(is_known);
            (!known && !initial_id.is_empty()).then(|| option(initial_id.clone(), leads::agent_number(initial_id)))
        });
        let user = user.map(|user| option(user.id.to_string(), leads::me(user.email)));
        let other_staff = other_staff
            .into_iter()
            .filter(|member| member.active || initial_id.with_value(|initial_id| member.id.to_string() == *initial_id));
        let other_staff = other_staff.map(|member| option(member.id.to_string(), member.email)).collect_view();
        view! {
            {user}
            {other_staff}
            {unknown_assignee}
            {option(UNASSIGNED_OPTION.to_owned(), leads::no_one().to_owned())}
            {option(OTHER_OPTION.to_owned(), leads::enter_agent_number().to_owned())}
        }
    };
    let has_to_choose = selected.with_untracked(String::is_empty);
    let select_diagnostics = Signal::derive(move || if is_other.get() { Vec::new() } else { diagnostics.get() });
    view! {
        <Field id label diagnostics=select_diagnostics>
            <select
                id=id
                class="select"
                autofocus=has_to_choose
                aria-describedby=format!("{id}-note")
                data-test=id
                on:change:target=move |event| choose(event.target().value())
            >
                {has_to_choose
                    .then(|| {
                        view! {
                            <option value="" hidden selected>
                                {leads::choose()}
                            </option>
                        }
                    })}
                {options}
            </select>
        </Field>
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

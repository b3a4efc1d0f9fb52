//! Choice of a lead's assignee: the user, another member of staff, unassigned, or a number that only the telephone system knows.

use leadscribe_engine::api::{Assignee, User, UserId};
use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use super::field::Field;
use crate::faults::invalid;
use crate::texts::leads;

/// Value of the option for a number without an account here.
const OTHER: &str = "other";

/// Value of the option for unassigned.
const NOBODY: &str = "nobody";

/// The choice. Reports the assignee's id as typed, an empty text for unassigned, or `None` while a number is still to be typed.
#[component]
pub fn AssigneeChoice(
    id: &'static str,
    label: &'static str,
    /// Initial assignee id, empty if unassigned; `None` if the user has to choose.
    at_first: Option<String>,
    /// The current user.
    me: Signal<Option<User>>,
    /// All staff, if known.
    staff: Signal<Vec<Assignee>>,
    faults: Signal<Vec<Diagnostic>>,
    on_choose: Callback<Option<String>>,
) -> impl IntoView {
    let chosen = RwSignal::new(match at_first.as_deref() {
        None => String::new(),
        Some("") => NOBODY.to_owned(),
        Some(user) => user.to_owned(),
    });
    let first = StoredValue::new(at_first.unwrap_or_default());
    let is_other = Memo::new(move |_| chosen.with(|chosen| chosen == OTHER));
    let choose = move |value: String| {
        on_choose.run(match value.as_str() {
            NOBODY => Some(String::new()),
            OTHER => None,
            user => Some(user.to_owned()),
        });
        chosen.set(value);
    };
    let option = move |value: String, text: String| {
        let selected = chosen.with_untracked(|chosen| *chosen == value);
        view! {
            <option value=value selected=selected>
                {text}
            </option>
        }
    };
    let options = move || {
        let own = me.get();
        let own_id = own.as_ref().map(|own| own.id);
        let others: Vec<_> = staff.get().into_iter().filter(|other| Some(other.id) != own_id).collect();
        // An assignee of the telephone system, or one whose name isn't loaded.
        let stranger = first.with_value(|first| {
            let is_known = |id: UserId| id.to_string() == *first;
            let known = own_id.into_iter().chain(others.iter().map(|other| other.id)).any(is_known);
            (!known && !first.is_empty()).then(|| option(first.clone(), leads::somebody(first)))
        });
        let own = own.map(|own| option(own.id.to_string(), leads::me(own.email)));
        let others =
            others.into_iter().filter(|other| other.active || first.with_value(|first| other.id.to_string() == *first));
        let others = others.map(|other| option(other.id.to_string(), other.email)).collect_view();
        view! {
            {own}
            {others}
            {stranger}
            {option(NOBODY.to_owned(), leads::nobody().to_owned())}
            {option(OTHER.to_owned(), leads::somebody_by_number().to_owned())}
        }
    };
    let has_to_choose = chosen.with_untracked(String::is_empty);
    let own_faults = Signal::derive(move || if is_other.get() { Vec::new() } else { faults.get() });
    view! {
        <Field id=id label=label faults=own_faults>
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
        {move || is_other.get().then(|| by_number(id, faults, on_choose))}
    }
    .into_any()
}

fn by_number(id: &str, faults: Signal<Vec<Diagnostic>>, on_choose: Callback<Option<String>>) -> AnyView {
    let id = format!("{id}-number");
    view! {
        <Field id=id.clone() label=leads::number() hint=leads::number_hint() faults>
            <input
                id=id.clone()
                class="input"
                inputmode="numeric"
                autocomplete="off"
                aria-describedby=format!("{id}-note")
                aria-invalid=invalid(faults)
                data-test=id
                on:input:target=move |event| {
                    let typed = event.target().value();
                    on_choose.run((!typed.trim().is_empty()).then_some(typed));
                }
            />
        </Field>
    }
    .into_any()
}

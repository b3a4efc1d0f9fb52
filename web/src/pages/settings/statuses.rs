//! Statuses of campaign leads: add, change, sort, remove.

use leadscribe_engine::api::{LeadStatus, Page};
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::json;
use wasm_bindgen::JsCast;

use crate::api::{Api, ApiError, use_api};
use crate::attempt::Attempt;
use crate::components::badge::{Badge, Tone, lead_status_tone};
use crate::components::dialog::{CancelButton, Dialog, Dismissal};
use crate::components::icon::Glyph;
use crate::components::lead::status_form::EditedStatus;
use crate::components::list::managed::{Column, ManagedList, RowAction, RowActions, Wording};
use crate::components::shell::toast::use_toasts;
use crate::parts;
use crate::query::query_string;
use crate::remote::Remote;
use crate::session::use_session;
use crate::texts::{settings, statuses};
use crate::undo;

/// Filter field of a lead's status in a campaign.
const STATUS: &str = "status";

fn wording() -> Wording {
    Wording {
        about: settings::statuses_about(),
        caption: settings::statuses(),
        columns: vec![
            Column::Text(settings::status()),
            Column::Text(settings::name()),
            Column::Text(settings::may_be_called()),
        ],
        add: (settings::new_status(), "new-status"),
        empty: (settings::no_statuses(), settings::no_statuses_about()),
    }
}

/// Actions of a row.
#[derive(Clone, Copy)]
struct Deeds {
    edit: Callback<LeadStatus>,
    /// Moves a status up or down by one position.
    shift: Callback<(String, bool)>,
    remove: Callback<LeadStatus>,
    /// All names in order.
    names: Signal<Vec<String>>,
    may_write: Signal<bool>,
}

#[component]
pub fn Statuses() -> impl IntoView {
    let api = use_api();
    let session = use_session();
    let toasts = use_toasts();
    let statuses = Remote::<Page<LeadStatus>>::new();
    let load = Callback::new(move |()| statuses.load(api.statuses()));
    load.run(());
    let names = Signal::derive(move || {
        let names = |page: &Page<LeadStatus>| page.items.iter().map(|status| status.name.clone()).collect::<Vec<_>>();
        statuses.with(|page| page.map(names).unwrap_or_default())
    });

    let edited = RwSignal::new(None::<LeadStatus>);
    let editing = RwSignal::new(false);
    let edit = move |status| {
        edited.set(status);
        editing.set(true);
    };
    let attempt = Attempt::new();
    let save = Callback::new(move |status: LeadStatus| {
        attempt.start(api.put_status(status), move |status: LeadStatus| {
            toasts.done(settings::is_saved(&status.label));
            editing.set(false);
            load.run(());
        });
    });
    let title = move || {
        edited.with(|edited| edited.as_ref().map_or_else(|| settings::new_status().to_owned(), |one| one.label.clone()))
    };

    // Status that can't be removed, with the number of leads that have it.
    let (used, saying) = (RwSignal::new(None::<(LeadStatus, u64)>), RwSignal::new(false));
    let used_title = move || {
        used.with(|used| used.as_ref().map(|(status, _)| settings::still_used(statuses::label(status))))
            .unwrap_or_default()
    };
    let remove = Callback::new(move |status: LeadStatus| {
        let (order, removed) = (names.get_untracked(), status.clone());
        let restore = move || {
            let (status, order) = (removed.clone(), order.clone());
            async move {
                api.put_status(status).await?;
                // If other statuses were added since, it stays last.
                _ = api.order_statuses(order).await;
                Ok(())
            }
        };
        spawn_local(async move {
            match api.delete_status(status.name.clone()).await {
                Ok(()) => {
                    undo::offer(toasts, settings::was_removed(&status.label), restore, load);
                    load.try_run(());
                }
                Err(error) => match leads_with(api, &status, &error).await {
                    Some(leads) => {
                        used.try_set(Some((status, leads)));
                        saying.try_set(true);
                    }
                    None => toasts.failed(&error),
                },
            }
        });
    });

    let shift = Callback::new(move |(name, up): (String, bool)| {
        let mut names = names.get_untracked();
        let place = names.iter().position(|one| *one == name);
        let Some((place, other)) =
            place.and_then(|place| Some((place, if up { place.checked_sub(1)? } else { place + 1 })))
        else {
            return;
        };
        if other >= names.len() {
            return;
        }
        names.swap(place, other);
        let order = names.clone();
        let place = move |status: &LeadStatus| order.iter().position(|name| *name == status.name);
        let change = move |page: &mut Page<LeadStatus>| page.items.sort_by_key(&place);
        let keep_focus = move || request_animation_frame(move || focus(&name, up));
        keep_focus.clone()();
        let settled = move |is_made: bool| {
            if !is_made {
                keep_focus();
            }
        };
        let refused = move |error: &_| toasts.failed(error);
        statuses.assume(change, api.order_statuses(names), |page, ordered| *page = ordered, refused, settled);
    });
    let deeds = Deeds {
        edit: Callback::new(move |status| edit(Some(status))),
        shift,
        remove,
        names,
        may_write: Signal::derive(move || session.may_write()),
    };
    let row = Callback::new(move |status: LeadStatus| view! { <StatusRow status deeds /> }.into_any());
    view! {
        <ManagedList
            wording=wording()
            items=Signal::derive(move || statuses.with(|page| page.map(|page| page.items.clone())))
            error=Signal::derive(move || statuses.error())
            on_retry=load
            may_add=deeds.may_write
            on_add=Callback::new(move |()| edit(None))
            row
        />
        <Dialog open=editing title=Signal::derive(title) dismissal=Dismissal::AsksIfFilled test="status-dialog">
            {move || {
                attempt.clear();
                parts::edited_status(EditedStatus { status: edited.get(), taken: names, attempt, on_save: save, open: editing })
            }}
        </Dialog>
        <Dialog open=saying title=Signal::derive(used_title) test="status-in-use">
            {move || used.get().map(|(status, leads)| view! { <StillUsed status leads open=saying /> })}
        </Dialog>
    }
    .into_any()
}

/// Number of leads with this status in a campaign, if it couldn't be removed because of them.
async fn leads_with(api: Api, status: &LeadStatus, refusal: &ApiError) -> Option<u64> {
    refusal.faults().iter().find(|fault| fault.code == "in_use")?;
    let filter = json!({ STATUS: status.name, "limit": "1;0" });
    let found = api.leads(filter.to_string()).await.ok()?;
    (found.total_leads > 0).then_some(found.total_leads)
}

/// Reason why a status can't be removed, with a link to its leads.
#[component]
fn StillUsed(status: LeadStatus, leads: u64, open: RwSignal<bool>) -> impl IntoView {
    let filter = json!({ STATUS: status.name }).to_string();
    view! {
        <div class="dialog-body">
            <p>{settings::leads_have_it(leads, statuses::label(&status))}</p>
        </div>
        <footer class="dialog-foot">
            <CancelButton open />
            <a class="button button-primary" href=format!("/leads{}", query_string(&[("filter", &filter)])) data-test="show-leads">
                {settings::show_the_leads()}
            </a>
        </footer>
    }
}

#[component]
fn StatusRow(status: LeadStatus, deeds: Deeds) -> impl IntoView {
    let shown = StoredValue::new(status.clone());
    let shift = move |up: bool| deeds.shift.run((shown.with_value(|status| status.name.clone()), up));
    let is_at = move |end: fn(&[String]) -> Option<&String>| {
        let is_this = move |names: &Vec<String>| shown.with_value(|status| end(names) == Some(&status.name));
        Signal::derive(move || deeds.names.with(is_this))
    };
    let (is_first, is_last) = (is_at(|names| names.first()), is_at(|names| names.last()));
    let (tone, dialable) =
        if status.dialable { (Tone::Success, settings::yes()) } else { (Tone::Neutral, settings::no()) };
    let (label, name) = (statuses::label(&status), status.name);
    view! {
        <tr data-row="" data-test="status-row" data-name=name.clone()>
            <td class="lead-cell">
                <Badge tone=lead_status_tone(&name) text=label />
            </td>
            <td data-label=settings::name()>
                <code>{name.clone()}</code>
            </td>
            <td data-label=settings::may_be_called()>
                <Badge tone text=dialable />
            </td>
            <td class="fit">
                <RowActions may_act=deeds.may_write>
                    <RowAction glyph=Glyph::ArrowUp label=settings::up() test="up" disabled=is_first on_press=move || shift(true) />
                    <RowAction glyph=Glyph::ArrowDown label=settings::down() test="down" disabled=is_last on_press=move || shift(false) />
                    <RowAction
                        glyph=Glyph::Edit
                        label=settings::edit()
                        test="edit"
                        opens=true
                        on_press=move || deeds.edit.run(shown.get_value())
                    />
                    <RowAction
                        glyph=Glyph::Trash
                        label=settings::remove()
                        test="remove"
                        on_press=move || deeds.remove.run(shown.get_value())
                    />
                </RowActions>
            </td>
        </tr>
    }
}

/// Moves the focus to the same button of the moved row, or to the opposite one at the end of the list.
fn focus(name: &str, up: bool) {
    let button = |test: &str| {
        let css = format!("[data-name='{name}'] [data-test={test}]:enabled");
        document().query_selector(&css).ok().flatten()
    };
    let (same, other) = if up { ("up", "down") } else { ("down", "up") };
    let found = button(same).or_else(|| button(other));
    if let Some(button) = found.and_then(|button| button.dyn_into::<web_sys::HtmlElement>().ok()) {
        // The focus stays where it is on failure.
        let _ = button.focus();
    }
}

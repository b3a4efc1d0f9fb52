//! Statuses of campaign leads: add, change, sort, remove.

use leadscribe_engine::api::{LeadStatus, Page};
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::json;

use crate::api::{Api, ApiError, ApiResult, use_api, use_session};
use crate::browser::focus::focus_element;
use crate::browser::query::query_string;
use crate::i18n::texts::{common, settings, statuses};
use crate::state::{ApiResource, Mutation, undo, use_toasts};
use crate::ui::dialog::{CancelButton, Dialog, Dismissal};
use crate::ui::lead::status_form::{StatusFormProps, status_editor};
use crate::ui::list::{ColumnHeader, RowAction, RowActions, SettingsList};
use crate::ui::{Badge, Glyph, Tone, lead_status_tone};

/// Filter field of a lead's status in a campaign.
const STATUS_FIELD: &str = "status";

static COLUMNS: [ColumnHeader; 4] = [
    ColumnHeader::new(common::status),
    ColumnHeader::new(common::name),
    ColumnHeader::new(settings::may_be_called),
    ColumnHeader::new(common::actions).hidden(),
];

#[component]
pub fn Statuses() -> impl IntoView {
    let api = use_api();
    let session = use_session();
    let toasts = use_toasts();
    let (statuses, load) = ApiResource::loaded(move || async move { Ok(api.statuses().await?.items) });
    let names = Signal::derive(move || {
        let names = |list: &Vec<LeadStatus>| list.iter().map(|status| status.name.clone()).collect::<Vec<_>>();
        statuses.with(|list| list.map(names).unwrap_or_default())
    });

    let edited_status = RwSignal::new(None::<LeadStatus>);
    let is_edit_dialog_open = RwSignal::new(false);
    let edit = Callback::new(move |status: Option<LeadStatus>| {
        edited_status.set(status);
        is_edit_dialog_open.set(true);
    });
    let mutation = Mutation::new();
    let save = Callback::new(move |status: LeadStatus| {
        mutation.start(api.put_status(status), move |status: LeadStatus| {
            toasts.show_success(common::saved(&status.label));
            is_edit_dialog_open.set(false);
            load.run(());
        });
    });
    let title = move || edited_status.get().map_or_else(|| settings::new_status().to_owned(), |status| status.label);

    // Status that can't be removed, with the number of leads that have it.
    let (used_status, is_used_dialog_open) = (RwSignal::new(None::<(LeadStatus, u64)>), RwSignal::new(false));
    let used_title =
        move || used_status.get().map(|(status, _)| settings::still_used(statuses::label(&status))).unwrap_or_default();
    let remove = Callback::new(move |status: LeadStatus| {
        let (order, removed) = (names.get_untracked(), status.clone());
        let restore = move || {
            let (status, order) = (removed.clone(), order.clone());
            async move {
                api.put_status(status).await?;
                // Fails if other statuses were added since. The restored status then stays last.
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
                Err(error) => match count_leads_with(api, &status, &error).await {
                    Some(leads) => {
                        used_status.try_set(Some((status, leads)));
                        is_used_dialog_open.try_set(true);
                    }
                    None => toasts.show_error(&error),
                },
            }
        });
    });

    let shift = Callback::new(move |(name, up): (String, bool)| {
        let mut names = names.get_untracked();
        let Some(index) = names.iter().position(|other| *other == name) else { return };
        let target_index = if up { index.wrapping_sub(1) } else { index + 1 };
        if target_index >= names.len() {
            return;
        }
        names.swap(index, target_index);
        let order = names.clone();
        let index = move |status: &LeadStatus| order.iter().position(|name| *name == status.name);
        let change = move |list: &mut Vec<LeadStatus>| list.sort_by_key(&index);
        let keep_focus = move || request_animation_frame(move || focus_shift_button(&name, up));
        keep_focus.clone()();
        let on_settled = move |outcome: ApiResult<()>| {
            if let Err(error) = outcome {
                toasts.show_error(&error);
                keep_focus();
            }
        };
        let on_success = |list: &mut Vec<LeadStatus>, reordered: Page<LeadStatus>| *list = reordered.items;
        statuses.update_optimistically(change, api.order_statuses(names), on_success, on_settled);
    });
    let can_write = Signal::derive(move || session.can_write());
    let row = Callback::new(move |status: LeadStatus| {
        view! { <StatusRow status names can_write edit shift remove /> }.into_any()
    });
    view! {
        <SettingsList
            description=settings::statuses_hint()
            caption=settings::statuses()
            columns=&COLUMNS
            resource=statuses
            on_retry=load
            can_add=can_write
            on_add=Callback::new(move |()| edit.run(None))
            add=(settings::new_status(), "new-status")
            empty=(settings::no_statuses(), settings::no_statuses_hint())
            row
        />
        <Dialog open=is_edit_dialog_open title=Signal::derive(title) dismissal=Dismissal::ConfirmIfFilled test_id="status-dialog">
            {move || {
                mutation.clear_error();
                status_editor(StatusFormProps { status: edited_status.get(), existing_names: names, mutation, on_save: save, open: is_edit_dialog_open })
            }}
        </Dialog>
        <Dialog open=is_used_dialog_open title=Signal::derive(used_title) test_id="status-in-use">
            {move || used_status.get().map(|(status, leads)| view! { <StatusInUse status leads open=is_used_dialog_open /> })}
        </Dialog>
    }
}

/// Number of leads that have this status in a campaign, if they are the reason why it couldn't be removed.
async fn count_leads_with(api: Api, status: &LeadStatus, delete_error: &ApiError) -> Option<u64> {
    delete_error.diagnostics().iter().find(|diagnostic| diagnostic.code == "in_use")?;
    let filter = json!({ STATUS_FIELD: status.name, "limit": "1;0" });
    let lead_page = api.leads(filter.to_string()).await.ok()?;
    (lead_page.total_leads > 0).then_some(lead_page.total_leads)
}

/// Reason why a status can't be removed, with a link to its leads.
#[component]
fn StatusInUse(status: LeadStatus, leads: u64, open: RwSignal<bool>) -> impl IntoView {
    let filter = json!({ STATUS_FIELD: status.name }).to_string();
    view! {
        <div class="dialog-body">
            <p>{settings::status_in_use(leads, statuses::label(&status))}</p>
        </div>
        <footer class="dialog-footer">
            <CancelButton open />
            <a class="button button-primary" href=format!("/leads{}", query_string(&[("filter", &filter)])) data-test="show-leads">
                {common::show_leads()}
            </a>
        </footer>
    }
}

#[component]
fn StatusRow(
    status: LeadStatus,
    /// Names of all statuses in order.
    names: Signal<Vec<String>>,
    can_write: Signal<bool>,
    edit: Callback<Option<LeadStatus>>,
    /// Moves a status up or down by one position.
    shift: Callback<(String, bool)>,
    remove: Callback<LeadStatus>,
) -> impl IntoView {
    let stored_status = StoredValue::new(status.clone());
    let shift = move |up: bool| shift.run((stored_status.with_value(|status| status.name.clone()), up));
    let is_at_end = move |end_of: fn(&[String]) -> Option<&String>| {
        let is_this = move |names: &Vec<String>| stored_status.with_value(|status| end_of(names) == Some(&status.name));
        Signal::derive(move || names.with(is_this))
    };
    let (is_first, is_last) = (is_at_end(|names| names.first()), is_at_end(|names| names.last()));
    let (tone, dialable) = if status.dialable { (Tone::Success, common::yes()) } else { (Tone::Neutral, common::no()) };
    let (label, name) = (statuses::label(&status), status.name);
    view! {
        <tr data-row="" data-test="status-row" data-name=name.clone()>
            <td class="lead-cell">
                <Badge tone=lead_status_tone(&name) text=label />
            </td>
            <td data-label=common::name()>
                <code>{name.clone()}</code>
            </td>
            <td data-label=settings::may_be_called()>
                <Badge tone text=dialable />
            </td>
            <td class="fit">
                <RowActions can_act=can_write>
                    <RowAction glyph=Glyph::ArrowUp label=settings::up() test_id="up" disabled=is_first on_press=move || shift(true) />
                    <RowAction glyph=Glyph::ArrowDown label=settings::down() test_id="down" disabled=is_last on_press=move || shift(false) />
                    <RowAction
                        glyph=Glyph::Edit
                        label=common::edit()
                        test_id="edit"
                        opens_row=true
                        on_press=move || edit.run(Some(stored_status.get_value()))
                    />
                    <RowAction
                        glyph=Glyph::Trash
                        label=common::remove()
                        test_id="remove"
                        on_press=move || remove.run(stored_status.get_value())
                    />
                </RowActions>
            </td>
        </tr>
    }
}

/// Moves the focus to the same button of the moved row, or to the opposite one at the end of the list.
fn focus_shift_button(name: &str, is_up: bool) {
    let button = |test: &str| {
        let css = format!("[data-name='{name}'] [data-test={test}]:enabled");
        document().query_selector(&css).ok().flatten()
    };
    let (same, opposite) = if is_up { ("up", "down") } else { ("down", "up") };
    focus_element(button(same).or_else(|| button(opposite)));
}

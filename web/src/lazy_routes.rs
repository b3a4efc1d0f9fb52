//! Lazy-loaded parts of the panel. A part is a WebAssembly module with some pages; it is loaded when the first of them is
//! opened. Code that only one part uses is in its module, so startup waits only for the shell and its dependencies.

use std::pin::Pin;
use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_split::{SplitLoaderError, wasm_split};
use leptos_router::ChooseView;
use send_wrapper::SendWrapper;

use crate::components::import::rejected_rows::{RejectedRows, rejected_rows_table};
use crate::components::lead::status_form::{StatusFormProps, status_form};
use crate::components::list::column_chooser::{ColumnChooserProps, column_chooser};
use crate::components::shell::chunk_load_error::ChunkLoadError;
use crate::pages::{
    api_reference, call, calls, campaign, campaigns, deliveries, delivery, imports, lead, leads, settings, today,
    transcripts,
};

use crate::pages::api_reference::playground;
use crate::pages::imports::{ImportFormProps, import_form};
use crate::pages::lead::{CampaignLeadDialogProps, LeadEditProps, campaign_lead_dialogs, lead_edit_form};
use crate::pages::leads::{
    ActionDialogProps, RecentChangesDialogProps, VirtualListProps, action_dialog, recent_changes_dialog, virtual_list,
};
use crate::pages::palette::palette_dialogs;
use crate::pages::send_calls::{SendDialogProps, send_dialog_body};
use crate::pages::transcripts::deliver::{DeliverFormProps, deliver_dialog_body};
use crate::scheduler::{next_task, wait_until_idle};

type LoadFuture<T> = Pin<Box<dyn Future<Output = Result<T, SplitLoaderError>>>>;

/// A page of a part, as a lazy route: shown once its part is loaded.
#[derive(Clone, Copy)]
pub struct LazyRoute {
    view: fn() -> LoadFuture<AnyView>,
    part: fn() -> LoadFuture<()>,
}

impl ChooseView for LazyRoute {
    async fn choose(self) -> AnyView {
        // Lets the shell or the previous page render first.
        next_task().await;
        match (self.view)().await {
            Ok(view) => view,
            Err(_) => view! { <ChunkLoadError /> }.into_any(),
        }
    }

    async fn preload(&self) {
        // If this fails, opening the page tries again and shows the error.
        (self.part)().await.ok();
    }
}

/// Delay before the other parts are loaded after the start. The data of the first page is loaded first.
const PRELOAD_DELAY: Duration = Duration::from_secs(2);

/// Loads all parts one by one when the first page is shown and the browser is idle. The first visit to a page then doesn't
/// wait, and works without a connection.
pub fn preload_when_idle() {
    let load = || {
        spawn_local(async {
            wait_until_idle().await;
            // If this fails, opening the dialog tries again and shows the error.
            load_dialogs().await.ok();
            for page in LAZY_ROUTES {
                wait_until_idle().await;
                page().preload().await;
            }
        });
    };
    set_timeout(load, PRELOAD_DELAY);
}

// Dialogs that are opened from a page, and other rarely used views, share one part that no page needs to start.
#[wasm_split(dialogs, wasm_split_path = leptos::wasm_split, fallible)]
fn scrolled_part(props: Box<VirtualListProps>) -> Result<AnyView, SplitLoaderError> {
    Ok(virtual_list(*props))
}

#[wasm_split(dialogs, wasm_split_path = leptos::wasm_split, fallible)]
fn picked_file_part(props: ImportFormProps) -> Result<AnyView, SplitLoaderError> {
    Ok(import_form(props))
}

#[wasm_split(dialogs, wasm_split_path = leptos::wasm_split, fallible)]
fn rejected_rows_part(props: Box<RejectedRows>) -> Result<AnyView, SplitLoaderError> {
    Ok(rejected_rows_table(*props))
}

#[wasm_split(dialogs, wasm_split_path = leptos::wasm_split, fallible)]
fn actions_part(props: ActionDialogProps) -> Result<AnyView, SplitLoaderError> {
    Ok(action_dialog(props))
}

#[wasm_split(dialogs, wasm_split_path = leptos::wasm_split, fallible)]
fn recent_changes_part(props: RecentChangesDialogProps) -> Result<AnyView, SplitLoaderError> {
    Ok(recent_changes_dialog(props))
}

#[wasm_split(dialogs, wasm_split_path = leptos::wasm_split, fallible)]
fn columns_part(props: ColumnChooserProps) -> Result<AnyView, SplitLoaderError> {
    Ok(column_chooser(props))
}

#[wasm_split(dialogs, wasm_split_path = leptos::wasm_split, fallible)]
fn campaign_dialogs_part(props: CampaignLeadDialogProps) -> Result<AnyView, SplitLoaderError> {
    Ok(campaign_lead_dialogs(props))
}

#[wasm_split(dialogs, wasm_split_path = leptos::wasm_split, fallible)]
fn edit_lead_part(props: LeadEditProps) -> Result<AnyView, SplitLoaderError> {
    Ok(lead_edit_form(props))
}

#[wasm_split(dialogs, wasm_split_path = leptos::wasm_split, fallible)]
fn status_part(props: StatusFormProps) -> Result<AnyView, SplitLoaderError> {
    Ok(status_form(props))
}

#[wasm_split(dialogs, wasm_split_path = leptos::wasm_split, fallible)]
fn sending_part(props: SendDialogProps) -> Result<AnyView, SplitLoaderError> {
    Ok(send_dialog_body(props))
}

#[wasm_split(dialogs, wasm_split_path = leptos::wasm_split, fallible)]
fn delivering_part(props: DeliverFormProps) -> Result<AnyView, SplitLoaderError> {
    Ok(deliver_dialog_body(props))
}

#[wasm_split(dialogs, wasm_split_path = leptos::wasm_split, preload(load_dialogs), fallible)]
fn palette_part(navigate: Callback<String>) -> Result<AnyView, SplitLoaderError> {
    Ok(palette_dialogs(navigate))
}

// Part of the leads module, because both use the same editor.
#[wasm_split(leads, wasm_split_path = leptos::wasm_split, fallible)]
fn playground_part() -> Result<AnyView, SplitLoaderError> {
    Ok(playground())
}

/// The filter playground of the API page, loaded on demand. It uses the filter editor of the leads.
pub fn filter_playground() -> AnyView {
    suspend_until_loaded(playground_part())
}

/// All leads in one virtual list, loaded when the user opens it.
pub fn virtual_lead_list(props: VirtualListProps) -> AnyView {
    suspend_until_loaded(scrolled_part(Box::new(props)))
}

/// Form for a file to import, loaded when the user picks one.
pub fn picked_file_form(props: ImportFormProps) -> AnyView {
    suspend_until_loaded(picked_file_part(props))
}

/// Rejected rows of an import with their editors, loaded when an import with rejected rows is shown.
pub fn rejected_rows(props: RejectedRows) -> AnyView {
    suspend_until_loaded(rejected_rows_part(Box::new(props)))
}

/// Dialog that changes many leads, loaded on demand.
pub fn bulk_action_dialog(props: ActionDialogProps) -> AnyView {
    suspend_until_loaded(actions_part(props))
}

/// Dialog that undoes earlier changes of many leads, loaded on demand.
pub fn recent_changes(props: RecentChangesDialogProps) -> AnyView {
    suspend_until_loaded(recent_changes_part(props))
}

/// Dialog that chooses the columns of the lead list, loaded on demand.
pub fn column_chooser_dialog(props: ColumnChooserProps) -> AnyView {
    suspend_until_loaded(columns_part(props))
}

/// Dialogs that add a lead to campaigns and edit it there, loaded on demand.
pub fn campaign_dialogs(props: CampaignLeadDialogProps) -> AnyView {
    suspend_until_loaded(campaign_dialogs_part(props))
}

/// Form of a status, loaded on demand.
pub fn status_editor(props: StatusFormProps) -> AnyView {
    suspend_until_loaded(status_part(props))
}

/// Command palette and list of shortcuts, loaded on demand.
pub fn command_palette(navigate: Callback<String>) -> AnyView {
    suspend_until_loaded(palette_part(navigate))
}

/// Form of a lead's fields, loaded on demand.
pub fn lead_editor(props: LeadEditProps) -> AnyView {
    suspend_until_loaded(edit_lead_part(props))
}

/// Content of the dialog that sends calls, loaded on demand.
pub fn send_calls_form(props: SendDialogProps) -> AnyView {
    suspend_until_loaded(sending_part(props))
}

/// Content of the dialog that delivers transcripts, loaded on demand.
pub fn deliver_form(props: DeliverFormProps) -> AnyView {
    suspend_until_loaded(delivering_part(props))
}

fn suspend_until_loaded(future: impl Future<Output = Result<AnyView, SplitLoaderError>> + 'static) -> AnyView {
    let view = async { future.await.unwrap_or_else(|_| view! { <ChunkLoadError /> }.into_any()) };
    Suspend::new(SendWrapper::new(view)).into_any()
}

macro_rules! parts {
    ($($part:ident { $($name:ident: $page:path,)+ })+) => {
        $($(
            pub fn $name() -> LazyRoute {
                // The name becomes a symbol of the module, so it must be unique.
                #[wasm_split($part, wasm_split_path = leptos::wasm_split, preload(load), fallible)]
                fn $name() -> Result<AnyView, SplitLoaderError> {
                    Ok($page().into_any())
                }
                LazyRoute { view: || Box::pin($name()), part: || Box::pin(load()) }
            }
        )+)+

        const LAZY_ROUTES: &[fn() -> LazyRoute] = &[$($($name,)+)+];
    };
}

// More parts split the shared code into more pieces, which are fetched one by one and compress worse. Light pages therefore
// share a part, as long as no part is larger than that of the heaviest page.
parts! {
    today {
        today: today::TodayPage,
        lead: lead::LeadPage,
        campaigns: campaigns::CampaignsPage,
        new_campaign: campaign::NewCampaignPage,
        campaign: campaign::CampaignPage,
    }
    leads {
        leads: leads::LeadsPage,
    }
    calls {
        calls: calls::CallsPage,
        call: call::CallPage,
        deliveries: deliveries::DeliveriesPage,
        delivery: delivery::DeliveryPage,
    }
    settings {
        settings: settings::SettingsPage,
        api_reference: api_reference::ApiReferencePage,
        new_lead: lead::NewLeadPage,
    }
    imports {
        imports: imports::ImportsPage,
        transcripts: transcripts::TranscriptsPage,
    }
}

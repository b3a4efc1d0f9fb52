//! Lazy-loaded parts of the panel. A part is a WebAssembly module with some pages; it is loaded when the first of them is
//! opened. Code that only one part uses is in its module, so startup waits only for the shell and its dependencies.

use std::pin::Pin;
use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_split::{SplitLoaderError, wasm_split};
use leptos_router::ChooseView;
use send_wrapper::SendWrapper;

use crate::components::import::rejected::{RefusedRows, refused_rows};
use crate::components::lead::status_form::{EditedStatus, status_form};
use crate::components::list::column_chooser::{Choosing, column_chooser};
use crate::components::shell::part_missing::PartMissing;
use crate::pages::{
    api_reference, call, calls, campaign, campaigns, deliveries, delivery, imports, lead, leads, settings, today,
    transcripts,
};

use crate::pages::api_reference::playground;
use crate::pages::imports::{FileToImport, picked_file};
use crate::pages::lead::{EditedLead, InCampaigns, edit_lead, in_campaign_dialogs};
use crate::pages::leads::{Acting, LookingBack, Scrolling, action_dialog, all_leads, past_changes_dialog};
use crate::pages::palette::palette_dialogs;
use crate::pages::send_calls::{Sending, send_body};
use crate::pages::transcripts::deliver::{Delivering, deliver_body};
use crate::task::{idle, next_task};

type Loading<T> = Pin<Box<dyn Future<Output = Result<T, SplitLoaderError>>>>;

/// A page of a part, as a lazy route: shown once its part is loaded.
#[derive(Clone, Copy)]
pub struct Page {
    view: fn() -> Loading<AnyView>,
    part: fn() -> Loading<()>,
}

impl ChooseView for Page {
    async fn choose(self) -> AnyView {
        // Lets the shell or the previous page render first.
        next_task().await;
        match (self.view)().await {
            Ok(view) => view,
            Err(_) => view! { <PartMissing /> }.into_any(),
        }
    }

    async fn preload(&self) {
        // If this fails, opening the page tries again and shows the error.
        (self.part)().await.ok();
    }
}

/// Delay before the other parts are loaded after the start. The data of the first page is loaded first.
const AFTER_START: Duration = Duration::from_secs(2);

/// Loads all parts one by one when the first page is shown and the browser is idle. The first visit to a page then doesn't
/// wait, and works without a connection.
pub fn load_when_idle() {
    let load = || {
        spawn_local(async {
            idle().await;
            // If this fails, opening the dialog tries again and shows the error.
            load_dialogs().await.ok();
            for page in PAGES {
                idle().await;
                page().preload().await;
            }
        });
    };
    set_timeout(load, AFTER_START);
}

// Dialogs that are opened from a page, and other rarely used views, share one part that no page needs to start.
#[wasm_split(dialogs, wasm_split_path = leptos::wasm_split, fallible)]
fn scrolled_part(given: Box<Scrolling>) -> Result<AnyView, SplitLoaderError> {
    Ok(all_leads(*given))
}

#[wasm_split(dialogs, wasm_split_path = leptos::wasm_split, fallible)]
fn picked_file_part(given: FileToImport) -> Result<AnyView, SplitLoaderError> {
    Ok(picked_file(given))
}

#[wasm_split(dialogs, wasm_split_path = leptos::wasm_split, fallible)]
fn refused_rows_part(given: Box<RefusedRows>) -> Result<AnyView, SplitLoaderError> {
    Ok(refused_rows(*given))
}

#[wasm_split(dialogs, wasm_split_path = leptos::wasm_split, fallible)]
fn actions_part(given: Acting) -> Result<AnyView, SplitLoaderError> {
    Ok(action_dialog(given))
}

#[wasm_split(dialogs, wasm_split_path = leptos::wasm_split, fallible)]
fn past_changes_part(given: LookingBack) -> Result<AnyView, SplitLoaderError> {
    Ok(past_changes_dialog(given))
}

#[wasm_split(dialogs, wasm_split_path = leptos::wasm_split, fallible)]
fn columns_part(given: Choosing) -> Result<AnyView, SplitLoaderError> {
    Ok(column_chooser(given))
}

#[wasm_split(dialogs, wasm_split_path = leptos::wasm_split, fallible)]
fn in_campaigns_part(given: InCampaigns) -> Result<AnyView, SplitLoaderError> {
    Ok(in_campaign_dialogs(given))
}

#[wasm_split(dialogs, wasm_split_path = leptos::wasm_split, fallible)]
fn edit_lead_part(given: EditedLead) -> Result<AnyView, SplitLoaderError> {
    Ok(edit_lead(given))
}

#[wasm_split(dialogs, wasm_split_path = leptos::wasm_split, fallible)]
fn status_part(given: EditedStatus) -> Result<AnyView, SplitLoaderError> {
    Ok(status_form(given))
}

#[wasm_split(dialogs, wasm_split_path = leptos::wasm_split, fallible)]
fn sending_part(given: Sending) -> Result<AnyView, SplitLoaderError> {
    Ok(send_body(given))
}

#[wasm_split(dialogs, wasm_split_path = leptos::wasm_split, fallible)]
fn delivering_part(given: Delivering) -> Result<AnyView, SplitLoaderError> {
    Ok(deliver_body(given))
}

#[wasm_split(dialogs, wasm_split_path = leptos::wasm_split, preload(load_dialogs), fallible)]
fn palette_part(go: Callback<String>) -> Result<AnyView, SplitLoaderError> {
    Ok(palette_dialogs(go))
}

// Part of the leads module, because both use the same editor.
#[wasm_split(leads, wasm_split_path = leptos::wasm_split, fallible)]
fn playground_part() -> Result<AnyView, SplitLoaderError> {
    Ok(playground())
}

/// The filter playground of the API page, loaded on demand. It uses the filter editor of the leads.
pub fn filter_playground() -> AnyView {
    once_loaded(playground_part())
}

/// All leads in one virtual list, loaded when the user opens it.
pub fn scrolled_leads(given: Scrolling) -> AnyView {
    once_loaded(scrolled_part(Box::new(given)))
}

/// Form for a file to import, loaded when the user picks one.
pub fn picked_import(given: FileToImport) -> AnyView {
    once_loaded(picked_file_part(given))
}

/// Refused rows of an import with their editors, loaded when an import with refused rows is shown.
pub fn rejected_rows(given: RefusedRows) -> AnyView {
    once_loaded(refused_rows_part(Box::new(given)))
}

/// Dialog that changes many leads, loaded on demand.
pub fn lead_actions(given: Acting) -> AnyView {
    once_loaded(actions_part(given))
}

/// Dialog that undoes earlier changes of many leads, loaded on demand.
pub fn past_changes(given: LookingBack) -> AnyView {
    once_loaded(past_changes_part(given))
}

/// Dialog that chooses the columns of the lead list, loaded on demand.
pub fn choose_columns(given: Choosing) -> AnyView {
    once_loaded(columns_part(given))
}

/// Dialogs that add a lead to campaigns and edit it there, loaded on demand.
pub fn in_campaigns(given: InCampaigns) -> AnyView {
    once_loaded(in_campaigns_part(given))
}

/// Form of a status, loaded on demand.
pub fn edited_status(given: EditedStatus) -> AnyView {
    once_loaded(status_part(given))
}

/// Command palette and list of shortcuts, loaded on demand.
pub fn palette(go: Callback<String>) -> AnyView {
    once_loaded(palette_part(go))
}

/// Form of a lead's fields, loaded on demand.
pub fn edited_lead(given: EditedLead) -> AnyView {
    once_loaded(edit_lead_part(given))
}

/// Content of the dialog that sends calls, loaded on demand.
pub fn sending(given: Sending) -> AnyView {
    once_loaded(sending_part(given))
}

/// Content of the dialog that delivers transcripts, loaded on demand.
pub fn delivering(given: Delivering) -> AnyView {
    once_loaded(delivering_part(given))
}

fn once_loaded(part: impl Future<Output = Result<AnyView, SplitLoaderError>> + 'static) -> AnyView {
    let view = async { part.await.unwrap_or_else(|_| view! { <PartMissing /> }.into_any()) };
    Suspend::new(SendWrapper::new(view)).into_any()
}

macro_rules! parts {
    ($($part:ident { $($name:ident: $page:path,)+ })+) => {
        $($(
            pub fn $name() -> Page {
                // The name becomes a symbol of the module, so it must be unique.
                #[wasm_split($part, wasm_split_path = leptos::wasm_split, preload(load), fallible)]
                fn $name() -> Result<AnyView, SplitLoaderError> {
                    Ok($page().into_any())
                }
                Page { view: || Box::pin($name()), part: || Box::pin(load()) }
            }
        )+)+

        const PAGES: &[fn() -> Page] = &[$($($name,)+)+];
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

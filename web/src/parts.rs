//! The panel's parts: pages that are loaded together, from a WebAssembly module of their own, when the first of them is
//! opened. What a part alone uses goes into its module; the shell and what it needs is all that a start waits for.

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

/// A page of a part, as the router takes it: shown once its part is there.
#[derive(Clone, Copy)]
pub struct Page {
    view: fn() -> Loading<AnyView>,
    part: fn() -> Loading<()>,
}

impl ChooseView for Page {
    async fn choose(self) -> AnyView {
        // The shell around it, or what led here, is shown before.
        next_task().await;
        match (self.view)().await {
            Ok(view) => view,
            Err(_) => view! { <PartMissing /> }.into_any(),
        }
    }

    async fn preload(&self) {
        // What fails now is said when the page is opened, and tried again before.
        (self.part)().await.ok();
    }
}

/// How long after the start the other parts may wait: what the first page shows goes before.
const AFTER_START: Duration = Duration::from_secs(2);

/// Loads all parts one after the other, once the first page is there and the browser has nothing better to do: then the
/// first visit to a page waits for nothing, and opens though the connection is lost.
pub fn load_when_idle() {
    let load = || {
        spawn_local(async {
            idle().await;
            // What fails now is said when it is asked for, and tried again before.
            load_dialogs().await.ok();
            for page in PAGES {
                idle().await;
                page().preload().await;
            }
        });
    };
    set_timeout(load, AFTER_START);
}

// The dialogs that are opened from a page, and what else few visits need, are one part, with which no page begins.
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

// This goes into a part that is there: its editor is that of the leads.
#[wasm_split(leads, wasm_split_path = leptos::wasm_split, fallible)]
fn playground_part() -> Result<AnyView, SplitLoaderError> {
    Ok(playground())
}

/// The filter playground, which the page of the API does without until somebody opens it: its editor is that of the leads.
pub fn filter_playground() -> AnyView {
    once_loaded(playground_part())
}

/// All leads in one list, which the page of leads does without until somebody scrolls through all.
pub fn scrolled_leads(given: Scrolling) -> AnyView {
    once_loaded(scrolled_part(Box::new(given)))
}

/// The form of a file to import, loaded when the user picks one.
pub fn picked_import(given: FileToImport) -> AnyView {
    once_loaded(picked_file_part(given))
}

/// The refused rows of an import with their editors, loaded when an import with refused rows is shown.
pub fn rejected_rows(given: RefusedRows) -> AnyView {
    once_loaded(refused_rows_part(Box::new(given)))
}

/// The dialog in which many leads are changed, which the page of leads does without until somebody asks for it.
pub fn lead_actions(given: Acting) -> AnyView {
    once_loaded(actions_part(given))
}

/// The dialog in which changes of many leads are undone later, which the page of leads does without until somebody asks for it.
pub fn past_changes(given: LookingBack) -> AnyView {
    once_loaded(past_changes_part(given))
}

/// The dialog that chooses the columns of the leads, which their page does without until somebody asks for it.
pub fn choose_columns(given: Choosing) -> AnyView {
    once_loaded(columns_part(given))
}

/// The dialogs in which a lead is put into campaigns and changed in them, which its page does without until somebody asks.
pub fn in_campaigns(given: InCampaigns) -> AnyView {
    once_loaded(in_campaigns_part(given))
}

/// The form of a status, which the settings do without until somebody asks for it.
pub fn edited_status(given: EditedStatus) -> AnyView {
    once_loaded(status_part(given))
}

/// The command palette and the list of keys, which every page does without until somebody opens them.
pub fn palette(go: Callback<String>) -> AnyView {
    once_loaded(palette_part(go))
}

/// The form of a lead's fields, which the page of a lead does without until somebody changes them.
pub fn edited_lead(given: EditedLead) -> AnyView {
    once_loaded(edit_lead_part(given))
}

/// What the dialog holds that sends calls, which their page does without until somebody asks for it.
pub fn sending(given: Sending) -> AnyView {
    once_loaded(sending_part(given))
}

/// What the dialog holds that delivers transcripts, which their page does without until somebody asks for it.
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
                // Its name becomes a symbol of the module, where no two may be the same.
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

// Each part more cuts what the parts share into more pieces, which are fetched one by one and compress worse: pages that
// are light go together, as long as none of them begins with more than the heaviest page does.
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

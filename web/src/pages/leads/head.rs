//! Header of the page: number of leads, saved views, exports, columns and other actions.

use leadscribe_engine::api::SavedView;
use leptos::prelude::*;

use super::columns::Columns;
use super::export::LeadExport;
use super::finding::Finding;
use super::found::Found;
use super::views::{LostView, Views, is_gone};
use crate::api::ApiError;
use crate::components::icon::{Glyph, Icon};
use crate::components::list::total::Total;
use crate::components::list::view_menu::{Shown, is_of};
use crate::components::shell::page_head::PageHead;
use crate::session::use_session;
use crate::texts::{common, leads as texts, shell};

/// Header. `lost` is the error of the saved view in the address; with `is_lost` nothing else is shown.
#[component]
pub fn LeadsHead(
    finding: Finding,
    found: Found,
    columns: Columns,
    lost: Memo<Option<ApiError>>,
    is_lost: Memo<bool>,
    /// True while the column dialog is open.
    choosing: RwSignal<bool>,
    /// True while the dialog of past changes is open.
    looking_back: RwSignal<bool>,
) -> impl IntoView {
    let session = use_session();
    let Finding { views, open, .. } = finding;
    let place = Memo::new(move |_| finding.typed());
    let shown = Memo::new(move |_| {
        let view = views.find(&open.get()?)?;
        let may_change = session.may_write() || is_of(&view, session.user().map(|user| user.id));
        Some(Shown { changed: !place.get().is_like(&view), may_change, view })
    });
    let on_discard = Callback::new(move |view: SavedView| finding.discard(&view));
    let total = Signal::derive(move || found.total.get().filter(|_| !is_lost.get()));
    let fact = move || {
        view! {
            <Total total say=common::leads />
            {(lost.with(|error| error.as_ref().is_some_and(is_gone)) && !is_lost.get())
                .then(|| {
                    view! {
                        <span class="small secondary" data-test="view-lost">
                            {texts::view_of_link_is_gone()}
                        </span>
                    }
                })}
        }
    };
    view! {
        <PageHead title=shell::leads() fact=ViewFn::from(fact)>
            <Views views place is_faulty=Signal::derive(move || finding.verdict.with(Result::is_err)) shown go=Callback::new(move |place| finding.go(place, true)) on_discard />
            // A view that doesn't exist can't be saved or exported.
            <Show when=move || !is_lost.get()>
                <LeadExport filter=finding.applied columns=columns.shown />
                <button type="button" class="button" data-test="choose-columns" on:click=move |_| choosing.set(true)>
                    <Icon glyph=Glyph::Columns />
                    {texts::columns()}
                </button>
            </Show>
            <button
                type="button"
                class="button look-back"
                aria-label=texts::look_back()
                title=texts::look_back()
                data-test="look-back"
                on:click=move |_| looking_back.set(true)
            >
                <Icon glyph=Glyph::History />
                <span>{texts::look_back()}</span>
            </button>
            <Show when=move || session.may_write()>
                <a class="button button-primary" href="/leads/new" data-test="new-lead">
                    <Icon glyph=Glyph::Plus />
                    {texts::new_lead()}
                </a>
            </Show>
        </PageHead>
        {move || is_lost.get().then(|| lost.get().map(|error| view! { <LostView views error /> }))}
    }
}

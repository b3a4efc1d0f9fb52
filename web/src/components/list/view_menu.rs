//! Menu of saved views: the user's own, shared ones, and actions for the current view.

use leadscribe_engine::api::{SavedView, UserId};
use leadscribe_engine::host;
use leptos::prelude::*;

use crate::components::icon::{Glyph, Icon};
use crate::components::input::drop_down::DropDown;
use crate::texts::{common, leads};

/// Number of views above which the menu has a search input.
const FEW: usize = 7;

/// The current view.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    pub view: SavedView,
    /// True if the list differs from the saved view.
    pub changed: bool,
    /// True if the user may save changes to it.
    pub may_change: bool,
}

/// Action of the menu, most of them on the current view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewDeed {
    SaveAs,
    Save,
    Discard,
    Rename,
    /// Shares the view with all staff, or stops sharing it.
    Share(bool),
    Delete,
}

/// URL of a view.
pub fn address_of(view: &SavedView) -> String {
    format!("/leads?view={}", view.id)
}

/// True if the user owns the view.
pub fn is_of(view: &SavedView, user: Option<UserId>) -> bool {
    view.owner_id.is_some() && view.owner_id == user
}

/// The menu. Its button shows the name of the current view.
#[component]
pub fn ViewMenu(
    #[prop(into)] views: Signal<Vec<SavedView>>,
    /// The current user, whose own views are listed first.
    #[prop(into)]
    me: Signal<Option<UserId>>,
    #[prop(into)] shown: Signal<Option<Shown>>,
    /// True if the user may share views.
    #[prop(into)]
    may_share: Signal<bool>,
    on_deed: Callback<ViewDeed>,
) -> impl IntoView {
    let typed = RwSignal::new(String::new());
    let is_long = Memo::new(move |_| views.with(Vec::len) > FEW);
    let found = Memo::new(move |_| {
        let words = host::lower(&typed.get());
        views.get().into_iter().filter(|view| matches(view, &words)).collect::<Vec<_>>()
    });
    let is_empty = move || views.with(Vec::is_empty);
    let is_nothing_found = move || !is_empty() && found.with(Vec::is_empty);
    let current = Memo::new(move |_| shown.with(|shown| shown.as_ref().map(|shown| shown.view.id)));
    let group = move |label: &'static str, is_own: bool| {
        let link = move |view: SavedView| {
            let id = view.id;
            let is_current = move || (current.get() == Some(id)).then_some("true");
            let note = match (is_own, view.shared) {
                (true, true) => Some(leads::shared_with_all().to_owned()),
                (true, false) => None,
                (false, _) => view.owner.clone(),
            };
            let (href, name) = (address_of(&view), view.name);
            view! {
                <a href=href aria-current=is_current data-test="view" data-name=name.clone()>
                    <span>{name.clone()}</span>
                    {note.map(|note| view! { <span class="small secondary">{note}</span> })}
                </a>
            }
        };
        move || {
            let mut views = found.get();
            views.retain(|view| is_of(view, me.get()) == is_own);
            (!views.is_empty()).then(|| {
                view! {
                    <div role="group" aria-label=label>
                        <p class="view-group" aria-hidden="true">
                            {label}
                        </p>
                        {views.into_iter().map(link).collect_view()}
                    </div>
                }
            })
        }
    };
    view! {
        <DropDown label=leads::views() glyph=Glyph::Bookmark test="views" face=ViewFn::from(move || face(shown.get()))>
            <div class="view-menu">
                <Show when=move || is_long.get()>
                    <input
                        class="input"
                        type="search"
                        autocomplete="off"
                        aria-label=leads::find_a_view()
                        placeholder=leads::find_a_view()
                        data-first=""
                        data-test="view-search"
                        bind:value=typed
                    />
                </Show>
                <div class="view-list">
                    <Show when=move || current.get().is_some()>
                        <a href="/leads" data-test="view-none">
                            {leads::all_leads()}
                        </a>
                    </Show>
                    {group(leads::your_views(), true)}
                    {group(leads::shared_views(), false)}
                    <Show when=is_nothing_found>
                        <p class="small secondary view-note">{leads::no_view_found()}</p>
                    </Show>
                    <Show when=is_empty>
                        <p class="small secondary view-note">{leads::what_views_are()}</p>
                    </Show>
                </div>
                <div class="view-deeds">{move || deeds(shown.get(), may_share.get(), on_deed)}</div>
            </div>
        </DropDown>
    }
    .into_any()
}

/// True if each word occurs in the name of the view or of its owner.
fn matches(view: &SavedView, words: &str) -> bool {
    let text = host::lower(&format!("{} {}", view.name, view.owner.as_deref().unwrap_or_default()));
    words.split_whitespace().all(|word| text.contains(word))
}

fn face(shown: Option<Shown>) -> AnyView {
    let Some(Shown { view, changed, .. }) = shown else { return leads::views().into_any() };
    let dot = changed.then(|| {
        view! {
            <span class="view-dot" title=leads::view_is_changed() data-test="view-changed">
                <span class="visually-hidden">{leads::view_is_changed()}</span>
            </span>
        }
    });
    view! {
        <span class="view-name" title=view.name.clone() data-test="view-name">
            {view.name.clone()}
        </span>
        {dot}
    }
    .into_any()
}

fn deeds(shown: Option<Shown>, may_share: bool, on_deed: Callback<ViewDeed>) -> AnyView {
    let button = move |deed: ViewDeed, glyph: Glyph, label: &'static str, test: &'static str| {
        view! {
            <button type="button" data-closes="" data-test=test on:click=move |_| on_deed.run(deed)>
                <Icon glyph />
                {label}
            </button>
        }
    };
    let save_as = button(ViewDeed::SaveAs, Glyph::Plus, leads::save_as(), "view-save-as");
    let Some(Shown { view, changed, may_change }) = shown else { return save_as.into_any() };
    let save =
        (changed && may_change).then(|| button(ViewDeed::Save, Glyph::Check, leads::save_changes(), "view-save"));
    let discard = changed.then(|| button(ViewDeed::Discard, Glyph::Back, leads::discard_changes(), "view-discard"));
    let keep = may_change.then(|| {
        let share = match view.shared {
            true => Some(button(ViewDeed::Share(false), Glyph::Key, leads::stop_sharing(), "view-unshare")),
            false => {
                may_share.then(|| button(ViewDeed::Share(true), Glyph::Leads, leads::share_with_all(), "view-share"))
            }
        };
        view! {
            {button(ViewDeed::Rename, Glyph::Edit, leads::rename(), "view-rename")}
            {share}
            {button(ViewDeed::Delete, Glyph::Trash, common::delete(), "view-delete")}
        }
    });
    view! {
        {save}
        {discard}
        {save_as}
        {keep}
    }
    .into_any()
}

/// Notice that the list differs from the saved view, with the actions to save or discard the changes.
#[component]
pub fn ViewChange(#[prop(into)] shown: Signal<Option<Shown>>, on_deed: Callback<ViewDeed>) -> impl IntoView {
    let change = Memo::new(move |_| {
        shown.with(|shown| shown.as_ref().filter(|shown| shown.changed).map(|shown| shown.may_change))
    });
    let button = move |deed: ViewDeed, label: &'static str, test: &'static str| {
        view! {
            <button type="button" class="button button-plain button-small" data-test=test on:click=move |_| on_deed.run(deed)>
                {label}
            </button>
        }
    };
    move || {
        change.get().map(|may_change| {
            let save = match may_change {
                true => button(ViewDeed::Save, common::save(), "change-save"),
                false => button(ViewDeed::SaveAs, leads::save_as(), "change-save-as"),
            };
            view! {
                <span class="view-change" data-test="view-change">
                    <span class="small secondary">{leads::view_is_changed()}</span>
                    {save}
                    {button(ViewDeed::Discard, leads::discard(), "change-discard")}
                </span>
            }
        })
    }
}

//! Menu of saved views: the user's own, shared ones, and actions for the current view.

use leadscribe_engine::api::{SavedView, UserId};
use leadscribe_engine::host;
use leptos::prelude::*;

use crate::i18n::texts::{common, leads};
use crate::ui::input::{Button, DropDown};
use crate::ui::{Glyph, Icon};

/// Number of views above which the menu has a search input.
const SEARCH_THRESHOLD: usize = 7;

#[derive(Clone, Debug, PartialEq)]
pub struct CurrentView {
    pub view: SavedView,
    /// True if the list differs from the saved view.
    pub is_changed: bool,
    /// True if the user may save changes to it.
    pub can_change: bool,
}

/// Action of the menu. Most actions apply to the current view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewAction {
    SaveAs,
    Save,
    Discard,
    Rename,
    /// Shares the view with all staff, or stops sharing it.
    Share(bool),
    Delete,
}

pub fn view_href(view: &SavedView) -> String {
    format!("/leads?view={}", view.id)
}

/// True if the user owns the view.
pub fn is_owned_by(view: &SavedView, user: Option<UserId>) -> bool {
    view.owner_id.is_some() && view.owner_id == user
}

/// The menu. Its button shows the name of the current view.
#[component]
pub fn ViewMenu(
    #[prop(into)] views: Signal<Vec<SavedView>>,
    /// The current user, whose own views are listed first.
    #[prop(into)]
    user_id: Signal<Option<UserId>>,
    #[prop(into)] current_view: Signal<Option<CurrentView>>,
    /// True if the user may share views.
    #[prop(into)]
    can_share: Signal<bool>,
    on_action: Callback<ViewAction>,
) -> impl IntoView {
    let search = RwSignal::new(String::new());
    let is_long = Memo::new(move |_| views.with(Vec::len) > SEARCH_THRESHOLD);
    let matching = Memo::new(move |_| {
        let words = host::to_lower(&search.get());
        views.get().into_iter().filter(|view| matches_words(view, &words)).collect::<Vec<_>>()
    });
    let is_empty = move || views.with(Vec::is_empty);
    let has_no_match = move || !is_empty() && matching.with(Vec::is_empty);
    let current_id = Memo::new(move |_| Some(current_view.get()?.view.id));
    let group = move |label: &'static str, is_own: bool| {
        let link = move |view: SavedView| {
            let id = view.id;
            let is_current = move || (current_id.get() == Some(id)).then_some("true");
            let note = match (is_own, view.shared) {
                (true, true) => Some(leads::shared_with_all().to_owned()),
                (true, false) => None,
                (false, _) => view.owner.clone(),
            };
            let (href, name) = (view_href(&view), view.name);
            view! {
                <a href=href aria-current=is_current data-test="view" data-name=name.clone()>
                    <span>{name.clone()}</span>
                    {note.map(|note| view! { <span class="small secondary">{note}</span> })}
                </a>
            }
        };
        move || {
            let mut views = matching.get();
            views.retain(|view| is_owned_by(view, user_id.get()) == is_own);
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
        <DropDown label=leads::views() glyph=Glyph::Bookmark test_id="views" button_content=ViewFn::from(move || button_content(current_view.get()))>
            <div class="view-menu">
                <Show when=move || is_long.get()>
                    <input
                        class="input"
                        type="search"
                        autocomplete="off"
                        aria-label=leads::find_a_view()
                        placeholder=leads::find_a_view()
                        data-initial-focus=""
                        data-test="view-search"
                        bind:value=search
                    />
                </Show>
                <div class="view-list">
                    <Show when=move || current_id.get().is_some()>
                        <a href="/leads" data-test="view-none">
                            {common::all_leads()}
                        </a>
                    </Show>
                    {group(leads::your_views(), true)}
                    {group(leads::shared_views(), false)}
                    <Show when=has_no_match>
                        <p class="small secondary view-note">{leads::no_view_found()}</p>
                    </Show>
                    <Show when=is_empty>
                        <p class="small secondary view-note">{leads::views_hint()}</p>
                    </Show>
                </div>
                <div class="view-actions">{move || action_buttons(current_view.get(), can_share.get(), on_action)}</div>
            </div>
        </DropDown>
    }
}

/// True if each word occurs in the name of the view or of its owner.
fn matches_words(view: &SavedView, words: &str) -> bool {
    let text = host::to_lower(&format!("{} {}", view.name, view.owner.as_deref().unwrap_or_default()));
    words.split_whitespace().all(|word| text.contains(word))
}

fn button_content(current_view: Option<CurrentView>) -> AnyView {
    let Some(CurrentView { view, is_changed, .. }) = current_view else { return leads::views().into_any() };
    let changed_dot = is_changed.then(|| {
        view! {
            <span class="view-unsaved-dot" title=common::unsaved_changes() data-test="view-unsaved-dot">
                <span class="visually-hidden">{common::unsaved_changes()}</span>
            </span>
        }
    });
    view! {
        <span class="view-name" title=view.name.clone() data-test="view-name">
            {view.name.clone()}
        </span>
        {changed_dot}
    }
    .into_any()
}

fn action_buttons(current_view: Option<CurrentView>, can_share: bool, on_action: Callback<ViewAction>) -> AnyView {
    let button = move |action: ViewAction, glyph: Glyph, label: &'static str, test_id: &'static str| {
        view! {
            <button type="button" data-closes-menu="" data-test=test_id on:click=move |_| on_action.run(action)>
                <Icon glyph />
                {label}
            </button>
        }
    };
    let save_as = button(ViewAction::SaveAs, Glyph::Plus, leads::save_as(), "view-save-as");
    let Some(CurrentView { view, is_changed, can_change }) = current_view else { return save_as.into_any() };
    let save =
        (is_changed && can_change).then(|| button(ViewAction::Save, Glyph::Check, leads::save_changes(), "view-save"));
    let discard =
        is_changed.then(|| button(ViewAction::Discard, Glyph::Back, common::discard_changes(), "view-discard"));
    let manage_buttons = can_change.then(|| {
        let share = match view.shared {
            true => Some(button(ViewAction::Share(false), Glyph::Key, leads::stop_sharing(), "view-unshare")),
            false => {
                can_share.then(|| button(ViewAction::Share(true), Glyph::Leads, leads::share_with_all(), "view-share"))
            }
        };
        view! {
            {button(ViewAction::Rename, Glyph::Edit, leads::rename(), "view-rename")}
            {share}
            {button(ViewAction::Delete, Glyph::Trash, common::delete(), "view-delete")}
        }
    });
    view! {
        {save}
        {discard}
        {save_as}
        {manage_buttons}
    }
    .into_any()
}

/// Notice that the list differs from the saved view, with the actions to save or discard the changes.
#[component]
pub fn UnsavedViewNotice(
    #[prop(into)] current_view: Signal<Option<CurrentView>>,
    on_action: Callback<ViewAction>,
) -> impl IntoView {
    let unsaved = Memo::new(move |_| Some(current_view.get().filter(|current| current.is_changed)?.can_change));
    let button = move |action: ViewAction, label: &'static str, test_id: &'static str| {
        view! {
            <Button class="button-plain button-small" label test_id on_press=move |()| on_action.run(action) />
        }
    };
    move || {
        unsaved.get().map(|can_change| {
            let save = match can_change {
                true => button(ViewAction::Save, common::save(), "change-save"),
                false => button(ViewAction::SaveAs, leads::save_as(), "change-save-as"),
            };
            view! {
                <span class="view-unsaved" data-test="view-unsaved">
                    <span class="small secondary">{common::unsaved_changes()}</span>
                    {save}
                    {button(ViewAction::Discard, common::discard(), "change-discard")}
                </span>
            }
        })
    }
}

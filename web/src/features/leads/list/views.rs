//! Saved views of the lead list: load, save, change, share and delete.

use leadscribe_engine::api::{Page, SavedView, ViewId, ViewRequest};
use leadscribe_engine::host;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::list_state::ListState;
use crate::api::{Api, ApiError, use_api, use_session};
use crate::i18n::texts::{common, leads};
use crate::state::{ApiResource, Mutation, undo, use_toasts};
use crate::ui::dialog::{ConfirmDialog, Dialog, Dismissal, NameForm, PendingConfirmation, Question};
use crate::ui::list::{CurrentView, UnsavedViewNotice, ViewAction, ViewMenu, is_owned_by};
use crate::ui::{EmptyState, ErrorNotice, Glyph};

/// Views that the user can see, and the error of the view in the URL. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct SavedViews {
    api: Api,
    views: ApiResource<Page<SavedView>>,
    missing_view: RwSignal<Option<(String, ApiError)>>,
}

impl SavedViews {
    /// Loads the views, and the one in the URL if the list doesn't contain it.
    pub fn new(url_state: Memo<ListState>) -> Self {
        let views = Self { api: use_api(), views: ApiResource::new(), missing_view: RwSignal::new(None) };
        views.load();
        let requested_id = Memo::new(move |_| url_state.with(|list_state| list_state.view.clone()));
        Effect::new(move |_| {
            let id = requested_id.get();
            let is_listed = views.views.with(|page| page.map(|page| page.items.iter().any(|view| has_id(view, &id))));
            if is_listed == Some(false) && !id.is_empty() {
                views.load_view(id);
            }
        });
        views
    }

    fn load(self) {
        self.views.load(self.api.views());
    }

    fn load_view(self, id: String) {
        // Text that isn't a number matches no view, like an unused number.
        let number = ViewId(id.parse().ok().filter(|number| *number > 0).unwrap_or(i64::MAX));
        spawn_local(async move {
            match self.api.view(number).await {
                Ok(view) => self.insert(view),
                Err(error) => _ = self.missing_view.try_set(Some((id, error))),
            }
        });
    }

    pub fn find(self, id: &str) -> Option<SavedView> {
        self.views.with(|page| page?.items.iter().find(|view| has_id(view, id)).cloned())
    }

    /// Returns the reason why there is no view with this id.
    pub fn error(self, id: &str) -> Option<ApiError> {
        if id.is_empty() || self.find(id).is_some() {
            return None;
        }
        let lost =
            self.missing_view.with(|lost| lost.as_ref().filter(|(lost, _)| lost == id).map(|(_, error)| error.clone()));
        lost.or_else(|| self.views.error.get())
    }

    /// Adds a view, or replaces it with the server's version.
    fn insert(self, view: SavedView) {
        if self.views.data.try_with_untracked(Option::is_none) == Some(true) {
            return self.load();
        }
        self.update(|page| {
            page.items.retain(|existing| existing.id != view.id);
            page.items.push(view);
            page.items.sort_by_cached_key(|view| (host::to_lower(&view.name), view.id));
        });
    }

    fn remove(self, id: ViewId) {
        self.update(|page| page.items.retain(|view| view.id != id));
    }

    /// Applies a change that the server has made. Does nothing if the page was closed.
    fn update(self, change: impl FnOnce(&mut Page<SavedView>)) {
        _ = self.views.data.try_update(|page| page.as_mut().map(change));
    }
}

fn has_id(view: &SavedView, id: &str) -> bool {
    view.id.to_string() == id
}

/// Menu of the views, and its actions with their dialogs and messages.
#[component]
pub fn SavedViewControls(
    views: SavedViews,
    #[prop(into)] list_state: Signal<ListState>,
    /// True if the edited filter is invalid. It is not part of the saved state then.
    is_filter_invalid: Signal<bool>,
    #[prop(into)] current_view: Signal<Option<CurrentView>>,
    /// Navigates to a state, replacing the history entry.
    go: Callback<ListState>,
    /// Shows a view as it was saved.
    on_discard: Callback<SavedView>,
) -> impl IntoView {
    let (api, session, toasts) = (use_api(), use_session(), use_toasts());
    // View that the name dialog renames; `None` for a new view.
    let renamed_view = RwSignal::new(None::<SavedView>);
    let (is_name_dialog_open, mutation, shared) = (RwSignal::new(false), Mutation::new(), RwSignal::new(false));
    let confirmation = PendingConfirmation::<SavedView>::new();
    let open_name_dialog = move |view: Option<SavedView>| {
        shared.set(false);
        renamed_view.set(view);
        is_name_dialog_open.set(true);
    };
    let user_id = Signal::derive(move || session.user().map(|user| user.id));
    let update_view = move |view: SavedView, request: ViewRequest, current_view: Option<ListState>, message: String| {
        spawn_local(async move {
            match api.update_view(view.id, request).await {
                Ok(view) => {
                    toasts.show_success(message);
                    // After unsharing another user's view, the user can't see it anymore.
                    if !view.shared && !is_owned_by(&view, user_id.try_get_untracked().flatten()) {
                        return remove_view(views, view.id, list_state, go);
                    }
                    views.insert(view);
                    if let Some(current_view) = current_view {
                        go.try_run(current_view);
                    }
                }
                Err(error) => toasts.show_error(&error),
            }
        });
    };
    let on_undone = Callback::new(|()| {});
    let delete_view = move |view: SavedView| {
        spawn_local(async move {
            if let Err(error) = api.delete_view(view.id).await {
                return toasts.show_error(&error);
            }
            remove_view(views, view.id, list_state, go);
            let (id, deleted) = (view.id, common::deleted(&view.name));
            let request = to_request(view);
            let restore = move || {
                let request = request.clone();
                async move {
                    let view = api.update_view(id, request).await?;
                    let list_state = ListState::from_view(&view);
                    views.insert(view);
                    go.try_run(list_state);
                    Ok(())
                }
            };
            // Nothing is left to do: a restored view is in the list already.
            undo::offer(toasts, deleted, restore, on_undone);
        });
    };
    let on_action = Callback::new(move |action: ViewAction| {
        let open_view = current_view.get_untracked().map(|current_view| current_view.view);
        match (action, open_view) {
            (ViewAction::SaveAs, _) => open_name_dialog(None),
            (_, None) => {}
            (ViewAction::Save, Some(view)) => {
                let (list_state, message) = (list_state.get_untracked(), common::saved(&view.name));
                let request = list_state.to_view(view.name.clone(), view.shared);
                update_view(view, request, Some(list_state), message);
            }
            (ViewAction::Discard, Some(view)) => on_discard.run(view),
            (ViewAction::Rename, Some(view)) => open_name_dialog(Some(view)),
            (ViewAction::Share(shared), Some(view)) => {
                let message = if shared { leads::view_shared(&view.name) } else { leads::view_unshared(&view.name) };
                let request = ViewRequest { shared, ..to_request(view.clone()) };
                update_view(view, request, None, message);
            }
            (ViewAction::Delete, Some(view)) => {
                // Only its owner could restore it.
                if is_owned_by(&view, user_id.get_untracked()) { delete_view(view) } else { confirmation.request(view) }
            }
        }
    });
    let on_name = Callback::new(move |name: String| match renamed_view.get_untracked() {
        Some(view) => {
            let (id, request) = (view.id, ViewRequest { name, ..to_request(view) });
            mutation.start(api.update_view(id, request), move |view| {
                is_name_dialog_open.set(false);
                views.insert(view);
            });
        }
        None => {
            let state = list_state.get_untracked();
            mutation.start(api.create_view(state.to_view(name, shared.get_untracked())), move |view| {
                is_name_dialog_open.set(false);
                toasts.show_success(common::saved(&view.name));
                let id = view.id.to_string();
                views.insert(view);
                go.run(ListState { view: id, ..state });
            });
        }
    });
    let on_confirm = Callback::new(move |view: SavedView| {
        confirmation.run(api.delete_view(view.id), move |()| remove_view(views, view.id, list_state, go));
    });
    let title = Signal::derive(move || match renamed_view.get() {
        Some(view) => leads::rename_view(view.name),
        None => leads::save_view().to_owned(),
    });
    let name_form = move || {
        let view = renamed_view.get();
        let is_new = view.is_none();
        let initial = view.map(|view| view.name).unwrap_or_default();
        let search = list_state.with_untracked(|list_state| list_state.search.clone());
        let unsaved = match is_filter_invalid.get_untracked() {
            true => Some(leads::invalid_filter_not_saved().to_owned()),
            false => (!search.is_empty()).then(|| leads::search_is_not_saved(search)),
        };
        let unsaved = unsaved.filter(|_| is_new);
        let unsaved = unsaved.map(|text| view! { <p class="small secondary" data-test="unsaved">{text}</p> });
        let share = (is_new && session.can_write()).then(|| {
            view! {
                <label class="check">
                    <input type="checkbox" class="checkbox" data-test="view-shared" bind:checked=shared />
                    {leads::share_with_all()}
                </label>
            }
        });
        view! {
            <NameForm open=is_name_dialog_open hint=leads::view_name_hint() action=common::save() mutation initial on_submit=on_name>
                {unsaved}
                {share}
            </NameForm>
        }
    };
    let view_list = move || views.views.with(|page| page.map(|page| page.items.clone()).unwrap_or_default());
    view! {
        <ViewMenu
            views=Signal::derive(view_list)
            user_id
            current_view
            can_share=Signal::derive(move || session.can_write())
            on_action
        />
        <UnsavedViewNotice current_view on_action />
        <Dialog open=is_name_dialog_open title dismissal=Dismissal::ConfirmIfFilled test_id="view-dialog">
            {name_form}
        </Dialog>
        <ConfirmDialog confirmation question=confirmation_question on_confirm />
    }
}

/// Removes a view that was deleted or that the user can't see anymore. The list keeps showing its leads.
fn remove_view(views: SavedViews, id: ViewId, list_state: Signal<ListState>, go: Callback<ListState>) {
    if let Some(list_state) = list_state.try_get_untracked() {
        go.try_run(ListState { view: String::new(), ..list_state });
    }
    views.remove(id);
}

fn confirmation_question(view: &SavedView) -> Question {
    let text = match &view.owner {
        Some(owner) => leads::all_staff_lose_view_of(owner),
        None => leads::all_staff_lose_view().to_owned(),
    };
    Question::new(leads::delete_view(&view.name), text, common::delete())
}

/// Request with the view's values, to change some of them or to create it again.
fn to_request(view: SavedView) -> ViewRequest {
    let SavedView { name, filter, dates, columns, shared, .. } = view;
    ViewRequest { name, filter, dates, columns, shared }
}

/// True if the view doesn't exist or the user can't see it.
pub fn is_missing_view(error: &ApiError) -> bool {
    matches!(error.status(), Some(400 | 404))
}

/// Shown if the view in the URL can't be loaded.
#[component]
pub fn MissingView(views: SavedViews, error: ApiError) -> impl IntoView {
    let on_retry = Callback::new(move |()| {
        views.missing_view.set(None);
        views.load();
    });
    if !is_missing_view(&error) {
        return view! { <ErrorNotice error on_retry /> }.into_any();
    }
    view! {
        <section class="table-card">
            <EmptyState
                glyph=Glyph::Bookmark
                title=leads::view_not_found()
                text=leads::view_not_found_hint()
                link=("/leads", leads::show_all_leads())
            />
        </section>
    }
    .into_any()
}

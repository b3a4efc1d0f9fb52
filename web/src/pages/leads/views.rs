//! Saved views of the lead list: load, save, change, share and delete.

use leadscribe_engine::api::{Page, SavedView, ViewId, ViewRequest};
use leadscribe_engine::host;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::place::Place;
use crate::api::{Api, ApiError, use_api};
use crate::attempt::Attempt;
use crate::components::dialog::confirm::{ConfirmDialog, Doubt, Question};
use crate::components::dialog::{Dialog, Dismissal};
use crate::components::empty::Empty;
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::Glyph;
use crate::components::input::name_form::NameForm;
use crate::components::list::view_menu::{Shown, ViewChange, ViewDeed, ViewMenu, is_of};
use crate::components::shell::toast::use_toasts;
use crate::remote::Remote;
use crate::session::use_session;
use crate::texts::{common, leads};
use crate::undo;

/// Views that the user can see, and the error of the view in the address. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct SavedViews {
    api: Api,
    all: Remote<Page<SavedView>>,
    lost: RwSignal<Option<(String, ApiError)>>,
}

impl SavedViews {
    /// Loads the views, and the one in the address if the list doesn't contain it.
    pub fn new(address: Memo<Place>) -> Self {
        let views = Self { api: use_api(), all: Remote::new(), lost: RwSignal::new(None) };
        views.load();
        let wanted = Memo::new(move |_| address.with(|place| place.view.clone()));
        Effect::new(move |_| {
            let id = wanted.get();
            let is_listed = views.all.with(|page| page.map(|page| page.items.iter().any(|view| is_called(view, &id))));
            if is_listed == Some(false) && !id.is_empty() {
                views.look_for(id);
            }
        });
        views
    }

    fn load(self) {
        self.all.load(self.api.views());
    }

    fn look_for(self, id: String) {
        // Text that isn't a number matches no view, like an unused number.
        let number = ViewId(id.parse().ok().filter(|number| *number > 0).unwrap_or(i64::MAX));
        spawn_local(async move {
            match self.api.view(number).await {
                Ok(view) => self.put(view),
                Err(error) => _ = self.lost.try_set(Some((id, error))),
            }
        });
    }

    /// Returns the view with this id.
    pub fn find(self, id: &str) -> Option<SavedView> {
        self.all.with(|page| page?.items.iter().find(|view| is_called(view, id)).cloned())
    }

    /// Returns the reason why there is no view with this id.
    pub fn error(self, id: &str) -> Option<ApiError> {
        if id.is_empty() || self.find(id).is_some() {
            return None;
        }
        let lost = self.lost.with(|lost| lost.as_ref().filter(|(lost, _)| lost == id).map(|(_, error)| error.clone()));
        lost.or_else(|| self.all.error())
    }

    /// Updates a view to the server's version.
    fn put(self, view: SavedView) {
        if self.all.try_with_untracked(|page| page.is_none()) == Some(true) {
            return self.load();
        }
        self.all.change(|page| {
            page.items.retain(|one| one.id != view.id);
            page.items.push(view);
            page.items.sort_by_cached_key(|view| (host::lower(&view.name), view.id));
        });
    }

    fn remove(self, id: ViewId) {
        self.all.change(|page| page.items.retain(|view| view.id != id));
    }
}

fn is_called(view: &SavedView, id: &str) -> bool {
    view.id.to_string() == id
}

/// Purpose of the name dialog.
#[derive(Clone, Debug, PartialEq)]
enum Asked {
    New,
    Rename(SavedView),
}

/// Menu of the views, and its actions with their dialogs and messages.
#[component]
pub fn Views(
    views: SavedViews,
    /// State to save.
    #[prop(into)]
    place: Signal<Place>,
    /// True if the edited filter is invalid. It is not part of the saved state then.
    is_faulty: Signal<bool>,
    #[prop(into)] shown: Signal<Option<Shown>>,
    /// Navigates to a state, replacing the history entry.
    go: Callback<Place>,
    /// Shows a view as it was saved.
    on_discard: Callback<SavedView>,
) -> impl IntoView {
    let (api, session, toasts) = (use_api(), use_session(), use_toasts());
    let asked = RwSignal::new(Asked::New);
    let (asking, attempt, shared) = (RwSignal::new(false), Attempt::new(), RwSignal::new(false));
    let doubt = Doubt::<SavedView>::new();
    let ask = move |what: Asked| {
        attempt.clear();
        shared.set(false);
        asked.set(what);
        asking.set(true);
    };
    let me = Signal::derive(move || session.user().map(|user| user.id));
    let put = move |view: SavedView, request: ViewRequest, shown: Option<Place>, done: String| {
        spawn_local(async move {
            match api.update_view(view.id, request).await {
                Ok(view) => {
                    toasts.done(done);
                    // After unsharing another user's view, the user can't see it anymore.
                    if !view.shared && !is_of(&view, me.try_get_untracked().flatten()) {
                        return forget(views, view.id, place, go);
                    }
                    views.put(view);
                    if let Some(shown) = shown {
                        go.try_run(shown);
                    }
                }
                Err(error) => toasts.failed(&error),
            }
        });
    };
    // Nothing to do: a restored view is in the list already.
    let on_undone = Callback::new(|()| {});
    let remove = move |view: SavedView| {
        spawn_local(async move {
            if let Err(error) = api.delete_view(view.id).await {
                return toasts.failed(&error);
            }
            forget(views, view.id, place, go);
            let (id, deleted) = (view.id, leads::view_deleted(&view.name));
            let again = request_of(view);
            let restore = move || {
                let again = again.clone();
                async move {
                    let view = api.update_view(id, again).await?;
                    let place = Place::of(&view);
                    views.put(view);
                    go.try_run(place);
                    Ok(())
                }
            };
            undo::offer(toasts, deleted, restore, on_undone);
        });
    };
    let on_deed = Callback::new(move |deed: ViewDeed| {
        let open = shown.get_untracked().map(|shown| shown.view);
        match (deed, open) {
            (ViewDeed::SaveAs, _) => ask(Asked::New),
            (_, None) => {}
            (ViewDeed::Save, Some(view)) => {
                let (place, done) = (place.get_untracked(), leads::view_saved(&view.name));
                let request = place.to_view(view.name.clone(), view.shared);
                put(view, request, Some(place), done);
            }
            (ViewDeed::Discard, Some(view)) => on_discard.run(view),
            (ViewDeed::Rename, Some(view)) => ask(Asked::Rename(view)),
            (ViewDeed::Share(shared), Some(view)) => {
                let done = if shared { leads::view_shared(&view.name) } else { leads::view_unshared(&view.name) };
                let request = ViewRequest { shared, ..request_of(view.clone()) };
                put(view, request, None, done);
            }
            (ViewDeed::Delete, Some(view)) => {
                // Only its owner could restore it.
                if is_of(&view, me.get_untracked()) { remove(view) } else { doubt.ask(view) }
            }
        }
    });
    let on_name = Callback::new(move |name: String| match asked.get_untracked() {
        Asked::Rename(view) => {
            let (id, request) = (view.id, ViewRequest { name, ..request_of(view) });
            attempt.start(api.update_view(id, request), move |view| {
                asking.set(false);
                views.put(view);
            });
        }
        Asked::New => {
            let here = place.get_untracked();
            attempt.start(api.create_view(here.to_view(name, shared.get_untracked())), move |view| {
                asking.set(false);
                toasts.done(leads::view_saved(&view.name));
                let id = view.id.to_string();
                views.put(view);
                go.run(Place { view: id, ..here });
            });
        }
    });
    let on_confirm = Callback::new(move |view: SavedView| {
        let id = view.id;
        doubt.attempt().start(api.delete_view(id), move |()| {
            doubt.close();
            forget(views, id, place, go);
        });
    });
    let title = move || match asked.get() {
        Asked::Rename(view) => leads::rename_view(view.name),
        Asked::New => leads::save_view().to_owned(),
    };
    let name_form = move || {
        let (initial, is_new) = match asked.get() {
            Asked::Rename(view) => (view.name, false),
            Asked::New => (String::new(), true),
        };
        let search = place.with_untracked(|place| place.search.clone());
        let unsaved = match (search.is_empty(), is_faulty.get_untracked()) {
            _ if !is_new => None,
            (_, true) => Some(leads::faulty_is_not_saved().to_owned()),
            (false, _) => Some(leads::search_is_not_saved(search)),
            (true, _) => None,
        };
        let unsaved = unsaved.map(|text| view! { <p class="small secondary" data-test="unsaved">{text}</p> });
        let share = (is_new && session.may_write()).then(|| {
            view! {
                <label class="check">
                    <input type="checkbox" class="checkbox" data-test="view-shared" bind:checked=shared />
                    {leads::all_staff_see_it()}
                </label>
            }
        });
        view! {
            <NameForm open=asking hint=leads::view_name_hint() action=common::save() attempt initial on_submit=on_name>
                {unsaved}
                {share}
            </NameForm>
        }
    };
    let all = move || views.all.with(|page| page.map(|page| page.items.clone()).unwrap_or_default());
    view! {
        <ViewMenu
            views=Signal::derive(all)
            me
            shown
            may_share=Signal::derive(move || session.may_write())
            on_deed
        />
        <ViewChange shown on_deed />
        <Dialog open=asking title=Signal::derive(title) dismissal=Dismissal::AsksIfFilled test="view-dialog">
            {name_form}
        </Dialog>
        <ConfirmDialog doubt question=question on_confirm />
    }
    .into_any()
}

/// Removes a view that was deleted or that the user can't see anymore. The list keeps showing its leads.
fn forget(views: SavedViews, id: ViewId, place: Signal<Place>, go: Callback<Place>) {
    if let Some(place) = place.try_get_untracked() {
        go.try_run(Place { view: String::new(), ..place });
    }
    views.remove(id);
}

fn question(view: &SavedView) -> Question {
    Question {
        title: leads::delete_view(&view.name),
        text: match &view.owner {
            Some(owner) => leads::all_staff_lose_view_of(owner),
            None => leads::all_staff_lose_view().to_owned(),
        },
        action: common::delete(),
    }
}

/// Request with the view's values, to change some of them or to create it again.
fn request_of(view: SavedView) -> ViewRequest {
    let SavedView { name, filter, dates, columns, shared, .. } = view;
    ViewRequest { name, filter, dates, columns, shared }
}

/// True if the view doesn't exist or the user can't see it.
pub fn is_gone(error: &ApiError) -> bool {
    matches!(error.status(), Some(400 | 404))
}

/// Shown if the view in the address can't be loaded.
#[component]
pub fn LostView(views: SavedViews, error: ApiError) -> impl IntoView {
    let again = Callback::new(move |()| {
        views.lost.set(None);
        views.load();
    });
    if !is_gone(&error) {
        return view! { <ErrorNotice error on_retry=again /> }.into_any();
    }
    view! {
        <section class="table-card">
            <Empty glyph=Glyph::Bookmark title=leads::no_such_view() text=leads::why_no_such_view()>
                <a class="button" href="/leads">
                    {leads::show_all_leads()}
                </a>
            </Empty>
        </section>
    }
    .into_any()
}

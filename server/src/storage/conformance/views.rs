//! Tests of saved views: visibility and the right to change them.

use leadscribe_engine::api::*;

use super::{TestStore, at, audit_at, audit_lines, refusal};
use crate::storage::{AuditContext, MAX_VIEWS_PER_OWNER, Viewer};

pub(super) fn view_request(name: &str, shared: bool) -> ViewRequest {
    ViewRequest {
        name: name.to_owned(),
        filter: r#"{"city":"Bonn"}"#.to_owned(),
        dates: "created_at:today".to_owned(),
        columns: "number,place".to_owned(),
        shared,
    }
}

async fn create_viewer(store: &TestStore, email: &str, role: Role) -> Viewer {
    let user = store.create_user(email, "hash", role, &audit_at(0)).await.unwrap();
    Viewer { id: user.id, can_share: role != Role::Viewer }
}

/// Names of the visible views, in order.
async fn visible_names(store: &TestStore, viewer: Viewer) -> Vec<String> {
    let mut names: Vec<_> = store.views(viewer.id).await.unwrap().into_iter().map(|view| view.name).collect();
    names.sort_unstable();
    names
}

pub async fn views_are_saved_and_changed(store: TestStore) {
    let ada = create_viewer(&store, "ada@example.com", Role::Manager).await;
    let saved = store.create_view(&view_request("Bonn", false), ada, &audit_at(1)).await.unwrap();
    let expected = SavedView {
        id: saved.id,
        name: "Bonn".to_owned(),
        filter: view_request("", false).filter,
        dates: "created_at:today".to_owned(),
        columns: "number,place".to_owned(),
        shared: false,
        owner_id: Some(ada.id),
        owner: Some("ada@example.com".to_owned()),
        created_at: at(1),
        updated_at: at(1),
    };
    assert_eq!(saved, expected);
    assert_eq!(store.view(saved.id, ada.id).await.unwrap(), Some(saved.clone()));
    let same = store.update_view(saved.id, &view_request("Bonn", false), ada, None, &audit_at(2)).await.unwrap();
    assert_eq!(same, Some(saved.clone()), "nothing changed");
    let other = ViewRequest {
        filter: "{}".to_owned(),
        dates: String::new(),
        columns: "city".to_owned(),
        ..view_request("Köln", true)
    };
    let changed = store.update_view(saved.id, &other, ada, None, &audit_at(3)).await.unwrap().unwrap();
    let ViewRequest { name, filter, dates, columns, shared } = other;
    assert_eq!(changed, SavedView { name, filter, dates, columns, shared, updated_at: at(3), ..saved.clone() });
    assert_eq!(store.views(ada.id).await.unwrap(), [changed]);

    store.create_view(&view_request("Bonn", false), ada, &audit_at(4)).await.unwrap();
    let taken_error = ["taken", "/name"];
    assert_eq!(refusal(store.create_view(&view_request("Bonn", true), ada, &audit_at(5)).await), taken_error);
    assert_eq!(
        refusal(store.update_view(saved.id, &view_request("Bonn", true), ada, None, &audit_at(5)).await),
        taken_error
    );
    assert_eq!(visible_names(&store, ada).await, ["Bonn", "Köln"]);
    assert!(store.delete_view(saved.id, ada, None, &audit_at(6)).await.unwrap());
    assert!(!store.delete_view(saved.id, ada, None, &audit_at(7)).await.unwrap());
    let stranger = AuditContext { actor: "user:2".to_owned(), ..audit_at(7) };
    assert_eq!(store.update_view(saved.id, &view_request("Back", true), ada, None, &stranger).await.unwrap(), None);
    assert_eq!(
        store.update_view(ViewId(99), &view_request("Back", true), ada, None, &audit_at(7)).await.unwrap(),
        None
    );
    // A user can restore a view that they deleted, so that links to it work again.
    assert_eq!(
        refusal(store.update_view(saved.id, &view_request("Bonn", true), ada, None, &audit_at(7)).await),
        taken_error
    );
    let restored =
        store.update_view(saved.id, &view_request("Back", true), ada, None, &audit_at(8)).await.unwrap().unwrap();
    assert_eq!(
        (restored.id, restored.name.as_str(), restored.owner_id, restored.created_at),
        (saved.id, "Back", Some(ada.id), at(8))
    );
    assert_eq!(store.create_view(&view_request("New", false), ada, &audit_at(9)).await.unwrap().id, ViewId(3));
    let log = audit_lines(&store).await;
    assert_eq!(log[1..5], ["view.create view:1", "view.update view:1", "view.create view:2", "view.delete view:1"]);
    assert_eq!(log[5..], ["view.create view:1", "view.create view:3"]);
}

pub async fn other_users_see_only_shared_views(store: TestStore) {
    let ada = create_viewer(&store, "ada@example.com", Role::Manager).await;
    let bob = create_viewer(&store, "bob@example.com", Role::Viewer).await;
    let eve = create_viewer(&store, "eve@example.com", Role::Admin).await;
    let own = store.create_view(&view_request("Own", false), ada, &audit_at(1)).await.unwrap().id;
    store.create_view(&view_request("Shared", true), ada, &audit_at(1)).await.unwrap();
    // Names are unique per owner only.
    store.create_view(&view_request("Own", false), bob, &audit_at(1)).await.unwrap();
    assert_eq!(visible_names(&store, ada).await, ["Own", "Shared"]);
    assert_eq!(visible_names(&store, bob).await, ["Own", "Shared"]);
    assert_eq!(visible_names(&store, eve).await, ["Shared"]);
    for other in [bob, eve] {
        assert_eq!(store.view(own, other.id).await.unwrap(), None);
        assert_eq!(
            store.update_view(own, &view_request("Mine", false), other, None, &audit_at(2)).await.unwrap(),
            None
        );
        assert!(!store.delete_view(own, other, None, &audit_at(2)).await.unwrap());
    }
}

pub async fn sharing_right_allows_changing_shared_views(store: TestStore) {
    let ada = create_viewer(&store, "ada@example.com", Role::Manager).await;
    let bob = create_viewer(&store, "bob@example.com", Role::Viewer).await;
    let eve = create_viewer(&store, "eve@example.com", Role::Manager).await;
    let shared = store.create_view(&view_request("Shared", true), ada, &audit_at(1)).await.unwrap().id;
    store.create_view(&view_request("Other", false), ada, &audit_at(1)).await.unwrap();

    let sharing_refused = ["role_required", "/shared"];
    assert_eq!(refusal(store.create_view(&view_request("Mine", true), bob, &audit_at(2)).await), sharing_refused);
    let own = store.create_view(&view_request("Mine", false), bob, &audit_at(2)).await.unwrap().id;
    assert_eq!(
        refusal(store.update_view(own, &view_request("Mine", true), bob, None, &audit_at(2)).await),
        sharing_refused
    );
    let change_refused = ["role_required", ""];
    assert_eq!(
        refusal(store.update_view(shared, &view_request("Mine", true), bob, None, &audit_at(2)).await),
        change_refused
    );
    assert_eq!(refusal(store.delete_view(shared, bob, None, &audit_at(2)).await), change_refused);

    let changed =
        store.update_view(shared, &view_request("Better", true), eve, None, &audit_at(3)).await.unwrap().unwrap();
    assert_eq!((changed.owner_id, changed.name.as_str()), (Some(ada.id), "Better"));
    // Its name must still be unique among its owner's views.
    assert_eq!(
        refusal(store.update_view(shared, &view_request("Other", true), eve, None, &audit_at(4)).await),
        ["taken", "/name"]
    );
    // Owners without the right to share keep the views that they shared before.
    let ada = Viewer { can_share: false, ..ada };
    store.update_view(shared, &view_request("Still shared", true), ada, None, &audit_at(5)).await.unwrap().unwrap();
    // After unsharing another's view, the user gets the result, although the view is no longer visible to them.
    let hidden =
        store.update_view(shared, &view_request("Hidden", false), eve, None, &audit_at(6)).await.unwrap().unwrap();
    assert_eq!((hidden.owner_id, hidden.shared), (Some(ada.id), false));
    assert_eq!(store.view(shared, eve.id).await.unwrap(), None);
    assert_eq!(
        refusal(store.update_view(shared, &view_request("Hidden", true), ada, None, &audit_at(7)).await),
        sharing_refused
    );
}

pub async fn shared_views_outlive_their_owner(store: TestStore) {
    let ada = create_viewer(&store, "ada@example.com", Role::Manager).await;
    let bob = create_viewer(&store, "bob@example.com", Role::Admin).await;
    store.create_view(&view_request("Own", false), ada, &audit_at(1)).await.unwrap();
    let shared = store.create_view(&view_request("Shared", true), ada, &audit_at(1)).await.unwrap().id;
    store.create_view(&view_request("Bob's", false), bob, &audit_at(1)).await.unwrap();
    assert!(store.delete_user(ada.id, &audit_at(2)).await.unwrap());
    assert_eq!(visible_names(&store, bob).await, ["Bob's", "Shared"]);
    let view = store.view(shared, bob.id).await.unwrap().unwrap();
    assert_eq!((view.owner_id, view.owner), (None, None));
    // The user becomes the owner by changing the view, so the name must be unique among that user's views.
    let result = store.update_view(shared, &view_request("Bob's", false), bob, None, &audit_at(3)).await;
    assert_eq!(refusal(result), ["taken", "/name"]);
    let changed =
        store.update_view(shared, &view_request("Kept", false), bob, None, &audit_at(3)).await.unwrap().unwrap();
    assert_eq!((changed.owner_id, changed.owner.as_deref()), (Some(bob.id), Some("bob@example.com")));
    assert!(store.delete_view(shared, bob, None, &audit_at(4)).await.unwrap());
}

pub async fn views_per_owner_are_limited(store: TestStore) {
    let ada = create_viewer(&store, "ada@example.com", Role::Viewer).await;
    for number in 0..MAX_VIEWS_PER_OWNER {
        store.create_view(&view_request(&number.to_string(), false), ada, &audit_at(1)).await.unwrap();
    }
    let one_more = store.create_view(&view_request("One more", false), ada, &audit_at(2)).await;
    assert_eq!(refusal(one_more), ["too_many", ""]);
    let bob = create_viewer(&store, "bob@example.com", Role::Viewer).await;
    store.create_view(&view_request("One more", false), bob, &audit_at(3)).await.unwrap();
}

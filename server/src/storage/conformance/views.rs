//! Tests of saved views: visibility and the right to change them.

use leadscribe_engine::api::*;

use super::{Tested, at, by, logged, refusal};
use crate::storage::{MAX_VIEWS, Origin, Viewer};

fn asked(name: &str, shared: bool) -> ViewRequest {
    ViewRequest {
        name: name.to_owned(),
        filter: r#"{"city":"Bonn"}"#.to_owned(),
        dates: "created_at:today".to_owned(),
        columns: "number,place".to_owned(),
        shared,
    }
}

async fn staff(store: &Tested, email: &str, role: Role) -> Viewer {
    let user = store.create_user(email, "hash", role, &by(0)).await.unwrap();
    Viewer { id: user.id, may_share: role != Role::Viewer }
}

/// Names of the visible views, in order.
async fn seen(store: &Tested, by: Viewer) -> Vec<String> {
    let mut names: Vec<_> = store.views(by.id).await.unwrap().into_iter().map(|view| view.name).collect();
    names.sort_unstable();
    names
}

fn refused(code: &str, place: &str) -> (String, String) {
    (code.to_owned(), place.to_owned())
}

pub async fn views_are_saved_and_changed(store: Tested) {
    let ada = staff(&store, "ada@example.com", Role::Manager).await;
    let saved = store.create_view(&asked("Bonn", false), ada, &by(1)).await.unwrap();
    let expected = SavedView {
        id: saved.id,
        name: "Bonn".to_owned(),
        filter: asked("", false).filter,
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
    let same = store.update_view(saved.id, &asked("Bonn", false), ada, &by(2)).await.unwrap();
    assert_eq!(same, Some(saved.clone()), "nothing changed");
    let other = ViewRequest {
        filter: "{}".to_owned(),
        dates: String::new(),
        columns: "city".to_owned(),
        ..asked("Köln", true)
    };
    let changed = store.update_view(saved.id, &other, ada, &by(3)).await.unwrap().unwrap();
    let ViewRequest { name, filter, dates, columns, shared } = other;
    assert_eq!(changed, SavedView { name, filter, dates, columns, shared, updated_at: at(3), ..saved.clone() });
    assert_eq!(store.views(ada.id).await.unwrap(), [changed]);

    store.create_view(&asked("Bonn", false), ada, &by(4)).await.unwrap();
    let taken = refused("taken", "/name");
    assert_eq!(refusal(store.create_view(&asked("Bonn", true), ada, &by(5)).await), taken);
    assert_eq!(refusal(store.update_view(saved.id, &asked("Bonn", true), ada, &by(5)).await), taken);
    assert_eq!(seen(&store, ada).await, ["Bonn", "Köln"]);
    assert!(store.delete_view(saved.id, ada, &by(6)).await.unwrap());
    assert!(!store.delete_view(saved.id, ada, &by(7)).await.unwrap());
    let stranger = Origin { actor: "user:2".to_owned(), ..by(7) };
    assert_eq!(store.update_view(saved.id, &asked("Back", true), ada, &stranger).await.unwrap(), None);
    assert_eq!(store.update_view(ViewId(99), &asked("Back", true), ada, &by(7)).await.unwrap(), None);
    // A user can restore a view that they deleted, so that links to it work again.
    assert_eq!(refusal(store.update_view(saved.id, &asked("Bonn", true), ada, &by(7)).await), taken);
    let back = store.update_view(saved.id, &asked("Back", true), ada, &by(8)).await.unwrap().unwrap();
    assert_eq!((back.id, back.name.as_str(), back.owner_id, back.created_at), (saved.id, "Back", Some(ada.id), at(8)));
    assert_eq!(store.create_view(&asked("New", false), ada, &by(9)).await.unwrap().id, ViewId(3));
    let log = logged(&store).await;
    assert_eq!(log[1..5], ["view.create view:1", "view.update view:1", "view.create view:2", "view.delete view:1"]);
    assert_eq!(log[5..], ["view.create view:1", "view.create view:3"]);
}

pub async fn other_users_see_only_shared_views(store: Tested) {
    let ada = staff(&store, "ada@example.com", Role::Manager).await;
    let bob = staff(&store, "bob@example.com", Role::Viewer).await;
    let eve = staff(&store, "eve@example.com", Role::Admin).await;
    let own = store.create_view(&asked("Own", false), ada, &by(1)).await.unwrap().id;
    store.create_view(&asked("Shared", true), ada, &by(1)).await.unwrap();
    // Names are unique per owner only.
    store.create_view(&asked("Own", false), bob, &by(1)).await.unwrap();
    assert_eq!(seen(&store, ada).await, ["Own", "Shared"]);
    assert_eq!(seen(&store, bob).await, ["Own", "Shared"]);
    assert_eq!(seen(&store, eve).await, ["Shared"]);
    for other in [bob, eve] {
        assert_eq!(store.view(own, other.id).await.unwrap(), None);
        assert_eq!(store.update_view(own, &asked("Mine", false), other, &by(2)).await.unwrap(), None);
        assert!(!store.delete_view(own, other, &by(2)).await.unwrap());
    }
}

pub async fn sharing_right_allows_changing_shared_views(store: Tested) {
    let ada = staff(&store, "ada@example.com", Role::Manager).await;
    let bob = staff(&store, "bob@example.com", Role::Viewer).await;
    let eve = staff(&store, "eve@example.com", Role::Manager).await;
    let shared = store.create_view(&asked("Shared", true), ada, &by(1)).await.unwrap().id;
    store.create_view(&asked("Other", false), ada, &by(1)).await.unwrap();

    let not_shared = refused("role_required", "/shared");
    assert_eq!(refusal(store.create_view(&asked("Mine", true), bob, &by(2)).await), not_shared);
    let own = store.create_view(&asked("Mine", false), bob, &by(2)).await.unwrap().id;
    assert_eq!(refusal(store.update_view(own, &asked("Mine", true), bob, &by(2)).await), not_shared);
    let not_yours = refused("role_required", "");
    assert_eq!(refusal(store.update_view(shared, &asked("Mine", true), bob, &by(2)).await), not_yours);
    assert_eq!(refusal(store.delete_view(shared, bob, &by(2)).await), not_yours);

    let changed = store.update_view(shared, &asked("Better", true), eve, &by(3)).await.unwrap().unwrap();
    assert_eq!((changed.owner_id, changed.name.as_str()), (Some(ada.id), "Better"));
    // Its name must still be unique among its owner's views.
    assert_eq!(refusal(store.update_view(shared, &asked("Other", true), eve, &by(4)).await), refused("taken", "/name"));
    // Owners without the right to share keep the views that they shared before.
    let ada = Viewer { may_share: false, ..ada };
    store.update_view(shared, &asked("Still shared", true), ada, &by(5)).await.unwrap().unwrap();
    // After unsharing another's view, the user gets the result, although the view is no longer visible to them.
    let hidden = store.update_view(shared, &asked("Hidden", false), eve, &by(6)).await.unwrap().unwrap();
    assert_eq!((hidden.owner_id, hidden.shared), (Some(ada.id), false));
    assert_eq!(store.view(shared, eve.id).await.unwrap(), None);
    assert_eq!(refusal(store.update_view(shared, &asked("Hidden", true), ada, &by(7)).await), not_shared);
}

pub async fn shared_views_outlive_their_owner(store: Tested) {
    let ada = staff(&store, "ada@example.com", Role::Manager).await;
    let bob = staff(&store, "bob@example.com", Role::Admin).await;
    store.create_view(&asked("Own", false), ada, &by(1)).await.unwrap();
    let shared = store.create_view(&asked("Shared", true), ada, &by(1)).await.unwrap().id;
    store.create_view(&asked("Bob's", false), bob, &by(1)).await.unwrap();
    assert!(store.delete_user(ada.id, &by(2)).await.unwrap());
    assert_eq!(seen(&store, bob).await, ["Bob's", "Shared"]);
    let left = store.view(shared, bob.id).await.unwrap().unwrap();
    assert_eq!((left.owner_id, left.owner), (None, None));
    // The user becomes the owner by changing the view, so the name must be unique among that user's views.
    let taken = store.update_view(shared, &asked("Bob's", false), bob, &by(3)).await;
    assert_eq!(refusal(taken), refused("taken", "/name"));
    let kept = store.update_view(shared, &asked("Kept", false), bob, &by(3)).await.unwrap().unwrap();
    assert_eq!((kept.owner_id, kept.owner.as_deref()), (Some(bob.id), Some("bob@example.com")));
    assert!(store.delete_view(shared, bob, &by(4)).await.unwrap());
}

pub async fn views_per_owner_are_limited(store: Tested) {
    let ada = staff(&store, "ada@example.com", Role::Viewer).await;
    for number in 0..MAX_VIEWS {
        store.create_view(&asked(&number.to_string(), false), ada, &by(1)).await.unwrap();
    }
    let one_more = store.create_view(&asked("One more", false), ada, &by(2)).await;
    assert_eq!(refusal(one_more), refused("too_many", ""));
    let bob = staff(&store, "bob@example.com", Role::Viewer).await;
    store.create_view(&asked("One more", false), bob, &by(3)).await.unwrap();
}

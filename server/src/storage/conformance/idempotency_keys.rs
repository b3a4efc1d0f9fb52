//! Tests of the records that idempotency keys refer to.

use leadscribe_engine::api::*;
use leadscribe_engine::record::LeadRecord;

use super::deliveries::{UNLIMITED, deliver, target};
use super::speech::{key, new_token};
use super::views::view_request;
use super::{TestStore, at, audit_at, new_lead, refusal, text, webhooks};
use crate::storage::{AuditContext, NewImport, Viewer};

const REFUSED: [&str; 2] = ["created_record_deleted", ""];

/// Audit context of a request with the idempotency key of this name, `seconds` after noon.
fn keyed_audit(name: &str, seconds: i64) -> AuditContext {
    AuditContext { idempotency: Some(key(name, "content")), ..audit_at(seconds) }
}

pub async fn deleted_users_and_views_are_not_replayed(store: TestStore) {
    let create_user =
        async |seconds| store.create_user("ann@example.com", "hash", Role::Viewer, &keyed_audit("user", seconds)).await;
    let user = create_user(1).await.unwrap();
    assert_eq!(create_user(2).await.unwrap(), user);
    let viewer = Viewer { id: user.id, can_share: false };
    let create_view =
        async |seconds| store.create_view(&view_request("Bonn", false), viewer, &keyed_audit("view", seconds)).await;
    let view = create_view(1).await.unwrap();
    let changed = store.update_view(view.id, &view_request("Ulm", false), viewer, None, &audit_at(2)).await.unwrap();
    assert_eq!(create_view(3).await.unwrap(), changed.unwrap());
    assert!(store.delete_view(view.id, viewer, None, &audit_at(4)).await.unwrap());
    assert_eq!(refusal(create_view(5).await), REFUSED);
    assert!(store.delete_user(user.id, &audit_at(6)).await.unwrap());
    assert_eq!(refusal(create_user(7).await), REFUSED);
}

pub async fn deleted_webhooks_are_not_replayed(store: TestStore) {
    let request = webhooks::request(&[WebhookEvent::LeadChanged], None);
    let create = async |seconds| store.create_webhook(&request, "whsec_one", &keyed_audit("webhook", seconds)).await;
    let webhook = create(1).await.unwrap();
    assert_eq!(store.webhook(webhook.id, None).await.unwrap().as_ref(), Some(&webhook));
    assert_eq!(create(2).await.unwrap(), webhook);
    assert!(store.delete_webhook(webhook.id, None, None, &audit_at(3)).await.unwrap());
    assert_eq!(refusal(create(4).await), REFUSED);
}

pub async fn purged_deliveries_are_not_replayed(store: TestStore) {
    let token = new_token(&store, 1).await;
    let create = async |seconds| {
        store.create_test_delivery(token, &target(), UNLIMITED, &keyed_audit("delivery", seconds)).await
    };
    let delivery = create(1).await.unwrap();
    assert_eq!(create(2).await.unwrap(), delivery);
    deliver(&store, 3).await;
    assert_eq!(create(5).await.unwrap().state, DeliveryState::Delivered);
    assert_eq!(store.purge_deliveries(at(10)).await.unwrap(), 1);
    assert_eq!(refusal(create(11).await), REFUSED);
}

pub async fn purged_dry_runs_are_not_replayed(store: TestStore) {
    let new = NewImport { is_dry_run: true, ..NewImport::new(ImportKind::Leads, "ann.csv") };
    let create = async |seconds| store.create_import(&new, &keyed_audit("import", seconds)).await;
    let import = create(1).await.unwrap();
    assert_eq!(create(2).await.unwrap(), import);
    store.purge_rejected_rows(at(0), at(10)).await.unwrap();
    assert_eq!(refusal(create(11).await), REFUSED);
}

pub async fn later_record_with_the_same_id_is_not_replayed(store: TestStore) {
    let record = || LeadRecord { city: text("Bonn"), ..LeadRecord::default() };
    let create = async |seconds| store.create_lead(record(), &keyed_audit("lead", seconds)).await;
    let id = create(1).await.unwrap().id;
    assert_eq!(create(2).await.unwrap().id, id);
    assert!(store.delete_lead(id, None, &audit_at(3)).await.unwrap());
    store.import_leads(vec![LeadRecord { id: Some(id), ..record() }], &audit_at(4)).await.unwrap();
    assert_eq!(refusal(create(5).await), REFUSED);
    assert_ne!(new_lead(&store, record()).await, id);
}

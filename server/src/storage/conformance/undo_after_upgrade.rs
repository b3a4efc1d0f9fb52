//! Imports and actions of schema version 24, which had separate journals. They can be undone after an upgrade.

use leadscribe_engine::api::*;
use leadscribe_engine::record::CampaignLeadRecord;

use super::{FIRST_1000, TestStore, at, audit_at, refusal};

/// Rows for schema version 24, which already has lead 1. `@5` stands for the time 5 microseconds after noon.
///
/// Import 1 created leads 3 and 4 and updated lead 2; its undo was interrupted when lead 4 was deleted. Action 1 updated lead 2 and
/// campaign leads 1 to 4 and was not undone. Action 2 created campaign leads 5 and 6. Action 3 was undone.
const ROWS: &str = r#"
    INSERT INTO leads (id, city, do_not_call, blacklisted, custom_fields, created_at, updated_at, global_updated_at) VALUES
        (2, 'Rome', TRUE, FALSE, '{}', @0, @1, @1), (3, 'Rome', FALSE, FALSE, '{}', @0, @0, @0),
        (5, NULL, FALSE, FALSE, '{}', @0, @0, @0), (6, NULL, FALSE, FALSE, '{}', @0, @0, @0);
    INSERT INTO campaigns (id, name, active, freeze_minutes, created_at, updated_at) VALUES (1, 'Spring', TRUE, 0, @0, @0);
    INSERT INTO campaign_leads (id, lead_id, campaign_id, status, weight, calls_count, calls_today, freeze_until,
            assigned_user_id, created_at, updated_at) VALUES
        (1, 1, 1, 'closed', 7, 0, 0, @1001, NULL, @0, @1), (2, 2, 1, 'closed', 7, 0, 0, @1001, NULL, @0, @1),
        (5, 5, 1, 'new', 0, 0, 0, NULL, NULL, @1000000, @1000000), (6, 6, 1, 'new', 0, 0, 0, NULL, NULL, @1000000, @1000000);
    INSERT INTO imports (id, kind, file_name, dry_run, state, rows_read, rows_inserted, rows_updated, rows_unchanged,
            rows_rejected, progress, new_statuses, columns, started_at, noted_at) VALUES
        (1, 'leads', 'a.csv', FALSE, 'completed', 3, 2, 1, 0, 0, 1, '[]', '[]', @0, @0);
    INSERT INTO import_undos (import_id, to_delete, to_restore, actor, started_at, noted_at, deleted) VALUES
        (1, 2, 1, 'user:1', @0, @0, 1);
    INSERT INTO import_changes (import_id, kind, row_id, given, former) VALUES
        (1, 'leads', 2, '{"city":"Rome"}', '{"city":"Bonn"}'), (1, 'leads', 3, '{"updated_at":"2026-05-04T12:00:00Z"}', NULL);
    INSERT INTO lead_actions (id, at, actor, sets, do_not_call, status, weight, assigned_user_id, freeze_until, campaign_id,
            undone_at) VALUES
        (1, @1, 'user:1', '["do_not_call","status","weight","assigned_user_id","freeze_until"]', TRUE, 'closed', 7, NULL, @1001, NULL,
            NULL),
        (2, @1000000, 'user:2', '["campaign_id"]', NULL, NULL, NULL, NULL, NULL, 1, NULL),
        (3, @2, 'user:3', '["freeze_until"]', NULL, NULL, NULL, NULL, NULL, NULL, @3);
    INSERT INTO lead_action_changes (action_id, lead_id, campaign_lead_id, do_not_call, status, weight, assigned_user_id,
            freeze_until, made) VALUES
        (1, 2, NULL, FALSE, NULL, NULL, NULL, NULL, FALSE), (1, 1, 1, NULL, 'new', 0, 4, @250000, FALSE),
        (1, 2, 2, NULL, 'busy', -3, NULL, NULL, FALSE), (1, 9, 9, NULL, 'new', 0, NULL, NULL, FALSE),
        (2, 5, 5, NULL, NULL, NULL, NULL, NULL, TRUE), (2, 6, 6, NULL, NULL, NULL, NULL, NULL, TRUE),
        (3, 1, 1, NULL, NULL, NULL, NULL, @0, FALSE);
"#;

/// The rows, with times in the database's format. `timestamp_sql` receives microseconds since 1970.
pub(in crate::storage) fn rows(timestamp_sql: impl Fn(i64) -> String) -> String {
    let mut parts = ROWS.split('@');
    let mut sql = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.find(|character: char| !character.is_ascii_digit()).unwrap_or(part.len());
        let after_noon: i64 = part[..digits].parse().unwrap();
        sql += &timestamp_sql(at(0).timestamp_micros() + after_noon);
        sql += &part[digits..];
    }
    sql
}

pub(in crate::storage) async fn check_undoable(store: TestStore) {
    let actions = store.lead_actions(None, FIRST_1000).await.unwrap().items;
    let micros = |micros| at(0) + chrono::TimeDelta::microseconds(micros);
    let sets: Vec<_> = actions.iter().map(|action| serde_json::to_value(&action.set).unwrap()).collect();
    let expected = [
        serde_json::json!({ "freeze_until": null }),
        serde_json::json!({ "campaign_id": 1 }),
        serde_json::json!({ "do_not_call": true, "status": "closed", "weight": 7, "assigned_user_id": null,
            "freeze_until": micros(1001) }),
    ];
    assert_eq!(sets, expected);
    let counts: Vec<_> = actions.iter().map(|action| (action.leads, action.campaign_leads, action.undone_at)).collect();
    assert_eq!(counts, [(1, 1, Some(micros(3))), (2, 2, None), (3, 3, None)]);

    let weight = CampaignLeadRecord { weight: Some(9), ..CampaignLeadRecord::default() };
    for changed in [2, 6] {
        store.update_campaign_lead(CampaignLeadId(changed), weight.clone(), None, &audit_at(5)).await.unwrap();
    }
    let undo = async |id| store.undo_lead_action(LeadActionId(id), &audit_at(10)).await;
    let updated = undo(1).await.unwrap().unwrap();
    assert_eq!((updated.leads.restored, updated.leads.skipped), (2, 2));
    assert_eq!((updated.campaign_leads.restored, updated.campaign_leads.skipped), (1, 2));
    let restored = store.campaign_lead(CampaignLeadId(1)).await.unwrap().unwrap();
    assert_eq!(
        (restored.status.as_str(), restored.weight, restored.assigned_user_id, restored.freeze_until),
        ("new", 0, Some(UserId(4)), Some(micros(250_000)))
    );
    let created = undo(2).await.unwrap().unwrap();
    assert_eq!((created.campaign_leads.restored, created.campaign_leads.skipped), (1, 1));
    assert_eq!(store.campaign_lead(CampaignLeadId(5)).await.unwrap(), None);
    assert_eq!(refusal(undo(3).await)[0], "already_undone");

    assert_eq!(store.stalled_undos(at(10)).await.unwrap(), [ImportId(1)]);
    assert!(!store.undo_import_step(ImportId(1), at(20)).await.unwrap());
    let import = store.import(ImportId(1)).await.unwrap().unwrap().undo.unwrap();
    assert_eq!((import.state, import.deleted, import.restored), (ImportUndoState::Completed, 2, 1));
    let lead = store.lead(LeadId(2), at(0)).await.unwrap().unwrap().leads[0].lead.to_lead();
    assert_eq!((lead.city.as_deref(), lead.do_not_call), (Some("Bonn"), false));
    assert_eq!(store.lead(LeadId(3), at(0)).await.unwrap(), None);
}

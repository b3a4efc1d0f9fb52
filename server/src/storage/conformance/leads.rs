//! Tests of writing leads, campaign leads and statuses.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use leadscribe_engine::api::*;
use leadscribe_engine::diagnostic::Location;
use leadscribe_engine::record::{CampaignLeadRecord, CampaignRecord, LeadRecord};

use super::{
    FIRST_1000, TestStore, at, audit_at, audit_lines, campaign_lead_record, new_campaign, new_lead, outcomes, refusal,
    refused_diagnostic, text,
};
use crate::storage::{CampaignQuery, ImportBatch, ImportRows, NewImport, Slice};

pub async fn new_store_is_empty(store: TestStore) {
    assert!(store.is_empty().await.unwrap());
    store.ping().await.unwrap();
    assert!(store.is_empty().await.unwrap());
    store.create_user("ada@example.com", "hash", Role::Admin, &audit_at(0)).await.unwrap();
    assert!(!store.is_empty().await.unwrap());
}

pub async fn installation_has_an_id(store: TestStore) {
    let id = store.installation_id().await.unwrap();
    assert!(id.0.len() == 32 && id.0.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id:?}");
    store.create_user("ada@example.com", "hash", Role::Admin, &audit_at(0)).await.unwrap();
    assert_eq!(store.installation_id().await.unwrap(), id);
    // `check_writable` leaves nothing behind, so it can be repeated.
    store.check_writable().await.unwrap();
    store.check_writable().await.unwrap();
    assert_eq!(store.installation_id().await.unwrap(), id);
}

/// Record that sets every field.
fn full_record() -> LeadRecord {
    let custom = [
        ("text", CustomValue::Text("\"quoted\" \u{1} \u{e9}".to_owned())),
        ("whole", CustomValue::Integer(i64::MAX)),
        ("number", CustomValue::Number(0.1)),
        ("round", CustomValue::Number(5.0)),
        ("flag", CustomValue::Bool(false)),
        ("a.b[\"c\"]", CustomValue::Text(String::new())),
    ];
    LeadRecord {
        id: None,
        first_name: text("Ada"),
        last_name: text("Lovelace"),
        phone: text("020 7946 0000"),
        phone2: text("020 7946 0001"),
        phone_normalized: text("+442079460000"),
        phone_normalized2: text("+442079460001"),
        email: text("ada@example.com"),
        address1: text("St James's Square"),
        address2: text("12"),
        city: text("London"),
        state: text("Greater London"),
        zip: text("SW1Y"),
        country: text("GB"),
        timezone: text("Europe/London"),
        lat: Some(Some(51.507_222)),
        lng: Some(Some(-0.127_5)),
        original_identifier: text("A-1"),
        support_site: text("support.example"),
        purchase_site: text("shop.example"),
        purchase_date: Some(NaiveDate::from_ymd_opt(2024, 2, 29)),
        purchase_amount: Some(Some(19.99)),
        purchase_product_name: text("Engine"),
        birthdate: Some(NaiveDate::from_ymd_opt(1815, 12, 10)),
        do_not_call: Some(true),
        blacklisted: Some(true),
        custom_fields: Some(custom.map(|(name, value)| (name.to_owned(), Some(value))).into()),
        created_at: Some(at(-500)),
        updated_at: Some(at(-100)),
    }
}

pub async fn leads_are_stored_and_changed(store: TestStore) {
    let created = store.create_lead(full_record(), &audit_at(0)).await.unwrap();
    let mut expected = full_record().create(created.id, at(0));
    expected.global_updated_at = at(-100);
    assert_eq!(created, expected);
    let result = store.lead(created.id, at(0)).await.unwrap().unwrap();
    assert_eq!((&result.leads[0].lead.to_lead(), result.total), (&expected, 1));

    let change = LeadRecord {
        first_name: Some(None),
        birthdate: Some(None),
        custom_fields: Some(BTreeMap::from([
            ("flag".to_owned(), None),
            ("whole".to_owned(), Some(CustomValue::Text("x".to_owned()))),
        ])),
        ..LeadRecord::default()
    };
    let changed = store.update_lead(created.id, change.clone(), None, None, &audit_at(7)).await.unwrap().unwrap();
    change.apply(&mut expected);
    (expected.updated_at, expected.global_updated_at) = (at(7), at(7));
    assert_eq!(changed, expected);
    assert_eq!(store.lead(created.id, at(0)).await.unwrap().unwrap().leads[0].lead.to_lead(), expected);
    // Repeating the change has no effect.
    assert_eq!(store.update_lead(created.id, change.clone(), None, None, &audit_at(9)).await.unwrap(), Some(expected));
    // With an outdated time of change, the write is refused.
    let moved = LeadRecord { city: text("Bonn"), ..LeadRecord::default() };
    let result = store.update_lead(created.id, moved.clone(), None, Some(vec![at(6)]), &audit_at(9)).await;
    assert_eq!(refusal(result), ["edit_conflict", ""]);
    let moved =
        store.update_lead(created.id, moved, None, Some(vec![at(5), at(7)]), &audit_at(9)).await.unwrap().unwrap();
    assert_eq!((moved.city.as_deref(), moved.updated_at), (Some("Bonn"), at(9)));

    assert_eq!(store.update_lead(LeadId(99), change, None, None, &audit_at(9)).await.unwrap(), None);
    assert!(store.lead(LeadId(99), at(0)).await.unwrap().is_none());
    let same_id = LeadRecord { id: Some(created.id), ..LeadRecord::default() };
    assert_eq!(refusal(store.create_lead(same_id, &audit_at(9)).await), ["taken", "/id"]);
    assert_eq!(audit_lines(&store).await, ["lead.create lead:1", "lead.update lead:1", "lead.update lead:1"]);
}

pub async fn leads_have_a_history(store: TestStore) {
    let campaign = new_campaign(&store, "Spring").await;
    let lead = new_lead(&store, LeadRecord::default()).await;
    // The id 10 starts with the other lead's id.
    let other = new_lead(&store, LeadRecord { id: Some(LeadId(10)), ..LeadRecord::default() }).await;
    let campaign_lead =
        store.create_campaign_lead(campaign_lead_record(lead, campaign), &audit_at(1)).await.unwrap().id;
    store.create_campaign_lead(campaign_lead_record(other, campaign), &audit_at(2)).await.unwrap();
    let weight_change = CampaignLeadRecord { weight: Some(5), ..CampaignLeadRecord::default() };
    store.update_campaign_lead(campaign_lead, weight_change, None, &audit_at(3)).await.unwrap().unwrap();
    let custom_fields = [("source", "web"), ("vip", "yes")]
        .map(|(name, value)| (name.to_owned(), Some(CustomValue::Text(value.to_owned()))));
    let renamed =
        LeadRecord { first_name: text("Ada"), custom_fields: Some(custom_fields.into()), ..LeadRecord::default() };
    store.update_lead(lead, renamed, None, None, &audit_at(4)).await.unwrap().unwrap();

    let history = store.lead_history(lead, FIRST_1000).await.unwrap();
    let actions: Vec<_> = history.items.iter().map(|entry| (entry.action.as_str(), entry.created_at)).collect();
    let expected = [
        ("lead.update", at(4)),
        ("campaign_lead.update", at(3)),
        ("campaign_lead.create", at(1)),
        ("lead.create", at(0)),
    ];
    assert_eq!((actions.as_slice(), history.total), (&expected[..], 4));
    let fields: Vec<_> = history.items.iter().map(|entry| entry.fields.join(" ")).collect();
    assert_eq!(fields, ["custom.source custom.vip first_name", "weight", "", ""]);
    let second = store.lead_history(lead, Slice { count: 1, offset: 1 }).await.unwrap();
    assert_eq!((second.items.as_slice(), second.total), (&history.items[1..2], 4));
    assert_eq!(store.lead_history(LeadId(99), FIRST_1000).await.unwrap().total, 0);
}

pub async fn ids_are_never_reused(store: TestStore) {
    let chosen = new_lead(&store, LeadRecord { id: Some(LeadId(40)), ..LeadRecord::default() }).await;
    assert_eq!(chosen, LeadId(40));
    let next = new_lead(&store, LeadRecord::default()).await;
    assert!(next > chosen);
    assert!(store.delete_lead(next, None, &audit_at(1)).await.unwrap());
    assert!(new_lead(&store, LeadRecord::default()).await > next);
}

pub async fn deleting_a_lead_deletes_its_campaign_leads(store: TestStore) {
    let campaign = new_campaign(&store, "Spring").await;
    let lead = new_lead(&store, LeadRecord::default()).await;
    let campaign_lead =
        store.create_campaign_lead(campaign_lead_record(lead, campaign), &audit_at(0)).await.unwrap().id;
    assert!(store.delete_lead(lead, None, &audit_at(1)).await.unwrap());
    assert!(!store.delete_lead(lead, None, &audit_at(1)).await.unwrap());
    assert_eq!(store.campaign_lead(campaign_lead).await.unwrap(), None);
    assert_eq!(audit_lines(&store).await.last().unwrap(), "lead.delete lead:1");
}

pub async fn campaign_leads_are_stored_and_changed(store: TestStore) {
    let campaign = new_campaign(&store, "Spring").await;
    let lead = new_lead(&store, LeadRecord::default()).await;
    let record = CampaignLeadRecord {
        weight: Some(-5),
        calls_count: Some(3),
        calls_today: Some(2),
        last_call_at: Some(Some(at(-60))),
        last_call_status: text("busy"),
        freeze_until: Some(Some(at(60))),
        callback_at: Some(Some(at(90))),
        assigned_user_id: Some(Some(UserId(4))),
        ..campaign_lead_record(lead, campaign)
    };
    let created = store.create_campaign_lead(record.clone(), &audit_at(3)).await.unwrap();
    assert_eq!(created, record.create(created.id, at(3)).unwrap());
    assert_eq!(store.campaign_lead(created.id).await.unwrap().as_ref(), Some(&created));

    let change = CampaignLeadRecord {
        status: Some("callback".to_owned()),
        freeze_until: Some(None),
        ..CampaignLeadRecord::default()
    };
    let changed = store.update_campaign_lead(created.id, change.clone(), None, &audit_at(8)).await.unwrap().unwrap();
    assert_eq!((changed.status.as_str(), changed.freeze_until, changed.updated_at), ("callback", None, at(8)));
    assert_eq!(
        store.update_campaign_lead(created.id, change.clone(), None, &audit_at(9)).await.unwrap(),
        Some(changed)
    );
    assert_eq!(store.update_campaign_lead(CampaignLeadId(99), change, None, &audit_at(9)).await.unwrap(), None);
    assert!(store.delete_campaign_lead(created.id, None, &audit_at(10)).await.unwrap());
    assert!(!store.delete_campaign_lead(created.id, None, &audit_at(10)).await.unwrap());
    assert_eq!(
        audit_lines(&store).await[2..],
        [
            "campaign_lead.create campaign_lead:1",
            "campaign_lead.update campaign_lead:1",
            "campaign_lead.delete campaign_lead:1"
        ]
    );
}

pub async fn campaign_leads_require_existing_references(store: TestStore) {
    let campaign = new_campaign(&store, "Spring").await;
    let lead = new_lead(&store, LeadRecord::default()).await;
    let create = async |record| refusal(store.create_campaign_lead(record, &audit_at(0)).await);
    assert_eq!(create(campaign_lead_record(LeadId(99), campaign)).await, ["unknown_lead", "/lead_id"]);
    assert_eq!(create(campaign_lead_record(lead, CampaignId(99))).await, ["unknown_campaign", "/campaign_id"]);
    let campaign_lead =
        store.create_campaign_lead(campaign_lead_record(lead, campaign), &audit_at(0)).await.unwrap().id;
    assert_eq!(create(campaign_lead_record(lead, campaign)).await, ["taken", "/lead_id"]);
    let unknown_status = CampaignLeadRecord { status: Some("no_anwser".to_owned()), ..CampaignLeadRecord::default() };
    let diagnostic =
        refused_diagnostic(store.update_campaign_lead(campaign_lead, unknown_status, None, &audit_at(1)).await);
    assert_eq!(diagnostic.code, "unknown_status");
    assert_eq!(diagnostic.suggestion.as_ref().unwrap().to_string(), "did you mean `no_answer`?");
    assert_eq!(diagnostic.message, "status `no_anwser` doesn't exist");
    assert_eq!(diagnostic.permitted.len(), INITIAL_STATUSES.len());
}

/// Clients that poll by this time must see every change, including that a lead has left a campaign.
pub async fn global_updated_at_only_rises(store: TestStore) {
    let (first_campaign, second_campaign) = (new_campaign(&store, "One").await, new_campaign(&store, "Two").await);
    let lead = new_lead(&store, LeadRecord { updated_at: Some(at(0)), ..LeadRecord::default() }).await;
    let read_time = async || store.lead(lead, at(0)).await.unwrap().unwrap().leads[0].lead.to_lead().global_updated_at;
    let updated = |seconds| CampaignLeadRecord { updated_at: Some(at(seconds)), ..CampaignLeadRecord::default() };
    let add_to_campaign = async |campaign, seconds| {
        let record = CampaignLeadRecord { updated_at: Some(at(seconds)), ..campaign_lead_record(lead, campaign) };
        store.create_campaign_lead(record, &audit_at(0)).await.unwrap().id
    };
    let first = add_to_campaign(first_campaign, 30).await;
    assert_eq!(read_time().await, at(30));
    let second = add_to_campaign(second_campaign, 10).await;
    assert_eq!(read_time().await, at(30));
    store.update_campaign_lead(second, updated(50), None, &audit_at(0)).await.unwrap();
    assert_eq!(read_time().await, at(50));
    // Imports can set earlier times.
    store.update_campaign_lead(second, updated(20), None, &audit_at(0)).await.unwrap();
    store.delete_campaign_lead(first, None, &audit_at(0)).await.unwrap();
    assert_eq!(read_time().await, at(50));
    let lead_updated = |seconds| LeadRecord { updated_at: Some(at(seconds)), ..LeadRecord::default() };
    for (seconds, expected) in [(60, at(60)), (5, at(60))] {
        let changed = store.update_lead(lead, lead_updated(seconds), None, None, &audit_at(0)).await.unwrap().unwrap();
        assert_eq!((changed.updated_at, changed.global_updated_at), (at(seconds), expected));
    }
    store.delete_campaign_lead(second, None, &audit_at(70)).await.unwrap();
    assert_eq!(read_time().await, at(70));
}

/// If two requests change number and country concurrently, the later one doesn't know the values that the earlier one wrote.
pub async fn normalized_numbers_use_the_stored_country(store: TestStore) {
    let number = async |lead| {
        let result = store.lead(lead, at(0)).await.unwrap().unwrap();
        result.leads[0].lead.to_lead().phone_normalized
    };
    let phone = || LeadRecord { phone: text("202 555 0143"), ..LeadRecord::default() };
    let country = || LeadRecord { country: text("US"), ..LeadRecord::default() };
    let german = LeadRecord {
        phone: text("030 901820"),
        phone_normalized: text("+4930901820"),
        country: text("DE"),
        ..LeadRecord::default()
    };
    for _ in 0..10 {
        let lead = new_lead(&store, german.clone()).await;
        let audit = audit_at(1);
        let changes = tokio::join!(
            store.update_lead(lead, phone(), None, None, &audit),
            store.update_lead(lead, country(), None, None, &audit),
        );
        assert!(changes.0.is_ok() && changes.1.is_ok());
        assert_eq!(number(lead).await.as_deref(), Some("+12025550143"));
    }

    // Rows of a batch see earlier rows.
    let lead = new_lead(&store, german.clone()).await;
    let row = |record| LeadRecord { id: Some(lead), ..record };
    let outcome = store.import_leads(vec![row(country()), row(phone())], &audit_at(1)).await.unwrap();
    assert_eq!(outcomes(&outcome.rows), ["updated", "updated"]);
    assert_eq!(number(lead).await.as_deref(), Some("+12025550143"));

    // An explicitly set number stays, and a number without a country uses the region.
    let set = LeadRecord { phone_normalized: text("+4930901821"), ..german };
    let lead = new_lead(&store, set).await;
    store.update_lead(lead, country(), None, None, &audit_at(1)).await.unwrap();
    assert_eq!(number(lead).await.as_deref(), Some("+4930901821"));
    let lead = new_lead(&store, LeadRecord::default()).await;
    store.update_lead(lead, phone(), Some("US"), None, &audit_at(1)).await.unwrap();
    assert_eq!(number(lead).await.as_deref(), Some("+12025550143"));
    let new = NewImport::new(ImportKind::Leads, "");
    let import = store.create_import(&new, &audit_at(1)).await.unwrap().id;
    let row = LeadRecord { id: Some(LeadId(1_000)), ..phone() };
    let batch = ImportBatch::new(import, 1, false, ImportRows::Leads(vec![row], Some("US".to_owned())));
    store.import_batch(batch.into(), &audit_at(1)).await.unwrap();
    assert_eq!(number(LeadId(1_000)).await.as_deref(), Some("+12025550143"));
}

pub async fn custom_fields_of_a_lead_are_limited(store: TestStore) {
    let fields = |names: std::ops::Range<u32>, value: Option<i64>| {
        let custom_fields = names.map(|number| (format!("field {number:03}"), value.map(CustomValue::Integer)));
        LeadRecord { custom_fields: Some(custom_fields.collect()), ..LeadRecord::default() }
    };
    let lead = new_lead(&store, fields(0..99, Some(1))).await;
    let change = async |record| store.update_lead(lead, record, None, None, &audit_at(1)).await;
    let count = async || store.lead(lead, at(0)).await.unwrap().unwrap().leads[0].lead.to_lead().custom_fields.len();
    change(fields(50..100, Some(2))).await.unwrap();
    let diagnostic = refused_diagnostic(change(fields(99..103, Some(3))).await);
    assert_eq!(
        (diagnostic.code.as_str(), diagnostic.location),
        ("too_many", Location::Pointer("/custom_fields".to_owned()))
    );
    let message = "a lead can have at most 100 custom fields, but this one would have 103";
    assert_eq!(diagnostic.message.to_string(), message);
    let row = |record| LeadRecord { id: Some(lead), ..record };
    let rows = vec![row(fields(99..101, Some(3))), row(fields(0..10, Some(3)))];
    let outcome = store.import_leads(rows, &audit_at(1)).await.unwrap();
    assert_eq!(outcomes(&outcome.rows), ["too_many Column(\"custom.field 100\")", "updated"]);
    assert_eq!(count().await, 100);

    // Removed fields make room.
    let mut moved = fields(0..2, None);
    moved.custom_fields.as_mut().unwrap().extend(fields(100..102, Some(1)).custom_fields.unwrap());
    change(moved).await.unwrap();
    assert_eq!(count().await, 100);
    change(fields(2..4, None)).await.unwrap();
    assert_eq!(count().await, 98);
}

pub async fn statuses_are_stored(store: TestStore) {
    let initial: Vec<_> = INITIAL_STATUSES
        .iter()
        .map(|(name, label, dialable)| LeadStatus { name: (*name).into(), label: (*label).into(), dialable: *dialable })
        .collect();
    assert_eq!(store.statuses().await.unwrap(), initial);
    let vip = LeadStatus { name: "vip".to_owned(), label: "VIP".to_owned(), dialable: true };
    store.put_status(vip.clone(), &audit_at(0)).await.unwrap();
    store.put_status(LeadStatus { dialable: false, ..initial[0].clone() }, &audit_at(0)).await.unwrap();
    let statuses = store.statuses().await.unwrap();
    assert_eq!((&statuses[0].name, statuses[0].dialable, statuses.last()), (&initial[0].name, false, Some(&vip)));

    let campaign = new_campaign(&store, "Spring").await;
    let lead = new_lead(&store, LeadRecord::default()).await;
    let record = CampaignLeadRecord { status: Some("vip".to_owned()), ..campaign_lead_record(lead, campaign) };
    let campaign_lead = store.create_campaign_lead(record, &audit_at(0)).await.unwrap().id;
    assert_eq!(refusal(store.delete_status("vip", &audit_at(1)).await)[0], "in_use");
    store.delete_campaign_lead(campaign_lead, None, &audit_at(1)).await.unwrap();
    assert!(store.delete_status("vip", &audit_at(2)).await.unwrap());
    assert!(!store.delete_status("vip", &audit_at(2)).await.unwrap());
    assert_eq!(store.statuses().await.unwrap().len(), initial.len());
}

pub async fn statuses_are_ordered(store: TestStore) {
    let names = async || store.statuses().await.unwrap().into_iter().map(|status| status.name).collect::<Vec<_>>();
    let mut order = names().await;
    order.reverse();
    store.reorder_statuses(order.clone(), &audit_at(1)).await.unwrap();
    assert_eq!(names().await, order);
    store.reorder_statuses(order.clone(), &audit_at(2)).await.unwrap();
    assert_eq!(audit_lines(&store).await, ["status.reorder status"], "an unchanged order is not in the audit log");
    let later = LeadStatus { name: "later".to_owned(), label: "Later".to_owned(), dialable: true };
    store.put_status(later, &audit_at(3)).await.unwrap();
    assert_eq!(names().await.last().unwrap(), "later", "a new status is the last");

    assert_eq!(refusal(store.reorder_statuses(order.clone(), &audit_at(4)).await), ["invalid_order", "/names"]);
    let duplicated = [names().await, vec!["later".to_owned()]].concat();
    assert_eq!(refusal(store.reorder_statuses(duplicated, &audit_at(4)).await), ["invalid_order", "/names"]);
    let unknown = [names().await, vec!["never".to_owned()]].concat();
    assert_eq!(refusal(store.reorder_statuses(unknown, &audit_at(4)).await), ["unknown_status", "/names"]);
}

pub async fn leads_are_imported(store: TestStore) {
    let row =
        |id, first_name| LeadRecord { id: Some(LeadId(id)), first_name: text(first_name), ..LeadRecord::default() };
    let rows = vec![row(1, "Ada"), row(2, "Bob"), row(1, "Ada"), row(2, "Rob")];
    let outcome = store.import_leads(rows.clone(), &audit_at(1)).await.unwrap();
    assert_eq!(outcomes(&outcome.rows), ["inserted", "inserted", "unchanged", "updated"]);
    let outcome = store.import_leads(rows[2..].to_vec(), &audit_at(2)).await.unwrap();
    assert_eq!(outcomes(&outcome.rows), ["unchanged", "unchanged"]);
    assert_eq!(store.lead(LeadId(2), at(0)).await.unwrap().unwrap().leads[0].lead.to_lead().updated_at, at(1));
    // A time counts as a change if it is given and different.
    let touched = LeadRecord { updated_at: Some(at(9)), ..row(2, "Rob") };
    let outcome = store.import_leads(vec![touched.clone(), touched], &audit_at(3)).await.unwrap();
    assert_eq!(outcomes(&outcome.rows), ["updated", "unchanged"]);
    // Imports are logged once by their caller, not row by row.
    assert!(audit_lines(&store).await.is_empty());
}

pub async fn leads_are_imported_by_identifier(store: TestStore) {
    let row = |identifier, city| LeadRecord {
        original_identifier: text(identifier),
        city: text(city),
        ..LeadRecord::default()
    };
    let outcome =
        store.import_leads(vec![row("A", "Rome"), row("A", "Oslo"), row("B", "Bern")], &audit_at(0)).await.unwrap();
    assert_eq!(outcomes(&outcome.rows), ["inserted", "updated", "inserted"]);
    let other = |id| LeadRecord { id: Some(LeadId(id)), ..row("A", "Kyiv") };
    let rows = vec![other(70), other(2), row("A", "Graz"), row("B", "Bern"), row("C", "Kyiv")];
    let outcome = store.import_leads(rows, &audit_at(1)).await.unwrap();
    let taken = "taken Column(\"original_identifier\")";
    assert_eq!(outcomes(&outcome.rows), [taken, taken, "updated", "unchanged", "inserted"]);
}

pub async fn campaign_leads_are_imported(store: TestStore) {
    let campaign = new_campaign(&store, "Spring").await;
    let other = new_campaign(&store, "Autumn").await;
    let lead = new_lead(&store, LeadRecord::default()).await;
    let row = |id: Option<i64>, lead, campaign, weight| CampaignLeadRecord {
        id: id.map(CampaignLeadId),
        weight: Some(weight),
        ..campaign_lead_record(lead, campaign)
    };
    let rows = vec![
        row(Some(10), lead, campaign, 1),
        row(Some(10), lead, campaign, 1),
        row(None, lead, campaign, 2),
        row(Some(11), lead, campaign, 3),
        row(None, LeadId(99), campaign, 1),
        row(None, lead, CampaignId(99), 1),
        row(None, lead, other, 1),
        CampaignLeadRecord { id: Some(CampaignLeadId(55)), weight: Some(1), ..CampaignLeadRecord::default() },
    ];
    let outcome = store.import_campaign_leads(rows, &audit_at(1)).await.unwrap();
    assert_eq!(
        outcomes(&outcome.rows),
        [
            "inserted",
            "unchanged",
            "updated",
            "taken Column(\"lead_id\")",
            "unknown_lead Column(\"lead_id\")",
            "unknown_campaign Column(\"campaign_id\")",
            "inserted",
            "required Column(\"lead_id\")"
        ]
    );
    assert_eq!(store.campaign_lead(CampaignLeadId(10)).await.unwrap().unwrap().weight, 2);
}

pub async fn imports_add_statuses(store: TestStore) {
    let campaign = new_campaign(&store, "Spring").await;
    let lead = new_lead(&store, LeadRecord::default()).await;
    let row = |lead, status: &str| CampaignLeadRecord {
        status: Some(status.to_owned()),
        ..campaign_lead_record(lead, campaign)
    };
    let rows = vec![row(LeadId(99), "lost"), row(lead, "call_again"), row(lead, "vip"), row(lead, "call_again")];
    let outcome = store.import_campaign_leads(rows, &audit_at(1)).await.unwrap();
    assert_eq!(outcome.new_statuses, ["call_again", "vip"]);
    let statuses = store.statuses().await.unwrap();
    let added = LeadStatus { name: "call_again".to_owned(), label: "Call again".to_owned(), dialable: true };
    assert_eq!(statuses[INITIAL_STATUSES.len()], added);
    assert_eq!(statuses.len(), INITIAL_STATUSES.len() + 2, "the status of a rejected row was added");
}

pub async fn concurrent_writers_lose_nothing(store: TestStore) {
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..40 {
        let store = store.clone();
        tasks.spawn(async move {
            let name = format!("Campaign {}", number % 20);
            let record = CampaignRecord { name: Some(name), ..CampaignRecord::default() };
            store.create_campaign(record, &audit_at(number)).await.is_ok()
        });
    }
    let created = tasks.join_all().await.into_iter().filter(|created| *created).count();
    assert_eq!(created, 20);
    assert_eq!(store.campaigns(&CampaignQuery::default(), super::FIRST_1000).await.unwrap().total, 20);
}

pub async fn rows_of_a_batch_see_earlier_rows(store: TestStore) {
    let lead = |id: Option<i64>, identifier: Option<&str>, city: &str| LeadRecord {
        id: id.map(LeadId),
        original_identifier: identifier.map(|identifier| Some(identifier.to_owned())),
        city: text(city),
        ..LeadRecord::default()
    };
    let rows = vec![
        (lead(None, Some("A"), "Rome"), "inserted"),
        (lead(Some(1), None, "Oslo"), "updated"),
        (lead(None, Some("A"), "Oslo"), "unchanged"),
        (lead(Some(5), Some("B"), "x"), "inserted"),
        (lead(None, None, "y"), "inserted"),
        (lead(Some(6), None, "z"), "updated"),
        (lead(Some(5), Some("A"), "x"), "taken Column(\"original_identifier\")"),
        (lead(Some(1), Some("C"), "Oslo"), "updated"),
        (lead(Some(5), Some("A"), "x"), "updated"),
        // From here on, no lead has the identifier B.
        (lead(None, Some("B"), "new"), "inserted"),
        (lead(None, Some("A"), "q"), "updated"),
    ];
    let (rows, expected): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
    assert_eq!(outcomes(&store.import_leads(rows, &audit_at(0)).await.unwrap().rows), expected);
    let fifth = store.lead(LeadId(5), at(0)).await.unwrap().unwrap();
    assert_eq!(fifth.leads[0].lead.to_lead().city.as_deref(), Some("q"));

    new_campaign(&store, "Spring").await;
    new_campaign(&store, "Autumn").await;
    let pair = |id: Option<i64>, lead: i64, campaign: i64, weight: i64| CampaignLeadRecord {
        id: id.map(CampaignLeadId),
        weight: Some(weight),
        ..campaign_lead_record(LeadId(lead), CampaignId(campaign))
    };
    let rows = vec![
        (pair(None, 1, 1, 1), "inserted"),
        (pair(None, 1, 1, 2), "updated"),
        (pair(Some(1), 1, 1, 3), "updated"),
        (pair(Some(9), 1, 1, 3), "taken Column(\"lead_id\")"),
        (pair(Some(9), 1, 2, 1), "inserted"),
        // It moves to another lead, so its previous lead and campaign can be used again.
        (pair(Some(9), 5, 2, 1), "updated"),
        (pair(None, 1, 2, 1), "inserted"),
        (pair(Some(9), 1, 2, 1), "taken Column(\"lead_id\")"),
        (pair(Some(1), 5, 1, 3), "updated"),
        (pair(Some(9), 1, 1, 1), "updated"),
    ];
    let (rows, expected): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
    assert_eq!(outcomes(&store.import_campaign_leads(rows, &audit_at(0)).await.unwrap().rows), expected);
}

//! Tests of the lookup's guarantees, one by one. Random filters are in [`super::property_tests`].

use std::collections::BTreeMap;

use leadscribe_engine::api::*;
use leadscribe_engine::filter::fields::FieldId;
use leadscribe_engine::filter::predicate::{Cursor, FieldRef};
use leadscribe_engine::filter::{self, CheckedFilter, Limits, cursor};
use leadscribe_engine::record::{CampaignLeadRecord, LeadRecord};

use super::{TestStore, at, audit_at, campaign_lead_record, new_campaign, new_lead, text};
use crate::storage::LookupResult;

fn parse_filter(filter: &str) -> CheckedFilter {
    filter::parse_and_check(filter, &Limits::default())
        .unwrap_or_else(|diagnostics| panic!("{filter}: {diagnostics:?}"))
}

async fn look_up(store: &TestStore, filter: &str) -> LookupResult {
    store.look_up(&parse_filter(filter), at(0)).await.unwrap()
}

/// Ids of the page.
async fn find_ids(store: &TestStore, filter: &str) -> Vec<i64> {
    look_up(store, filter).await.leads.iter().map(|lead| lead.lead.id().0).collect()
}

async fn create_leads(store: &TestStore, names: &[&str]) {
    for name in names {
        new_lead(store, LeadRecord { first_name: text(name), ..LeadRecord::default() }).await;
    }
}

async fn add_to_campaign(
    store: &TestStore,
    lead: i64,
    campaign: CampaignId,
    status: &str,
    weight: i64,
) -> CampaignLeadId {
    let record = CampaignLeadRecord {
        status: Some(status.to_owned()),
        weight: Some(weight),
        ..campaign_lead_record(LeadId(lead), campaign)
    };
    store.create_campaign_lead(record, &audit_at(0)).await.unwrap().id
}

pub async fn total_and_page_agree(store: TestStore) {
    create_leads(&store, &["Ada", "Bob", "Ada", "Cy", "Ada"]).await;
    let page = async |limit: &str| {
        let result = look_up(&store, &format!(r#"{{"first_name":"Ada","limit":"{limit}"}}"#)).await;
        (result.leads.iter().map(|lead| lead.lead.id().0).collect::<Vec<_>>(), result.total, result.has_more)
    };
    assert_eq!(page("200;0").await, (vec![1, 3, 5], 3, false));
    assert_eq!(page("2;0").await, (vec![1, 3], 3, true));
    assert_eq!(page("2;1").await, (vec![3, 5], 3, false));
    assert_eq!(page("2;3").await, (vec![], 3, false));
    assert_eq!(page("0;0").await, (vec![], 3, true));
    assert_eq!(page("1;900000").await, (vec![], 3, false));
    assert_eq!(look_up(&store, r#"{"first_name":"Nobody"}"#).await.total, 0);
    assert_eq!(look_up(&store, r#"{"limit":"1;0"}"#).await.total, 5);
}

pub async fn conditions_hold_on_one_campaign_lead(store: TestStore) {
    let (spring, autumn) = (new_campaign(&store, "Spring").await, new_campaign(&store, "Autumn").await);
    create_leads(&store, &["Ada", "Bob", "Cy"]).await;
    let in_spring = add_to_campaign(&store, 1, spring, "new", 1).await;
    let in_autumn = add_to_campaign(&store, 1, autumn, "busy", 2).await;
    add_to_campaign(&store, 2, spring, "busy", 1).await;

    let result = look_up(&store, r#"{"campaign_id":1,"status":"busy"}"#).await;
    assert_eq!(result.leads.iter().map(|lead| lead.lead.id().0).collect::<Vec<_>>(), [2]);
    assert_eq!(result.campaigns.iter().map(|campaign| campaign.id).collect::<Vec<_>>(), [spring]);
    assert_eq!(result.statuses.len(), INITIAL_STATUSES.len());

    let shown_campaign_leads = async |filter: &str| {
        let result = look_up(&store, filter).await;
        result.leads[0].campaign_leads.iter().map(|campaign_lead| campaign_lead.id).collect::<Vec<_>>()
    };
    assert_eq!(shown_campaign_leads(r#"{"first_name":"Ada"}"#).await, [in_spring, in_autumn]);
    assert_eq!(shown_campaign_leads(r#"{"first_name":"Ada","status":"busy"}"#).await, [in_autumn]);
    assert_eq!(
        shown_campaign_leads(r#"{"first_name":"Ada","status":"busy","_campaigns":"all"}"#).await,
        [in_spring, in_autumn]
    );
    assert_eq!(find_ids(&store, r#"{"campaign_name":{"contains":"S"}}"#).await, [1, 2]);
    // For a lead without campaign leads, every condition on campaign leads is false, even `"callback_at": null`.
    assert_eq!(find_ids(&store, r#"{"callback_at":null}"#).await, [1, 2]);
    assert_eq!(find_ids(&store, r#"{"status":{"not":["busy"]}}"#).await, [1]);
    let mixed = look_up(&store, r#"{"_or":[{"first_name":"Cy"},{"status":"busy","weight":2}]}"#).await;
    assert_eq!(
        mixed.leads.iter().map(|lead| (lead.lead.id().0, lead.is_in_campaign)).collect::<Vec<_>>(),
        [(1, true), (3, false)]
    );
    // A lead that matches by its name alone shows all its campaigns, because each of them satisfies the filter.
    let either = look_up(&store, r#"{"_or":[{"first_name":"Ada"},{"status":"closed"}]}"#).await;
    assert_eq!(either.leads[0].campaign_leads.len(), 2);
}

pub async fn absent_values_are_last(store: TestStore) {
    create_leads(&store, &["b", "a"]).await;
    new_lead(&store, LeadRecord::default()).await;
    create_leads(&store, &["a", "B"]).await;
    let listed = async |order: &str| find_ids(&store, &format!(r#"{{"limit":"9;0","_order":{order}}}"#)).await;
    assert_eq!(listed(r#""first_name""#).await, [5, 2, 4, 1, 3]);
    assert_eq!(listed(r#""-first_name""#).await, [1, 2, 4, 5, 3]);
    assert_eq!(listed(r#"["-first_name","-id"]"#).await, [1, 4, 2, 5, 3]);
    assert_eq!(listed(r#""-id""#).await, [5, 4, 3, 2, 1]);
}

pub async fn custom_fields_keep_their_types(store: TestStore) {
    let values = [
        CustomValue::Integer(5),
        CustomValue::Number(5.0),
        CustomValue::Text("5".to_owned()),
        CustomValue::Bool(true),
        CustomValue::Integer(1),
        CustomValue::Number(7.5),
    ];
    for value in values {
        let fields = BTreeMap::from([("a.\"b\\".to_owned(), Some(value))]);
        new_lead(&store, LeadRecord { custom_fields: Some(fields), ..LeadRecord::default() }).await;
    }
    new_lead(&store, LeadRecord::default()).await;
    let custom = async |test: &str| find_ids(&store, &format!(r#"{{"custom.a.\"b\\":{test}}}"#)).await;
    assert_eq!(custom("5").await, [1, 2]);
    assert_eq!(custom("\"5\"").await, [3]);
    assert_eq!(custom("true").await, [4]);
    assert_eq!(custom("1").await, [5]);
    assert_eq!(custom("[1,\"5\",true,null]").await, [3, 4, 5, 7]);
    assert_eq!(custom("null").await, [7]);
    assert_eq!(custom(r#"{"not":[5,true]}"#).await, [3, 5, 6, 7]);
    assert_eq!(custom(r#"{"gt":1}"#).await, [1, 2, 6]);
    assert_eq!(custom(r#"{"contains":"5"}"#).await, [3]);
}

pub async fn texts_match_without_case(store: TestStore) {
    create_leads(&store, &["Anna", "anneli", "JoANNE", "\u{c9}anna", "100%", "a_b", ""]).await;
    let matching = async |test: &str| find_ids(&store, &format!(r#"{{"first_name":{test}}}"#)).await;
    assert_eq!(matching(r#"{"contains":"ANN"}"#).await, [1, 2, 3, 4]);
    assert_eq!(matching(r#"{"starts_with":"aNN"}"#).await, [1, 2]);
    assert_eq!(matching(r#"{"ends_with":"NNA"}"#).await, [1, 4]);
    assert_eq!(matching(r#"{"starts_with":"\u00e9"}"#).await, [0; 0]);
    assert_eq!(matching(r#"{"contains":"\u00c9"}"#).await, [4]);
    assert_eq!(matching(r#"{"ends_with":"%"}"#).await, [5]);
    assert_eq!(matching(r#"{"contains":"_"}"#).await, [6]);
    assert_eq!(matching("\"anna\"").await, [0; 0]);
}

pub async fn calls_today_counts_only_the_current_day(store: TestStore) {
    let campaign = new_campaign(&store, "Spring").await;
    let midnight = -12 * 3_600;
    let last_calls = [Some(midnight), Some(midnight - 1), Some(midnight + 86_400), None];
    for (index, last_call) in last_calls.into_iter().enumerate() {
        let lead = new_lead(&store, LeadRecord::default()).await;
        assert_eq!(lead.0, index as i64 + 1);
        let record = CampaignLeadRecord {
            calls_today: Some(3),
            last_call_at: Some(last_call.map(at)),
            ..campaign_lead_record(lead, campaign)
        };
        store.create_campaign_lead(record, &audit_at(0)).await.unwrap();
    }
    assert_eq!(find_ids(&store, r#"{"calls_today":3}"#).await, [1]);
    assert_eq!(find_ids(&store, r#"{"calls_today":0}"#).await, [2, 3, 4]);
    let result = look_up(&store, r#"{"limit":"9;0"}"#).await;
    let calls_today: Vec<_> = result.leads.iter().map(|lead| lead.campaign_leads[0].calls_today).collect();
    assert_eq!(calls_today, [3, 0, 0, 0]);
    assert_eq!(store.lead(LeadId(2), at(0)).await.unwrap().unwrap().leads[0].campaign_leads[0].calls_today, 0);
}

pub async fn single_lead_includes_all_campaign_leads(store: TestStore) {
    let (spring, autumn) = (new_campaign(&store, "Spring").await, new_campaign(&store, "Autumn").await);
    create_leads(&store, &["Ada", "Bob"]).await;
    add_to_campaign(&store, 1, autumn, "new", 0).await;
    add_to_campaign(&store, 1, spring, "new", 0).await;
    let result = store.lead(LeadId(1), at(0)).await.unwrap().unwrap();
    assert_eq!(result.campaigns.iter().map(|campaign| campaign.id).collect::<Vec<_>>(), [spring, autumn]);
    assert_eq!(
        result.leads[0].campaign_leads.iter().map(|campaign_lead| campaign_lead.campaign_id).collect::<Vec<_>>(),
        [autumn, spring]
    );
    assert!(result.leads[0].is_in_campaign);
    assert!(!store.lead(LeadId(2), at(0)).await.unwrap().unwrap().leads[0].is_in_campaign);
}

pub async fn long_value_lists_are_supported(store: TestStore) {
    let rows = (1..=1_500).map(|id| LeadRecord { id: Some(LeadId(id)), ..LeadRecord::default() }).collect();
    store.import_leads(rows, &audit_at(0)).await.unwrap();
    let list = |ids: std::ops::Range<i64>| ids.map(|id| id.to_string()).collect::<Vec<_>>().join(",");
    let result = look_up(&store, &format!(r#"{{"id":[{}],"limit":"1000;0"}}"#, list(600..6_000))).await;
    assert_eq!((result.total, result.leads.len(), result.leads[0].lead.id()), (901, 901, LeadId(600)));
    let result = look_up(&store, &format!(r#"{{"id":{{"not":[{}]}}}}"#, list(11..6_000))).await;
    assert_eq!(result.total, 10);
}

pub async fn cursor_survives_changes(store: TestStore) {
    let rows = (1..=60).map(|id| LeadRecord {
        id: Some(LeadId(id)),
        zip: (id % 3 != 0).then(|| Some(format!("{}", id % 7))),
        ..LeadRecord::default()
    });
    store.import_leads(rows.collect(), &audit_at(0)).await.unwrap();
    let mut filter = parse_filter(r#"{"limit":"7;0","_order":"-zip"}"#);
    filter.cursor = Some(Cursor::Start);
    let mut seen_ids = Vec::new();
    let mut page_count = 1;
    loop {
        let result = store.look_up(&filter, at(0)).await.unwrap();
        seen_ids.extend(result.leads.iter().map(|lead| lead.lead.id().0));
        let Some(last) = result.leads.last().filter(|_| result.has_more) else { break };
        let position =
            cursor::decode(&filter.order, &cursor::encode_after(&filter.order, &last.lead.to_lead())).unwrap();
        filter.cursor = Some(Cursor::After(position));
        // Adding a row before the cursor and deleting the cursor's row don't change the following pages.
        new_lead(&store, LeadRecord { zip: text("9"), ..LeadRecord::default() }).await;
        store.delete_lead(LeadId(seen_ids[seen_ids.len() - 1]), None, &audit_at(1)).await.unwrap();
        page_count += 1;
    }
    assert!(page_count > 5);
    seen_ids.sort_unstable();
    assert_eq!(seen_ids, (1..=60).collect::<Vec<_>>());
}

pub async fn frequent_values_come_first(store: TestStore) {
    let (spring, autumn) = (new_campaign(&store, "Spring").await, new_campaign(&store, "Autumn").await);
    for (city, tier) in [("Bonn", "gold"), ("Berlin", "Gold"), ("berlin", "7"), ("Bern", "gold"), ("Berlin", "silver")]
    {
        let custom_fields = Some([("tier".to_owned(), Some(CustomValue::Text(tier.to_owned())))].into());
        new_lead(&store, LeadRecord { city: text(city), custom_fields, ..LeadRecord::default() }).await;
    }
    let number = Some([("tier".to_owned(), Some(CustomValue::Integer(7)))].into());
    new_lead(&store, LeadRecord { custom_fields: number, ..LeadRecord::default() }).await;
    add_to_campaign(&store, 1, spring, "new", 0).await;
    add_to_campaign(&store, 1, autumn, "new", 0).await;
    add_to_campaign(&store, 2, autumn, "busy", 0).await;

    let values = async |field: FieldRef, prefix: &str, count: u32| {
        let values_found = store.field_values(&field, prefix, count).await.unwrap();
        values_found.iter().map(|value| format!("{} {}", value.value, value.leads)).collect::<Vec<_>>()
    };
    let (city, tier) = (FieldRef::Builtin(FieldId::City), FieldRef::Custom("tier".to_owned()));
    assert_eq!(values(city.clone(), "", 10).await, ["Berlin 2", "Bern 1", "Bonn 1", "berlin 1"]);
    assert_eq!(values(city.clone(), "BER", 2).await, ["Berlin 2", "Bern 1"]);
    assert_eq!(values(city.clone(), "x", 10).await, [""; 0]);
    assert_eq!(values(tier, "", 10).await, ["gold 2", "7 1", "Gold 1", "silver 1"]);
    assert_eq!(values(FieldRef::Custom("none".to_owned()), "", 10).await, [""; 0]);
    // A lead counts once, regardless of the number of its campaigns.
    assert_eq!(values(FieldRef::Builtin(FieldId::Status), "", 10).await, ["busy 1", "new 1"]);
    assert_eq!(values(FieldRef::Builtin(FieldId::CampaignName), "", 10).await, ["Autumn 2", "Spring 1"]);

    store.delete_lead(LeadId(2), None, &audit_at(1)).await.unwrap();
    assert_eq!(values(city, "b", 2).await, ["Berlin 1", "Bern 1"]);
    assert_eq!(values(FieldRef::Builtin(FieldId::Status), "b", 10).await, [""; 0]);
}

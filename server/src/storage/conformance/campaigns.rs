//! Tests of campaigns.

use chrono::NaiveTime;
use leadscribe_engine::api::*;
use leadscribe_engine::callable::{Callee, Phone};
use leadscribe_engine::record::{CampaignLeadRecord, CampaignRecord, LeadRecord};

use super::{
    FIRST_1000, TestStore, at, audit_at, audit_lines, campaign_lead_record, new_campaign, new_lead, outcomes, refusal,
    text,
};
use crate::storage::{CampaignQuery, Slice};

pub async fn campaigns_are_stored_and_changed(store: TestStore) {
    let hours = CallingHours {
        start: NaiveTime::from_hms_opt(9, 0, 0).unwrap(),
        end: NaiveTime::from_hms_opt(20, 30, 0).unwrap(),
        days: vec![Weekday::Mon, Weekday::Sat],
    };
    let record = CampaignRecord {
        name: Some("Spring".to_owned()),
        calling_hours: Some(Some(hours.clone())),
        max_attempts: Some(Some(5)),
        freeze_minutes: Some(90),
        ..CampaignRecord::default()
    };
    let created = store.create_campaign(record, &audit_at(0)).await.unwrap();
    assert_eq!(created.calling_hours, Some(hours));
    assert_eq!(
        (created.active, created.max_attempts, created.daily_attempts, created.freeze_minutes),
        (true, Some(5), None, 90)
    );
    assert_eq!(store.campaign(created.id).await.unwrap().as_ref(), Some(&created));

    let same_name = CampaignRecord { name: Some("Spring".to_owned()), ..CampaignRecord::default() };
    assert_eq!(refusal(store.create_campaign(same_name.clone(), &audit_at(1)).await), ["taken", "/name"]);
    let other = new_campaign(&store, "Autumn").await;
    assert_eq!(refusal(store.update_campaign(other, same_name, None, &audit_at(1)).await)[0], "taken");
    let same_id = CampaignRecord { id: Some(other), name: Some("Winter".to_owned()), ..CampaignRecord::default() };
    assert_eq!(refusal(store.create_campaign(same_id, &audit_at(1)).await), ["taken", "/id"]);

    let deactivation = CampaignRecord { active: Some(false), max_attempts: Some(None), ..CampaignRecord::default() };
    let changed = store.update_campaign(created.id, deactivation.clone(), None, &audit_at(5)).await.unwrap().unwrap();
    assert_eq!((changed.active, changed.max_attempts, changed.updated_at), (false, None, at(5)));
    assert_eq!(changed.created_at, created.created_at);
    // Repeating the change has no effect.
    assert_eq!(
        store.update_campaign(created.id, deactivation.clone(), None, &audit_at(9)).await.unwrap(),
        Some(changed)
    );
    assert_eq!(store.update_campaign(CampaignId(99), deactivation, None, &audit_at(9)).await.unwrap(), None);
    assert_eq!(
        audit_lines(&store).await,
        ["campaign.create campaign:1", "campaign.create campaign:2", "campaign.update campaign:1"]
    );
}

fn search_query(search: Option<&str>) -> CampaignQuery {
    CampaignQuery { search: search.map(str::to_owned), ..CampaignQuery::default() }
}

pub async fn campaigns_are_searched(store: TestStore) {
    for name in ["Spring sale", "Autumn", "SPRING call", "50% off_now"] {
        new_campaign(&store, name).await;
    }
    let names = async |search: Option<&str>, slice| {
        let page = store.campaigns(&search_query(search), slice).await.unwrap();
        (page.items.into_iter().map(|campaign| campaign.name).collect::<Vec<_>>(), page.total)
    };
    assert_eq!(names(Some("spRing"), FIRST_1000).await, (vec!["Spring sale".to_owned(), "SPRING call".to_owned()], 2));
    assert_eq!(names(Some("0% off_"), FIRST_1000).await.1, 1);
    assert_eq!(names(Some("%"), FIRST_1000).await.1, 1);
    assert_eq!(names(None, Slice { count: 1, offset: 1 }).await, (vec!["Autumn".to_owned()], 4));
    assert_eq!(names(None, Slice { count: 5, offset: u64::MAX }).await, (vec![], 4));
}

pub async fn campaigns_in_use_cannot_be_deleted(store: TestStore) {
    let campaign = new_campaign(&store, "Spring").await;
    let lead = new_lead(&store, LeadRecord::default()).await;
    let campaign_lead = store.create_campaign_lead(campaign_lead_record(lead, campaign), &audit_at(0)).await.unwrap();
    assert_eq!(refusal(store.delete_campaign(campaign, None, &audit_at(1)).await)[0], "in_use");
    store.delete_campaign_lead(campaign_lead.id, None, &audit_at(2)).await.unwrap();
    assert!(store.delete_campaign(campaign, None, &audit_at(3)).await.unwrap());
    assert!(!store.delete_campaign(campaign, None, &audit_at(3)).await.unwrap());
    assert!(new_campaign(&store, "Spring").await > campaign, "ids of deleted campaigns are not reused");
}

pub async fn campaigns_are_imported(store: TestStore) {
    let row = |id: Option<i64>, name: Option<&str>, active| CampaignRecord {
        id: id.map(CampaignId),
        name: name.map(str::to_owned),
        active,
        ..CampaignRecord::default()
    };
    let rows = vec![
        row(Some(7), Some("Seven"), None),
        row(None, Some("By name"), None),
        row(None, Some("By name"), Some(false)),
        row(Some(7), None, None),
        row(Some(9), Some("Seven"), None),
        row(Some(9), None, None),
    ];
    let outcome = store.import_campaigns(rows, &audit_at(1)).await.unwrap();
    assert_eq!(
        outcomes(&outcome.rows),
        ["inserted", "inserted", "updated", "unchanged", "taken Column(\"name\")", "required Column(\"name\")"]
    );
    assert_eq!(store.campaigns(&CampaignQuery::default(), FIRST_1000).await.unwrap().total, 2);
    assert!(new_campaign(&store, "Next").await > CampaignId(8));
}

pub async fn campaign_progress_is_counted(store: TestStore) {
    let (spring, empty) = (new_campaign(&store, "Spring").await, new_campaign(&store, "Empty").await);
    let autumn = new_campaign(&store, "Autumn").await;
    let leads = [
        (spring, "new", 0),
        (spring, "callback", 0),
        (spring, "busy", 2),
        (spring, "new", 1),
        (spring, "no_answer", 3),
        (spring, "closed", 0),
        (autumn, "converted", 4),
    ];
    for (campaign, status, calls) in leads {
        let lead = new_lead(&store, LeadRecord::default()).await;
        let record = CampaignLeadRecord {
            status: Some(status.to_owned()),
            calls_count: Some(calls),
            ..campaign_lead_record(lead, campaign)
        };
        store.create_campaign_lead(record, &audit_at(0)).await.unwrap();
    }
    let progress = async |search: Option<&str>, slice| {
        let page = store.campaign_progress(&search_query(search), slice).await.unwrap();
        let counts = page
            .items
            .iter()
            .map(|progress_row| (progress_row.campaign_id, [progress_row.new, progress_row.called, progress_row.done]));
        (counts.collect::<Vec<_>>(), page.total)
    };
    let expected = vec![(spring, [2, 3, 1]), (empty, [0, 0, 0]), (autumn, [0, 0, 1])];
    assert_eq!(progress(None, FIRST_1000).await, (expected, 3));
    assert_eq!(progress(Some("autu"), FIRST_1000).await, (vec![(autumn, [0, 0, 1])], 1));
    assert_eq!(progress(None, Slice { count: 1, offset: 1 }).await, (vec![(empty, [0, 0, 0])], 3));
    assert_eq!(progress(None, Slice { count: 0, offset: 0 }).await, (vec![], 3));
    // A status that becomes undialable makes its leads done.
    let closed = LeadStatus { name: "busy".to_owned(), label: "Busy".to_owned(), dialable: false };
    store.put_status(closed, &audit_at(1)).await.unwrap();
    assert_eq!(progress(Some("spring"), FIRST_1000).await.0, [(spring, [2, 2, 2])]);
}

pub async fn campaign_sample_is_spread_evenly(store: TestStore) {
    assert_eq!(store.campaign_sample(CampaignId(99), 10).await.unwrap(), None);
    let (campaign, other) = (new_campaign(&store, "Spring").await, new_campaign(&store, "Autumn").await);
    assert_eq!(store.campaign_sample(campaign, 10).await.unwrap().map(|sample| sample.sampled_leads), Some(vec![]));
    let mut leads = Vec::new();
    for number in 0..100 {
        let lead = new_lead(&store, LeadRecord::default()).await;
        store.create_campaign_lead(campaign_lead_record(lead, other), &audit_at(0)).await.unwrap();
        if number % 3 == 0 {
            store.create_campaign_lead(campaign_lead_record(lead, campaign), &audit_at(0)).await.unwrap();
            leads.push(lead);
        }
    }
    let sampled = async |max_leads| {
        let sample = store.campaign_sample(campaign, max_leads).await.unwrap().unwrap();
        assert_eq!(
            (sample.campaign.id, sample.lead_count, sample.statuses.len()),
            (campaign, 34, INITIAL_STATUSES.len())
        );
        assert!(sample.sampled_leads.iter().all(|sampled_lead| sampled_lead.campaign_lead.campaign_id == campaign));
        sample.sampled_leads.iter().map(|sampled_lead| sampled_lead.campaign_lead.lead_id).collect::<Vec<_>>()
    };
    assert_eq!(sampled(34).await, leads);
    assert_eq!(sampled(1_000).await, leads);
    // The leads are divided into equal parts, and the first lead of each part is sampled.
    assert_eq!(sampled(33).await, leads[..33]);
    assert_eq!(sampled(4).await, [leads[0], leads[8], leads[16], leads[24]]);
    assert_eq!(sampled(1).await, leads[..1]);

    let with_invalid_phone = LeadRecord {
        phone: text("020 7946 0000"),
        timezone: text("Europe/London"),
        do_not_call: Some(true),
        ..LeadRecord::default()
    };
    store.update_lead(leads[0], with_invalid_phone, None, None, &audit_at(1)).await.unwrap();
    let with_valid_phone =
        LeadRecord { phone_normalized: text("+442079460000"), blacklisted: Some(true), ..LeadRecord::default() };
    store.update_lead(leads[1], with_valid_phone, None, None, &audit_at(1)).await.unwrap();
    let sample = store.campaign_sample(campaign, 100).await.unwrap().unwrap();
    let callee = |phone, do_not_call, blacklisted, timezone: Option<&str>| Callee {
        do_not_call,
        blacklisted,
        phone,
        timezone: timezone.map(|name| name.to_owned().into()),
    };
    let callees: Vec<_> = sample.sampled_leads.into_iter().map(|sampled_lead| sampled_lead.callee).take(3).collect();
    let expected = [
        callee(Phone::Invalid, true, false, Some("Europe/London")),
        callee(Phone::Valid, false, true, None),
        callee(Phone::None, false, false, None),
    ];
    assert_eq!(callees, expected);
}

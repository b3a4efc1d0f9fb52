//! Campaigns.

use chrono::NaiveTime;
use leadscribe_engine::api::*;
use leadscribe_engine::record::{CampaignRecord, LeadRecord};

use super::{ALL, Tested, at, by, in_campaign, logged, new_campaign, new_lead, outcomes, refusal};
use crate::storage::Slice;

pub async fn campaigns_are_stored_and_changed(store: Tested) {
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
    let made = store.create_campaign(record, &by(0)).await.unwrap();
    assert_eq!(made.calling_hours, Some(hours));
    assert_eq!((made.active, made.max_attempts, made.daily_attempts, made.freeze_minutes), (true, Some(5), None, 90));
    assert_eq!(store.campaign(made.id).await.unwrap().as_ref(), Some(&made));

    let twin = CampaignRecord { name: Some("Spring".to_owned()), ..CampaignRecord::default() };
    assert_eq!(refusal(store.create_campaign(twin.clone(), &by(1)).await), ("taken".to_owned(), "/name".to_owned()));
    let other = new_campaign(&store, "Autumn").await;
    assert_eq!(refusal(store.update_campaign(other, twin, &by(1)).await).0, "taken");
    let same_id = CampaignRecord { id: Some(other), name: Some("Winter".to_owned()), ..CampaignRecord::default() };
    assert_eq!(refusal(store.create_campaign(same_id, &by(1)).await), ("taken".to_owned(), "/id".to_owned()));

    let off = CampaignRecord { active: Some(false), max_attempts: Some(None), ..CampaignRecord::default() };
    let changed = store.update_campaign(made.id, off.clone(), &by(5)).await.unwrap().unwrap();
    assert_eq!((changed.active, changed.max_attempts, changed.updated_at), (false, None, at(5)));
    assert_eq!(changed.created_at, made.created_at);
    // Said again, it is no change.
    assert_eq!(store.update_campaign(made.id, off.clone(), &by(9)).await.unwrap(), Some(changed));
    assert_eq!(store.update_campaign(CampaignId(99), off, &by(9)).await.unwrap(), None);
    assert_eq!(
        logged(&store).await,
        ["campaign.create campaign:1", "campaign.create campaign:2", "campaign.update campaign:1"]
    );
}

pub async fn campaigns_are_searched(store: Tested) {
    for name in ["Spring sale", "Autumn", "SPRING call", "50% off_now"] {
        new_campaign(&store, name).await;
    }
    let names = async |search: Option<&str>, slice| {
        let page = store.campaigns(search, slice).await.unwrap();
        (page.items.into_iter().map(|campaign| campaign.name).collect::<Vec<_>>(), page.total)
    };
    assert_eq!(names(Some("spRing"), ALL).await, (vec!["Spring sale".to_owned(), "SPRING call".to_owned()], 2));
    assert_eq!(names(Some("0% off_"), ALL).await.1, 1);
    assert_eq!(names(Some("%"), ALL).await.1, 1);
    assert_eq!(names(None, Slice { count: 1, offset: 1 }).await, (vec!["Autumn".to_owned()], 4));
    assert_eq!(names(None, Slice { count: 5, offset: u64::MAX }).await, (vec![], 4));
}

pub async fn campaigns_in_use_stay(store: Tested) {
    let campaign = new_campaign(&store, "Spring").await;
    let lead = new_lead(&store, LeadRecord::default()).await;
    let membership = store.create_campaign_lead(in_campaign(lead, campaign), &by(0)).await.unwrap();
    assert_eq!(refusal(store.delete_campaign(campaign, &by(1)).await).0, "in_use");
    store.delete_campaign_lead(membership.id, &by(2)).await.unwrap();
    assert!(store.delete_campaign(campaign, &by(3)).await.unwrap());
    assert!(!store.delete_campaign(campaign, &by(3)).await.unwrap());
    assert!(new_campaign(&store, "Spring").await > campaign, "the id of a deleted campaign was given again");
}

pub async fn campaigns_are_imported(store: Tested) {
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
    let outcome = store.import_campaigns(rows, &by(1)).await.unwrap();
    assert_eq!(
        outcomes(&outcome.rows),
        ["inserted", "inserted", "updated", "unchanged", "taken Column(\"name\")", "required Column(\"name\")"]
    );
    assert_eq!(store.campaigns(None, ALL).await.unwrap().total, 2);
    assert!(new_campaign(&store, "Next").await > CampaignId(8));
}

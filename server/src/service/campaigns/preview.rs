//! Preview of the effect of a campaign change on callable leads.

use std::collections::HashMap;

use leadscribe_engine::api::*;
use leadscribe_engine::callable;
use leadscribe_engine::record::CampaignRecord;

use crate::storage::CampaignSample;

/// Judges the sampled leads before and after a change, and with each changed field on its own.
pub fn preview(sample: &CampaignSample, record: &CampaignRecord, now: Timestamp) -> CampaignPreview {
    let mut before = judge(sample, &sample.campaign, now);
    let id = sample.campaign.id;
    for ReasonTally { code, filter, .. } in &mut before.reasons {
        *filter = Some(format!(r#"{{"campaign_id":{id},"not_callable_reason":"{code}"}}"#));
    }
    let with = |record: &CampaignRecord| {
        let mut campaign = sample.campaign.clone();
        record.apply(&mut campaign);
        if campaign == sample.campaign { before.clone() } else { judge(sample, &campaign, now) }
    };
    let after = with(record);
    let changes = alone(record)
        .into_iter()
        .filter(|(_, one)| {
            let mut campaign = sample.campaign.clone();
            one.apply(&mut campaign);
            campaign != sample.campaign
        })
        .map(|(field, one)| ChangeEffect { field: field.to_owned(), callable: with(&one).callable });
    let changes = changes.collect();
    CampaignPreview { leads: sample.leads, judged: sample.judged.len() as u64, before, after, changes }
}

/// Splits a record into one record for each field that affects whether a lead is callable.
fn alone(record: &CampaignRecord) -> [(&'static str, CampaignRecord); 4] {
    let none = CampaignRecord::default;
    [
        ("active", CampaignRecord { active: record.active, ..none() }),
        ("calling_hours", CampaignRecord { calling_hours: record.calling_hours.clone(), ..none() }),
        ("max_attempts", CampaignRecord { max_attempts: record.max_attempts, ..none() }),
        ("daily_attempts", CampaignRecord { daily_attempts: record.daily_attempts, ..none() }),
    ]
}

fn judge(sample: &CampaignSample, campaign: &Campaign, now: Timestamp) -> Callability {
    let dialable: HashMap<_, _> = sample.statuses.iter().map(|one| (one.name.as_str(), one.dialable)).collect();
    let mut callable = 0;
    let mut counts = [0; NotCallableCode::ALL.len()];
    for lead in &sample.judged {
        let dialable = dialable.get(lead.campaign_lead.status.as_str()).copied().unwrap_or(false);
        let mut is_callable = true;
        callable::judge_briefly(&lead.callee, &lead.campaign_lead, campaign, dialable, now, |code| {
            is_callable = false;
            counts[code as usize] += 1;
        });
        callable += u64::from(is_callable);
    }
    let reasons = NotCallableCode::ALL.iter().zip(counts).filter(|(_, leads)| *leads > 0);
    Callability {
        callable,
        reasons: reasons.map(|(code, leads)| ReasonTally { code: *code, leads, filter: None }).collect(),
    }
}

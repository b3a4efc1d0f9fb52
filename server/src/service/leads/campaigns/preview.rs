//! Preview of the effect of a campaign change on callable leads.

use std::collections::HashMap;

use leadscribe_engine::api::*;
use leadscribe_engine::callable;
use leadscribe_engine::record::CampaignRecord;

use crate::storage::CampaignSample;

/// Evaluates the sampled leads before and after a change, and with each changed field on its own.
pub fn preview(sample: &CampaignSample, record: &CampaignRecord, now: Timestamp) -> CampaignPreview {
    let mut before = evaluate_sample(sample, &sample.campaign, now);
    let id = sample.campaign.id;
    for ReasonCount { code, filter, .. } in &mut before.reasons {
        *filter = Some(format!(r#"{{"campaign_id":{id},"not_callable_reason":"{code}"}}"#));
    }
    let evaluate = |record: &CampaignRecord| {
        let mut campaign = sample.campaign.clone();
        record.apply(&mut campaign);
        if campaign == sample.campaign { before.clone() } else { evaluate_sample(sample, &campaign, now) }
    };
    let after = evaluate(record);
    let changes = split_by_field(record)
        .into_iter()
        .filter(|(_, single_change)| {
            let mut campaign = sample.campaign.clone();
            single_change.apply(&mut campaign);
            campaign != sample.campaign
        })
        .map(|(field, single_change)| ChangeEffect {
            field: field.to_owned(),
            callable: evaluate(&single_change).callable,
        });
    let changes = changes.collect();
    CampaignPreview { leads: sample.lead_count, evaluated: sample.sampled_leads.len() as u64, before, after, changes }
}

/// Splits a record into one record for each field that affects whether a lead is callable.
fn split_by_field(record: &CampaignRecord) -> [(&'static str, CampaignRecord); 4] {
    let empty = CampaignRecord::default;
    [
        ("active", CampaignRecord { active: record.active, ..empty() }),
        ("calling_hours", CampaignRecord { calling_hours: record.calling_hours.clone(), ..empty() }),
        ("max_attempts", CampaignRecord { max_attempts: record.max_attempts, ..empty() }),
        ("daily_attempts", CampaignRecord { daily_attempts: record.daily_attempts, ..empty() }),
    ]
}

fn evaluate_sample(sample: &CampaignSample, campaign: &Campaign, now: Timestamp) -> Callability {
    let dialable: HashMap<_, _> =
        sample.statuses.iter().map(|status| (status.name.as_str(), status.dialable)).collect();
    let mut callable = 0;
    let mut counts = [0; NotCallableCode::ALL.len()];
    for lead in &sample.sampled_leads {
        let dialable = dialable.get(lead.campaign_lead.status.as_str()).copied().unwrap_or(false);
        let mut is_callable = true;
        callable::judge_codes(&lead.callee, &lead.campaign_lead, campaign, dialable, now, |code| {
            is_callable = false;
            counts[code as usize] += 1;
        });
        callable += u64::from(is_callable);
    }
    let reasons = NotCallableCode::ALL.iter().zip(counts).filter(|(_, leads)| *leads > 0);
    Callability {
        callable,
        reasons: reasons.map(|(code, leads)| ReasonCount { code: *code, leads, filter: None }).collect(),
    }
}

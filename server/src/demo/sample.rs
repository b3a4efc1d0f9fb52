//! Combines all sample data. The tests check what it must contain.

use chrono::SubsecRound;
use leadscribe_engine::api::Timestamp;
use leadscribe_engine::record::{CampaignLeadRecord, CampaignRecord, LeadRecord};

use super::calls::{self, SampleCall};
use super::random::Random;
use super::{campaign_leads, campaigns, leads};

/// Arbitrary, but fixed so that the data stays the same.
const SEED: u64 = 20_260_501;

/// Sample data to load into an empty store, in this order.
pub(super) struct Sample {
    pub campaigns: Vec<CampaignRecord>,
    pub leads: Vec<LeadRecord>,
    pub campaign_leads: Vec<CampaignLeadRecord>,
    pub calls: Vec<SampleCall>,
}

/// Creates the data, with times relative to `now`.
pub(super) fn create_sample(now: Timestamp) -> Sample {
    let now = now.trunc_subsecs(0);
    let mut random = Random::new(SEED);
    let leads = leads::records(now, &mut random);
    let mut campaign_leads = campaign_leads::records(&leads, now, &mut random);
    let calls = calls::create_calls(&leads, &mut campaign_leads, now, &mut random);
    Sample { campaigns: campaigns::records(now), leads, campaign_leads, calls }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use chrono::{TimeDelta, TimeZone, Utc};
    use leadscribe_engine::api::{
        CallStatus, Campaign, CampaignLead, INITIAL_STATUSES, Lead, NotCallableCode, RecordingState,
    };
    use leadscribe_engine::callable::{self, Callee};

    use super::super::recordings::SampleRecording;
    use super::*;
    use crate::phone;

    fn monday_noon() -> Timestamp {
        Utc.with_ymd_and_hms(2026, 5, 4, 12, 0, 0).unwrap()
    }

    /// The sample as a store would return it.
    struct StoredSample {
        campaigns: Vec<Campaign>,
        leads: Vec<Lead>,
        campaign_leads: Vec<CampaignLead>,
    }

    fn to_stored(sample: &Sample, now: Timestamp) -> StoredSample {
        StoredSample {
            campaigns: sample.campaigns.iter().map(|record| record.create(record.id.unwrap(), now).unwrap()).collect(),
            leads: sample.leads.iter().map(|record| record.create(record.id.unwrap(), now)).collect(),
            campaign_leads: sample
                .campaign_leads
                .iter()
                .map(|record| record.create(record.id.unwrap(), now).unwrap())
                .collect(),
        }
    }

    /// Counts how often each reason applies, and how many campaign leads can be called.
    fn count_reasons(stored: &StoredSample, now: Timestamp) -> (BTreeMap<NotCallableCode, usize>, usize) {
        let mut counts = BTreeMap::new();
        let mut callable_now = 0;
        for campaign_lead in &stored.campaign_leads {
            let lead = &stored.leads[campaign_lead.lead_id.0 as usize - 1];
            let campaign = &stored.campaigns[campaign_lead.campaign_id.0 as usize - 1];
            let dialable =
                INITIAL_STATUSES.iter().any(|(name, _, dialable)| *name == campaign_lead.status && *dialable);
            let verdict = callable::judge(&Callee::from(lead), campaign_lead, campaign, dialable, now);
            callable_now += usize::from(verdict.reasons.is_empty());
            for reason in verdict.reasons {
                *counts.entry(reason.code).or_default() += 1;
            }
        }
        let with_campaign: BTreeSet<_> = stored.campaign_leads.iter().map(|record| record.lead_id).collect();
        for lead in stored.leads.iter().filter(|lead| !with_campaign.contains(&lead.id)) {
            for reason in callable::judge_lead(&Callee::from(lead), false) {
                *counts.entry(reason.code).or_default() += 1;
            }
        }
        (counts, callable_now)
    }

    #[test]
    fn has_documented_size() {
        let sample = create_sample(monday_noon());
        assert!(sample.campaigns.len() >= 12);
        assert!(sample.leads.len() >= 5_000);
        assert!(sample.campaign_leads.len() >= 5_000);
        assert_eq!(sample.campaigns.iter().filter(|campaign| campaign.active == Some(false)).count(), 1);
    }

    #[test]
    fn every_reason_occurs_and_many_leads_are_callable() {
        // Monday noon, midnight, Tuesday morning and Sunday afternoon.
        for hours in [0, 12, 19, 24 * 6 + 3] {
            let now = monday_noon() + TimeDelta::hours(hours);
            let (counts, callable_now) = count_reasons(&to_stored(&create_sample(now), now), now);
            for code in NotCallableCode::ALL {
                let count = counts.get(code).copied().unwrap_or(0);
                assert!(count >= 24, "{code} occurs {count} times at {now}");
            }
            assert!(callable_now >= 400, "{callable_now} can be called at {now}");
        }
    }

    #[test]
    fn every_status_occurs() {
        let sample = create_sample(monday_noon());
        for (status, _, _) in INITIAL_STATUSES {
            let count = sample.campaign_leads.iter().filter(|record| record.status.as_deref() == Some(*status)).count();
            assert!(count >= 24, "{status} occurs {count} times");
        }
    }

    #[test]
    fn campaign_leads_are_unique_and_called_after_creation() {
        let now = monday_noon();
        let stored = to_stored(&create_sample(now), now);
        let mut seen = BTreeSet::new();
        for campaign_lead in &stored.campaign_leads {
            assert!(seen.insert((campaign_lead.lead_id, campaign_lead.campaign_id)), "{campaign_lead:?}");
            assert!(
                stored.leads[campaign_lead.lead_id.0 as usize - 1].created_at <= campaign_lead.created_at,
                "{campaign_lead:?}"
            );
            assert!(
                campaign_lead.last_call_at.is_none_or(|at| campaign_lead.created_at <= at && at <= now),
                "{campaign_lead:?}"
            );
            assert!(
                campaign_lead.updated_at <= now && campaign_lead.created_at <= campaign_lead.updated_at,
                "{campaign_lead:?}"
            );
        }
    }

    #[test]
    fn calls_have_every_kind_of_recording() {
        let now = monday_noon();
        let sample = create_sample(now);
        let ids: Vec<_> = sample.calls.iter().map(|call| call.record.id.unwrap().0).collect();
        assert_eq!(ids, (101..=150).collect::<Vec<_>>());
        let speech_recordings: Vec<_> = sample
            .calls
            .iter()
            .filter_map(|call| call.recording)
            .filter(|recording| *recording != SampleRecording::Fragment)
            .collect();
        let has_two_channels = |sample_recording: &&SampleRecording| {
            matches!(sample_recording, SampleRecording::Conversation(..) | SampleRecording::File("call_pd_8k"))
        };
        assert_eq!(speech_recordings.len(), 40);
        assert!(speech_recordings.iter().filter(has_two_channels).count() >= 8);
        let count = |state| sample.calls.iter().filter(|call| call.record.recording_state == Some(state)).count();
        assert_eq!((count(RecordingState::Pending), count(RecordingState::Failed)), (1, 1));
        assert_eq!(sample.calls.iter().filter(|call| call.recording == Some(SampleRecording::Fragment)).count(), 1);
        for status in CallStatus::ALL {
            assert!(sample.calls.iter().any(|call| call.record.status == Some(*status)), "{status}");
        }
        let oldest = sample.calls.iter().map(|call| now - call.record.created_at.unwrap()).max().unwrap();
        assert!(TimeDelta::days(25) < oldest && oldest < TimeDelta::days(30));
    }

    #[test]
    fn phone_numbers_match_normalization() {
        for lead in create_sample(monday_noon()).leads {
            let number = lead.phone.clone().unwrap();
            let country = lead.country.clone().unwrap();
            let expected = number.as_deref().and_then(|number| phone::to_e164(number, country.as_deref(), None));
            assert_eq!(lead.phone_normalized.clone().unwrap(), expected, "{number:?} of {country:?}");
        }
    }

    #[test]
    fn is_deterministic() {
        let (first, second) = (create_sample(monday_noon()), create_sample(monday_noon()));
        assert_eq!(first.leads, second.leads);
        assert_eq!(first.campaign_leads, second.campaign_leads);
    }
}

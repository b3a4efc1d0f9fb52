//! Search response as JSON, written by hand: the cost of a program without overhead.

use std::io::Write;

use crate::time;

/// 2026-01-01, the day of the queries.
const NOW: u32 = 1_767_225_600;

/// Text columns of a lead, in the order of the data set.
const TEXTS: [&str; 10] =
    ["first_name", "last_name", "phone", "email", "country", "city", "postal_code", "language", "status", "source"];

/// Index of a lead's status in [`TEXTS`].
const STATUS: usize = 8;

/// Campaign, with the columns that a response needs.
pub struct Campaign {
    /// Name of the campaign.
    pub name: String,
    /// True if calls are made for it.
    pub active: bool,
    /// Number of calls after which a lead is no longer called.
    pub max_calls: i64,
}

/// Lead in a response.
pub struct Lead<'a> {
    /// Id of the lead.
    pub id: i64,
    /// Texts in the order of [`TEXTS`].
    pub texts: [&'a str; 10],
    /// Id of the assigned user.
    pub owner_id: i64,
    /// Score from 0 to 100.
    pub score: i64,
    /// `created_at`, `updated_at` and `global_updated_at`, in seconds since 1970.
    pub times: [u32; 3],
}

/// Campaign lead in a response.
pub struct CampaignLead<'a> {
    /// Id of the campaign.
    pub campaign_id: i64,
    /// Status in the campaign.
    pub status: &'a str,
    /// Number of calls.
    pub calls_count: i64,
    /// Time of the last call, in seconds since 1970.
    pub last_call_at: Option<u32>,
    /// End of the freeze, in seconds since 1970.
    pub frozen_until: Option<u32>,
    /// Priority from 0 to 9.
    pub priority: i64,
    /// Time of the last change, in seconds since 1970.
    pub updated_at: u32,
}

/// Writes a response into `out`, lead by lead.
pub struct Writer<'a> {
    out: &'a mut Vec<u8>,
    campaigns: &'a [Campaign],
    is_first_lead: bool,
    is_first_campaign: bool,
    lead_blocked: bool,
}

impl<'a> Writer<'a> {
    /// Starts a response; `campaigns` are ordered by id, from 1.
    pub fn new(out: &'a mut Vec<u8>, campaigns: &'a [Campaign]) -> Self {
        out.clear();
        out.extend(b"{\"leads\":[");
        Self { out, campaigns, is_first_lead: true, is_first_campaign: true, lead_blocked: false }
    }

    /// Starts a lead.
    pub fn open_lead(&mut self, lead: &Lead<'_>) {
        self.separate_leads();
        self.out.extend(b"{\"id\":");
        self.integer(lead.id);
        for (name, text) in TEXTS.iter().zip(lead.texts) {
            self.out.extend(b",\"");
            self.out.extend(name.as_bytes());
            self.out.extend(b"\":");
            self.text(text);
        }
        self.member(",\"owner_id\":", lead.owner_id);
        self.member(",\"score\":", lead.score);
        let names = [",\"created_at\":", ",\"updated_at\":", ",\"global_updated_at\":"];
        for (name, seconds) in names.iter().zip(lead.times) {
            self.out.extend(name.as_bytes());
            time::put(self.out, seconds);
        }
        self.out.extend(b",\"campaigns\":[");
        self.is_first_campaign = true;
        self.lead_blocked = lead.texts[STATUS] == "blocked";
    }

    /// Adds one of the lead's campaigns.
    pub fn campaign_lead(&mut self, row: &CampaignLead<'_>) {
        let campaigns = self.campaigns;
        let campaign = &campaigns[row.campaign_id as usize - 1];
        if !std::mem::take(&mut self.is_first_campaign) {
            self.out.push(b',');
        }
        self.member("{\"campaign_id\":", row.campaign_id);
        self.out.extend(b",\"campaign_name\":");
        self.text(&campaign.name);
        self.out.extend(b",\"status\":");
        self.text(row.status);
        self.member(",\"calls_count\":", row.calls_count);
        for (name, timestamp) in [(",\"last_call_at\":", row.last_call_at), (",\"frozen_until\":", row.frozen_until)] {
            self.out.extend(name.as_bytes());
            match timestamp {
                Some(seconds) => time::put(self.out, seconds),
                None => self.out.extend(b"null"),
            }
        }
        self.member(",\"priority\":", row.priority);
        self.out.extend(b",\"updated_at\":");
        time::put(self.out, row.updated_at);
        self.reasons(campaign, row);
        self.out.push(b'}');
    }

    /// Ends the lead.
    pub fn close_lead(&mut self) {
        self.out.extend(b"]}");
    }

    /// Ends the response with the total number of matches.
    pub fn finish(mut self, total: i64) {
        self.member("],\"total_leads\":", total);
        self.out.push(b'}');
    }

    fn reasons(&mut self, campaign: &Campaign, row: &CampaignLead<'_>) {
        self.out.extend(b",\"not_callable_reasons\":[");
        let reasons = [
            (!campaign.active, "campaign_inactive"),
            (row.frozen_until.is_some_and(|until| until > NOW), "frozen"),
            (row.calls_count >= campaign.max_calls, "max_calls"),
            (matches!(row.status, "converted" | "refused" | "invalid" | "dnc"), "final_status"),
            (self.lead_blocked, "lead_blocked"),
        ];
        let mut first = true;
        for (_, reason) in reasons.into_iter().filter(|(holds, _)| *holds) {
            if !std::mem::take(&mut first) {
                self.out.push(b',');
            }
            self.text(reason);
        }
        self.out.push(b']');
    }

    fn separate_leads(&mut self) {
        if !std::mem::take(&mut self.is_first_lead) {
            self.out.push(b',');
        }
    }

    fn member(&mut self, prefix: &str, value: i64) {
        self.out.extend(prefix.as_bytes());
        self.integer(value);
    }

    fn integer(&mut self, value: i64) {
        write!(self.out, "{value}").expect("writing to memory can't fail");
    }

    fn text(&mut self, text: &str) {
        if text.bytes().all(|byte| byte >= 0x20 && byte != b'"' && byte != b'\\') {
            self.out.push(b'"');
            self.out.extend(text.as_bytes());
            self.out.push(b'"');
        } else {
            serde_json::to_writer(&mut *self.out, text).expect("writing to memory can't fail");
        }
    }
}

//! Response of a system, and its verification.

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::bench::reference::{ExpectedLead, ExpectedResult};

/// Campaigns that a system returns for a lead.
#[derive(Clone, Copy)]
pub enum ReturnedCampaigns {
    /// Only matching ones, as Leadscribe does.
    Matching,
    /// All campaigns.
    All,
    /// Names without ids.
    Names,
}

/// Positions in a response, as JSON Pointers.
#[derive(Clone, Copy)]
pub struct ResponseLayout {
    /// Array of leads.
    pub leads_pointer: &'static str,
    /// Total number of matches.
    pub total_pointer: &'static str,
    /// Campaigns of each lead.
    pub returned_campaigns: ReturnedCampaigns,
}

impl ResponseLayout {
    /// Layout of Leadscribe.
    pub const LEADSCRIBE: Self = Self {
        leads_pointer: "/leads",
        total_pointer: "/total_leads",
        returned_campaigns: ReturnedCampaigns::Matching,
    };
    /// Layout of the programs written for the comparison.
    pub const PEERS: Self = Self { returned_campaigns: ReturnedCampaigns::All, ..Self::LEADSCRIBE };
}

pub struct ParsedResponse {
    total: u64,
    /// Ids of leads, with the ids of their campaigns.
    leads: Vec<(u64, Vec<u64>)>,
    returned_campaigns: ReturnedCampaigns,
}

impl ParsedResponse {
    pub fn parse(bytes: &[u8], layout: ResponseLayout) -> Result<Self> {
        let response: Value = serde_json::from_slice(bytes)?;
        let total = parse_integer(response.pointer(layout.total_pointer).context("the response has no total")?)?;
        let leads = response.pointer(layout.leads_pointer).and_then(Value::as_array);
        let leads = leads.context("the response has no leads")?.iter().map(|lead| {
            let campaigns = lead["campaigns"].as_array().context("a lead in the response has no campaigns")?;
            let campaigns = match layout.returned_campaigns {
                ReturnedCampaigns::Names => Vec::new(),
                _ => campaigns.iter().map(|campaign| parse_integer(&campaign["campaign_id"])).collect::<Result<_>>()?,
            };
            Ok((parse_integer(&lead["id"])?, campaigns))
        });
        Ok(Self { total, leads: leads.collect::<Result<_>>()?, returned_campaigns: layout.returned_campaigns })
    }

    /// Compares the response with the expected result.
    pub fn verify(&self, expected: &ExpectedResult) -> Result<()> {
        ensure!(self.total == expected.total, "expected {} matches, found {}", expected.total, self.total);
        let (lead_count, expected_count) = (self.leads.len(), expected.leads.len());
        ensure!(lead_count == expected_count, "expected a page of {expected_count} leads, found {lead_count}");
        self.leads.iter().zip(&expected.leads).try_for_each(|(lead, expected)| self.verify_lead(lead, expected))
    }

    fn verify_lead(&self, (id, campaigns): &(u64, Vec<u64>), expected: &ExpectedLead) -> Result<()> {
        ensure!(*id == expected.id, "expected lead {}, found {id}", expected.id);
        let expected_campaigns = match self.returned_campaigns {
            ReturnedCampaigns::Matching => &expected.matching_campaigns,
            ReturnedCampaigns::All => &expected.all_campaigns,
            ReturnedCampaigns::Names => return Ok(()),
        };
        ensure!(
            campaigns == expected_campaigns,
            "lead {id}: expected the campaigns {expected_campaigns:?}, found {campaigns:?}"
        );
        Ok(())
    }
}

/// Directus writes large integers as strings.
fn parse_integer(value: &Value) -> Result<u64> {
    let integer = value.as_u64().or_else(|| value.as_str()?.parse().ok());
    integer.with_context(|| format!("expected an integer in the response, found {value}"))
}

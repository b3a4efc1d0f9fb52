//! Response of a system, and its verification.

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::bench::reference::{Answer, AnsweredLead};

/// Campaigns that a system returns for a lead.
#[derive(Clone, Copy)]
pub enum Shown {
    /// Only matching ones, as Leadscribe does.
    Matching,
    /// All campaigns.
    All,
    /// Names without ids.
    Names,
}

/// Positions in a response, as JSON Pointers.
#[derive(Clone, Copy)]
pub struct Layout {
    /// Array of leads.
    pub leads: &'static str,
    /// Total number of matches.
    pub total: &'static str,
    /// Campaigns of each lead.
    pub shown: Shown,
}

impl Layout {
    /// Layout of Leadscribe.
    pub const LEADSCRIBE: Self = Self { leads: "/leads", total: "/total_leads", shown: Shown::Matching };
    /// Layout of the programs written for the comparison.
    pub const PEERS: Self = Self { shown: Shown::All, ..Self::LEADSCRIBE };
}

/// Parsed response.
pub struct Given {
    total: u64,
    /// Ids of leads, with the ids of their campaigns.
    leads: Vec<(u64, Vec<u64>)>,
    shown: Shown,
}

impl Given {
    /// Parses a response.
    pub fn parse(bytes: &[u8], layout: Layout) -> Result<Self> {
        let answer: Value = serde_json::from_slice(bytes)?;
        let total = integer(answer.pointer(layout.total).context("the total is missing in the answer")?)?;
        let leads = answer.pointer(layout.leads).and_then(Value::as_array);
        let leads = leads.context("the leads are missing in the answer")?.iter().map(|lead| {
            let campaigns = lead["campaigns"].as_array().context("a lead has no campaigns in the answer")?;
            let campaigns = match layout.shown {
                Shown::Names => Vec::new(),
                _ => campaigns.iter().map(|one| integer(&one["campaign_id"])).collect::<Result<_>>()?,
            };
            Ok((integer(&lead["id"])?, campaigns))
        });
        Ok(Self { total, leads: leads.collect::<Result<_>>()?, shown: layout.shown })
    }

    /// Compares the response with the expected result.
    pub fn check(&self, right: &Answer) -> Result<()> {
        ensure!(self.total == right.total, "expected {} matches, found {}", right.total, self.total);
        let (given, expected) = (self.leads.len(), right.leads.len());
        ensure!(given == expected, "expected a page of {expected} leads, found {given}");
        self.leads.iter().zip(&right.leads).try_for_each(|(given, right)| self.check_lead(given, right))
    }

    fn check_lead(&self, (id, campaigns): &(u64, Vec<u64>), right: &AnsweredLead) -> Result<()> {
        ensure!(*id == right.id, "expected lead {}, found {id}", right.id);
        let expected = match self.shown {
            Shown::Matching => &right.matching,
            Shown::All => &right.all,
            Shown::Names => return Ok(()),
        };
        ensure!(campaigns == expected, "lead {id}: expected the campaigns {expected:?}, found {campaigns:?}");
        Ok(())
    }
}

/// Directus writes large integers as strings.
fn integer(value: &Value) -> Result<u64> {
    let integer = value.as_u64().or_else(|| value.as_str()?.parse().ok());
    integer.with_context(|| format!("expected an integer in the answer, found {value}"))
}

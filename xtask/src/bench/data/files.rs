//! The data set as CSV files, in the formats of `leadscribe import` and of the peers' loaders. No value needs quotes.

use std::fs::{self, File};
use std::io::{BufWriter, Result, Write};
use std::path::Path;

use super::super::time::UnixTime;

/// Row of a campaign. In all rows, times are seconds since 1970.
pub struct CampaignRow {
    pub id: u64,
    pub name: String,
    pub status: &'static str,
    pub max_calls: u64,
    pub created: u64,
    pub updated: u64,
}

pub struct LeadRow<'a> {
    pub id: u64,
    pub first_name: &'a str,
    pub last_name: &'a str,
    pub phone: u64,
    pub email: &'a [u8],
    pub country: &'static str,
    pub city: u16,
    pub zip: u32,
    pub language: &'static str,
    pub status: &'static str,
    pub source: &'static str,
    pub owner: u64,
    pub score: u64,
    pub created: u64,
    pub updated: u64,
}

pub struct CampaignLeadRow {
    /// Row id, which only Leadscribe has.
    pub number: u64,
    pub lead: u64,
    pub campaign: u8,
    pub status: &'static str,
    pub calls: u64,
    pub last_call: Option<u64>,
    pub frozen_until: Option<u64>,
    pub weight: u64,
    pub updated: u64,
}

/// Names and columns of the files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For `leadscribe import`. Values without a field of their own become custom fields.
    Leadscribe,
    /// For the peers' tables.
    Peers,
}

/// The three files being written.
pub struct Files {
    format: Format,
    campaigns: BufWriter<File>,
    leads: BufWriter<File>,
    campaign_leads: BufWriter<File>,
}

impl Files {
    /// Creates the files in `dir`, with their header lines.
    pub fn create(dir: &Path, format: Format) -> Result<Self> {
        fs::create_dir_all(dir)?;
        let create_file = |name: &str, header_line: &str| -> Result<BufWriter<File>> {
            let mut file = BufWriter::with_capacity(1 << 20, File::create(dir.join(name))?);
            writeln!(file, "{header_line}")?;
            Ok(file)
        };
        Ok(match format {
            Format::Leadscribe => Self {
                format,
                campaigns: create_file("campaigns.csv", "id,name,active,max_attempts,created_at,updated_at")?,
                leads: create_file(
                    "leads.csv",
                    "id,first_name,last_name,phone,email,country,city,created_at,updated_at,zip,\
                     custom.language,custom.status,custom.source,custom.owner_id,custom.score",
                )?,
                campaign_leads: create_file(
                    "campaign-leads.csv",
                    "id,lead_id,campaign_id,status,weight,calls_count,last_call_at,freeze_until,updated_at",
                )?,
            },
            Format::Peers => Self {
                format,
                campaigns: create_file("campaigns.csv", "id,name,status,max_calls,created_at,updated_at")?,
                leads: create_file(
                    "leads.csv",
                    "id,first_name,last_name,phone,email,country,city,postal_code,language,status,source,\
                     owner_id,score,created_at,updated_at",
                )?,
                campaign_leads: create_file(
                    "campaign_leads.csv",
                    "lead_id,campaign_id,status,calls_count,last_call_at,frozen_until,priority,updated_at",
                )?,
            },
        })
    }

    pub(super) fn write_campaign(&mut self, row: &CampaignRow) -> Result<()> {
        let CampaignRow { id, name, max_calls, .. } = row;
        let status = match self.format {
            Format::Leadscribe if row.status == "active" => "true",
            Format::Leadscribe => "false",
            Format::Peers => row.status,
        };
        let (created, updated) = (UnixTime(row.created), UnixTime(row.updated));
        writeln!(self.campaigns, "{id},{name},{status},{max_calls},{created},{updated}")
    }

    pub(super) fn write_lead(&mut self, row: &LeadRow<'_>) -> Result<()> {
        let LeadRow { id, first_name, last_name, phone, country, city, zip, .. } = row;
        let LeadRow { language, status, source, owner, score, .. } = row;
        let (created, updated) = (UnixTime(row.created), UnixTime(row.updated));
        let file = &mut self.leads;
        write!(file, "{id},{first_name},{last_name},+{phone:011},")?;
        file.write_all(row.email)?;
        write!(file, ",{country},City{city},")?;
        match self.format {
            Format::Leadscribe => {
                writeln!(file, "{created},{updated},{zip:05},{language},{status},{source},{owner},{score}")
            }
            Format::Peers => {
                writeln!(file, "{zip:05},{language},{status},{source},{owner},{score},{created},{updated}")
            }
        }
    }

    pub(super) fn write_campaign_lead(&mut self, row: &CampaignLeadRow) -> Result<()> {
        let CampaignLeadRow { number, lead, campaign, status, calls, weight, .. } = row;
        let format_time =
            |seconds: Option<u64>| seconds.map(|seconds| UnixTime(seconds).to_string()).unwrap_or_default();
        let (last_call, frozen, updated) =
            (format_time(row.last_call), format_time(row.frozen_until), UnixTime(row.updated));
        let file = &mut self.campaign_leads;
        match self.format {
            Format::Leadscribe => {
                writeln!(file, "{number},{lead},{campaign},{status},{weight},{calls},{last_call},{frozen},{updated}")
            }
            Format::Peers => {
                writeln!(file, "{lead},{campaign},{status},{calls},{last_call},{frozen},{weight},{updated}")
            }
        }
    }

    pub(super) fn flush(&mut self) -> Result<()> {
        [&mut self.campaigns, &mut self.leads, &mut self.campaign_leads].into_iter().try_for_each(BufWriter::flush)
    }
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;
    use crate::build_stamp::hex;

    fn file_hashes(format: Format, names: [&str; 3]) -> [String; 3] {
        let dir = tempfile::tempdir().unwrap();
        super::super::generate(1_000, &mut [Files::create(dir.path(), format).unwrap()]).unwrap();
        names.map(|name| hex(&Sha256::digest(fs::read(dir.path().join(name)).unwrap())))
    }

    #[test]
    fn data_set_is_deterministic() {
        let names = ["campaigns.csv", "leads.csv", "campaign-leads.csv"];
        let expected = [
            "70e09783814dfbf2d9a1cda8d1e468a43e5e3f6bf3489408584db381545bcdd9",
            "64334c1028eae3db3e94efdce9217f6a2b3f1bb83842e64c06453e4923b4c1dd",
            "198cf24dbab3e2fd0e0d055594d5244969cf3eb1ec70343f2ac3a4d326b151f1",
        ];
        assert_eq!(file_hashes(Format::Leadscribe, names), expected);
    }

    #[test]
    fn peers_get_the_same_rows() {
        let names = ["campaigns.csv", "leads.csv", "campaign_leads.csv"];
        let expected = [
            "21c41c5610c9e7cee77a9a35ff76365a58d3ec57f9937e5e5091e72cf10b6a94",
            "da51a93b1982359612f4ac4a5a1540170bbddf47f854997542779b3116e1fc11",
            "b5c418cb0789a193e5dfaf30ee66d58e6f8a6109bb8cdd09f987251c9424234e",
        ];
        assert_eq!(file_hashes(Format::Peers, names), expected);
    }
}

//! Findings about imported leads: phone numbers that were changed or dropped, unknown countries, and leads that can't be called.

use leadscribe_engine::api::{FindingCode, FindingSample, ImportCampaign, ImportFinding, Lead};
use leadscribe_engine::country;
use leadscribe_engine::record::{ColumnNames, LeadRecord};

use crate::phone::{self, PhoneError};
use crate::service::app::App;
use crate::service::error::Result;

/// A finding about one row.
#[derive(Debug, PartialEq)]
pub struct RowFinding {
    code: FindingCode,
    /// Affected field; `None` for the whole row.
    field: Option<&'static str>,
    cell: Option<String>,
    result: Option<String>,
    /// True if the finding applies to new leads only: the row doesn't set the field, but a stored lead may have it.
    is_for_new_leads: bool,
}

impl RowFinding {
    /// Creates a finding about a whole row.
    pub fn for_row(code: FindingCode, is_for_new_leads: bool) -> Self {
        Self { code, field: None, cell: None, result: None, is_for_new_leads }
    }

    fn for_cell(code: FindingCode, field: &'static str, cell: &str, result: Option<String>) -> Self {
        Self { code, field: Some(field), cell: Some(cell.to_owned()), result, is_for_new_leads: false }
    }

    /// Adds the finding to the `findings` of an import. `is_new` tells whether the row created a lead.
    pub fn add_to(self, findings: &mut Vec<ImportFinding>, line: u64, is_new: bool, names: &ColumnNames) {
        let Self { code, field, cell, result, is_for_new_leads } = self;
        if is_new || !is_for_new_leads {
            let sample = FindingSample { line, cell, result };
            ImportFinding::add(findings, code, field.map(|field| names.column_of(field)), sample);
        }
    }
}

/// Returns the findings about a record with normalized numbers. `stored` is the existing lead if it was loaded; `region` is
/// the default country of numbers.
pub fn lead_findings(record: &LeadRecord, stored: Option<&Lead>, region: Option<&str>) -> Vec<RowFinding> {
    let mut findings = Vec::new();
    let country = match &record.country {
        Some(country) => country.as_deref(),
        None => stored.and_then(|lead| lead.country.as_deref()),
    };
    let numbers =
        [("phone", &record.phone, &record.phone_normalized), ("phone2", &record.phone2, &record.phone_normalized2)];
    for (field, cell, number) in numbers {
        let Some(Some(cell)) = cell else { continue };
        match number {
            Some(Some(number)) => {
                let change = phone_change(cell, number);
                findings.extend(change.map(|code| RowFinding::for_cell(code, field, cell, Some(number.clone()))));
            }
            _ => {
                findings.push(RowFinding::for_cell(FindingCode::InvalidPhone, field, cell, None));
                if country.or(region).is_none() && phone::read(cell, None, None) == Err(PhoneError::UnknownCountry) {
                    findings.push(RowFinding::for_cell(FindingCode::NoCountry, field, cell, None));
                }
            }
        }
    }
    if let Some(Some(country)) = &record.country
        && country::find(country).is_none()
    {
        findings.push(RowFinding::for_cell(FindingCode::UnknownCountry, "country", country, None));
    }
    let is_empty = |number: &Option<Option<String>>| !matches!(number, Some(Some(_)));
    if is_empty(&record.phone) && is_empty(&record.phone2) {
        let is_for_new_leads = record.phone.is_none() || record.phone2.is_none();
        findings.push(RowFinding::for_row(FindingCode::NoPhone, is_for_new_leads));
    }
    if !matches!(record.timezone, Some(Some(_))) {
        findings.push(RowFinding::for_row(FindingCode::NoTimezone, record.timezone.is_none()));
    }
    let flag_finding = |flag: Option<bool>, code| (flag == Some(true)).then(|| RowFinding::for_row(code, false));
    findings.extend(flag_finding(record.do_not_call, FindingCode::DoNotCall));
    findings.extend(flag_finding(record.blacklisted, FindingCode::Blacklisted));
    findings
}

/// Returns the findings that apply to every lead imported into this campaign with this status.
///
/// # Errors
/// The store failed.
pub async fn target_findings(app: &App, target: Option<&ImportCampaign>) -> Result<Vec<FindingCode>> {
    let Some(ImportCampaign { id, status, .. }) = target else { return Ok(Vec::new()) };
    let is_active = app.store.campaign(*id).await?.is_none_or(|campaign| campaign.active);
    let statuses = app.store.statuses().await?;
    let is_dialable =
        statuses.iter().find(|entry| Some(&entry.name) == status.as_ref()).is_none_or(|entry| entry.dialable);
    let codes = [(!is_active, FindingCode::CampaignInactive), (!is_dialable, FindingCode::StatusNotDialable)];
    Ok(codes.into_iter().filter(|(applies, _)| *applies).map(|(_, code)| code).collect())
}

/// Adds the nearest known name to the samples of unknown countries. Doing so for every row would be too slow.
pub fn suggest_countries(findings: &mut [ImportFinding]) {
    let unknown = findings.iter_mut().filter(|finding| finding.code == FindingCode::UnknownCountry);
    for sample in unknown.flat_map(|finding| &mut finding.samples).filter(|sample| sample.result.is_none()) {
        let nearest = sample.cell.as_deref().and_then(country::nearest);
        sample.result = nearest.map(|(_, name)| name.to_owned());
    }
}

/// Returns how a cell differs from its E.164 number. `None` if only spaces and separators differ, or `00` replaces `+`.
fn phone_change(cell: &str, number: &str) -> Option<FindingCode> {
    let is_common = |character: char| character.is_ascii_digit() || " ()-./".contains(character);
    let (is_international, rest) = match cell.trim().strip_prefix('+') {
        Some(rest) => (true, rest),
        None => (false, cell.trim()),
    };
    let digits: String = rest.chars().filter(char::is_ascii_digit).collect();
    let expected = number.trim_start_matches('+');
    let without_zeros = digits.trim_start_matches('0');
    if !rest.chars().all(is_common) {
        Some(FindingCode::PhoneRewritten)
    } else if digits == expected && is_international || digits.strip_prefix("00") == Some(expected) {
        None
    } else if !is_international && digits != expected && !without_zeros.is_empty() && expected.ends_with(without_zeros)
    {
        Some(FindingCode::CountryCodeAdded)
    } else {
        Some(FindingCode::PhoneRewritten)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(record: LeadRecord, region: Option<&str>) -> Vec<(FindingCode, Option<&'static str>)> {
        let record = phone::with_normalized_numbers(&record, None, region);
        lead_findings(&record, None, region).into_iter().map(|finding| (finding.code, finding.field)).collect()
    }

    fn lead(phone: &str, country: Option<&str>) -> LeadRecord {
        LeadRecord {
            phone: Some(Some(phone.to_owned())),
            country: country.map(|country| Some(country.to_owned())),
            timezone: Some(Some("Europe/Berlin".to_owned())),
            ..LeadRecord::default()
        }
    }

    #[test]
    fn pure_formatting_is_not_reported() {
        for cell in ["+49 30 901820", "+49 (30) 90-18-20", "0049 30/901820", "+4930901820"] {
            assert_eq!(phone_change(cell, "+4930901820"), None, "{cell}");
        }
    }

    #[test]
    fn changed_cells_are_reported_by_kind() {
        for (cell, number, code) in [
            ("030 901820", "+4930901820", FindingCode::CountryCodeAdded),
            ("(202) 555-0143", "+12025550143", FindingCode::CountryCodeAdded),
            ("06 698 12345", "+390669812345", FindingCode::CountryCodeAdded),
            ("+49 (0)30 901820", "+4930901820", FindingCode::PhoneRewritten),
            ("4930901820", "+4930901820", FindingCode::PhoneRewritten),
            ("8 (912) 345-67-89", "+79123456789", FindingCode::PhoneRewritten),
            ("1-800-FLOWERS", "+18003569377", FindingCode::PhoneRewritten),
            ("030 901820 ext. 7", "+4930901820", FindingCode::PhoneRewritten),
        ] {
            assert_eq!(phone_change(cell, number), Some(code), "{cell}");
        }
    }

    #[test]
    fn reports_reasons_for_dropped_numbers() {
        let invalid = (FindingCode::InvalidPhone, Some("phone"));
        assert_eq!(codes(lead("n/a", Some("DE")), None), [invalid]);
        assert_eq!(codes(lead("n/a", None), None), [invalid]);
        assert_eq!(codes(lead("030 901820", None), None), [invalid, (FindingCode::NoCountry, Some("phone"))]);
        let unknown = (FindingCode::UnknownCountry, Some("country"));
        assert_eq!(codes(lead("030 901820", Some("Atlantis")), None), [invalid, unknown]);
        assert_eq!(codes(lead("030 901820", None), Some("DE")), [(FindingCode::CountryCodeAdded, Some("phone"))]);
    }

    #[test]
    fn suggests_nearest_known_country() {
        let mut findings = Vec::new();
        for finding in lead_findings(&lead("030 901820", Some("Deutschlnd")), None, None) {
            finding.add_to(&mut findings, 2, true, &ColumnNames::default());
        }
        suggest_countries(&mut findings);
        let unknown = findings.iter().find(|finding| finding.code == FindingCode::UnknownCountry).unwrap();
        assert_eq!(unknown.samples[0].result.as_deref(), Some("Deutschland"));
    }

    #[test]
    fn reports_reasons_for_uncallable_leads() {
        let record = LeadRecord { do_not_call: Some(true), blacklisted: Some(true), ..LeadRecord::default() };
        let expected =
            [FindingCode::NoPhone, FindingCode::NoTimezone, FindingCode::DoNotCall, FindingCode::Blacklisted];
        assert_eq!(codes(record.clone(), None), expected.map(|code| (code, None)));
        let mut findings = Vec::new();
        for finding in lead_findings(&record, None, None) {
            finding.add_to(&mut findings, 2, false, &ColumnNames::default());
        }
        let actual: Vec<_> = findings.iter().map(|finding| finding.code).collect();
        assert_eq!(
            actual,
            [FindingCode::DoNotCall, FindingCode::Blacklisted],
            "other findings depend on the stored lead"
        );
    }
}

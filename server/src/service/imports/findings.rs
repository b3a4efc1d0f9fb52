//! Findings about imported leads: phone numbers that were changed or dropped, unknown countries, and leads that can't be called.

use leadscribe_engine::api::{FindingCode, FindingSample, ImportCampaign, ImportFinding, Lead};
use leadscribe_engine::country;
use leadscribe_engine::record::{LeadRecord, OwnNames};

use crate::app::App;
use crate::phone::{self, NoNumber};
use crate::service::error::ServiceError;

/// A finding about one row.
#[derive(Debug, PartialEq)]
pub struct RowFinding {
    code: FindingCode,
    /// Field concerned; `None` for the whole row.
    field: Option<&'static str>,
    cell: Option<String>,
    result: Option<String>,
    /// True if the finding applies to new leads only: the row doesn't set the field, but a stored lead may have it.
    is_of_new_lead: bool,
}

impl RowFinding {
    /// Creates a finding about a whole row.
    pub fn of_row(code: FindingCode, is_of_new_lead: bool) -> Self {
        Self { code, field: None, cell: None, result: None, is_of_new_lead }
    }

    fn of_cell(code: FindingCode, field: &'static str, cell: &str, result: Option<String>) -> Self {
        Self { code, field: Some(field), cell: Some(cell.to_owned()), result, is_of_new_lead: false }
    }

    /// Adds the finding to those of an import. `is_new` tells whether the row created a lead.
    pub fn add_to(self, findings: &mut Vec<ImportFinding>, line: u64, is_new: bool, names: &OwnNames) {
        let Self { code, field, cell, result, is_of_new_lead } = self;
        if is_new || !is_of_new_lead {
            let sample = FindingSample { line, cell, result };
            ImportFinding::add(findings, code, field.map(|field| names.of(field)), sample);
        }
    }
}

/// Returns the findings about a record with normalised numbers. `stored` is the existing lead if it was loaded; `region` is
/// the default country of numbers.
pub fn of_lead(record: &LeadRecord, stored: Option<&Lead>, region: Option<&str>) -> Vec<RowFinding> {
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
                findings.extend(change.map(|code| RowFinding::of_cell(code, field, cell, Some(number.clone()))));
            }
            _ => {
                findings.push(RowFinding::of_cell(FindingCode::InvalidPhone, field, cell, None));
                if country.or(region).is_none() && phone::read(cell, None, None) == Err(NoNumber::UnknownCountry) {
                    findings.push(RowFinding::of_cell(FindingCode::NoCountry, field, cell, None));
                }
            }
        }
    }
    if let Some(Some(country)) = &record.country
        && country::find(country).is_none()
    {
        findings.push(RowFinding::of_cell(FindingCode::UnknownCountry, "country", country, None));
    }
    let is_empty = |number: &Option<Option<String>>| !matches!(number, Some(Some(_)));
    if is_empty(&record.phone) && is_empty(&record.phone2) {
        let is_of_new_lead = record.phone.is_none() || record.phone2.is_none();
        findings.push(RowFinding::of_row(FindingCode::NoPhone, is_of_new_lead));
    }
    if !matches!(record.timezone, Some(Some(_))) {
        findings.push(RowFinding::of_row(FindingCode::NoTimezone, record.timezone.is_none()));
    }
    let set = |flag: Option<bool>, code| (flag == Some(true)).then(|| RowFinding::of_row(code, false));
    findings.extend(set(record.do_not_call, FindingCode::DoNotCall));
    findings.extend(set(record.blacklisted, FindingCode::Blacklisted));
    findings
}

/// Returns the findings that apply to every lead imported into this campaign with this status.
///
/// # Errors
/// The store failed.
pub async fn of_target(app: &App, target: Option<&ImportCampaign>) -> Result<Vec<FindingCode>, ServiceError> {
    let Some(ImportCampaign { id, status, .. }) = target else { return Ok(Vec::new()) };
    let is_active = app.store.campaign(*id).await?.is_none_or(|campaign| campaign.active);
    let statuses = app.store.statuses().await?;
    let is_dialable = statuses.iter().find(|one| Some(&one.name) == status.as_ref()).is_none_or(|one| one.dialable);
    let codes = [(!is_active, FindingCode::CampaignInactive), (!is_dialable, FindingCode::StatusNotDialable)];
    Ok(codes.into_iter().filter(|(is_found, _)| *is_found).map(|(_, code)| code).collect())
}

/// Adds the nearest known name to the samples of unknown countries. Doing so for every row would be too slow.
pub fn suggest_countries(findings: &mut [ImportFinding]) {
    let unknown = findings.iter_mut().filter(|finding| finding.code == FindingCode::UnknownCountry);
    for sample in unknown.flat_map(|finding| &mut finding.samples).filter(|sample| sample.result.is_none()) {
        let nearest = sample.cell.as_deref().and_then(country::nearest);
        sample.result = nearest.map(|(_, name)| name.to_owned());
    }
}

/// Returns how a cell differs from its E.164 number. `None` if only blanks and separators differ, or `00` replaces `+`.
fn phone_change(cell: &str, number: &str) -> Option<FindingCode> {
    let is_usual = |sign: char| sign.is_ascii_digit() || " ()-./".contains(sign);
    let (is_international, rest) = match cell.trim().strip_prefix('+') {
        Some(rest) => (true, rest),
        None => (false, cell.trim()),
    };
    let given: String = rest.chars().filter(char::is_ascii_digit).collect();
    let result = number.trim_start_matches('+');
    let without_zeros = given.trim_start_matches('0');
    if !rest.chars().all(is_usual) {
        Some(FindingCode::PhoneRewritten)
    } else if given == result && is_international || given.strip_prefix("00") == Some(result) {
        None
    } else if !is_international && given != result && !without_zeros.is_empty() && result.ends_with(without_zeros) {
        Some(FindingCode::CountryCodeAdded)
    } else {
        Some(FindingCode::PhoneRewritten)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(record: LeadRecord, region: Option<&str>) -> Vec<(FindingCode, Option<&'static str>)> {
        let record = phone::normalized(&record, None, region);
        of_lead(&record, None, region).into_iter().map(|finding| (finding.code, finding.field)).collect()
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
        for finding in of_lead(&lead("030 901820", Some("Deutschlnd")), None, None) {
            finding.add_to(&mut findings, 2, true, &OwnNames::default());
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
        for finding in of_lead(&record, None, None) {
            finding.add_to(&mut findings, 2, false, &OwnNames::default());
        }
        let found: Vec<_> = findings.iter().map(|finding| finding.code).collect();
        assert_eq!(found, [FindingCode::DoNotCall, FindingCode::Blacklisted], "the stored lead may have the others");
    }
}

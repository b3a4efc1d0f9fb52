//! Findings of an import: notes about accepted rows, such as phone numbers that can't be dialed.

use serde::{Deserialize, Serialize};

use super::named_enum;

/// Maximum number of samples per finding.
pub const MAX_FINDING_SAMPLES: usize = 5;

/// Maximum number of characters of a cell in a sample.
const MAX_SAMPLE_CHARS: usize = 100;

named_enum! {
    /// Code of an import finding. `count` counts cells for findings with a column, and rows for the others.
    FindingCode {
        /// The cell has no valid phone number for its country, so the lead gets no E.164 number from it.
        InvalidPhone = "invalid_phone",
        /// The phone number has no country code, and the row, the lead and the import specify no country.
        NoCountry = "no_country",
        /// The country is unknown. It is stored as written. Phone numbers without `+` are only read if the import specifies a country.
        UnknownCountry = "unknown_country",
        /// The cell contains more than digits and common separators, or digits that are missing in the E.164 number.
        PhoneRewritten = "phone_rewritten",
        /// The country code was added to the phone number.
        CountryCodeAdded = "country_code_added",
        /// The lead has no phone number.
        NoPhone = "no_phone",
        /// The lead has no time zone, so campaigns with calling hours can't call it.
        NoTimezone = "no_timezone",
        /// The lead asked not to be called.
        DoNotCall = "do_not_call",
        /// The lead is blacklisted.
        Blacklisted = "blacklisted",
        /// The campaign that leads are added to is inactive, so they can't be called in it.
        CampaignInactive = "campaign_inactive",
        /// The initial status of the leads in the campaign isn't dialable.
        StatusNotDialable = "status_not_dialable",
    }
}

impl FindingCode {
    /// Returns true for findings about numbers or leads that can't be called.
    #[must_use]
    pub const fn is_warning(self) -> bool {
        !matches!(self, Self::PhoneRewritten | Self::CountryCodeAdded)
    }
}

/// A finding about rows of an import. The rows are accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImportFinding {
    /// Kind of the finding.
    pub code: FindingCode,
    /// The column that the finding is about, as named in the file; null for findings about whole rows.
    pub column: Option<String>,
    /// Number of cells or rows.
    pub count: u64,
    /// The first samples with different cells, at most 5.
    pub samples: Vec<FindingSample>,
}

/// An example of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FindingSample {
    /// Line of the file where the row starts; the header is line 1.
    pub line: u64,
    /// The cell, at most 100 characters; null for findings about whole rows.
    pub cell: Option<String>,
    /// The value read from the cell, or the most similar known country if the country is unknown; null for none.
    pub result: Option<String>,
}

impl ImportFinding {
    /// Adds a cell or row to the findings of an import. The findings stay ordered by [`FindingCode`].
    pub fn add(findings: &mut Vec<Self>, code: FindingCode, column: Option<&str>, sample: FindingSample) {
        let index = findings.binary_search_by(|finding| (finding.code, finding.column.as_deref()).cmp(&(code, column)));
        let index = index.unwrap_or_else(|index| {
            let column = column.map(str::to_owned);
            findings.insert(index, Self { code, column, count: 0, samples: Vec::new() });
            index
        });
        let finding = &mut findings[index];
        finding.count += 1;
        if finding.samples.len() < MAX_FINDING_SAMPLES {
            let sample = FindingSample { cell: sample.cell.map(shorten), ..sample };
            let is_same_cell = |existing: &FindingSample| existing.cell.is_some() && existing.cell == sample.cell;
            if !finding.samples.iter().any(is_same_cell) {
                finding.samples.push(sample);
            }
        }
    }
}

fn shorten(cell: String) -> String {
    match cell.char_indices().nth(MAX_SAMPLE_CHARS) {
        Some((end, _)) => format!("{}…", &cell[..end]),
        None => cell,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(line: u64, cell: &str) -> FindingSample {
        FindingSample { line, cell: Some(cell.to_owned()), result: None }
    }

    #[test]
    fn counts_all_rows_and_keeps_distinct_samples() {
        let mut findings = Vec::new();
        for line in 2..12 {
            ImportFinding::add(
                &mut findings,
                FindingCode::InvalidPhone,
                Some("Tel"),
                sample(line, &format!("x{line}")),
            );
            ImportFinding::add(&mut findings, FindingCode::InvalidPhone, Some("Mobile"), sample(line, "n/a"));
        }
        let columns: Vec<_> =
            findings.iter().map(|finding| (finding.column.as_deref(), finding.count, finding.samples.len())).collect();
        assert_eq!(columns, [(Some("Mobile"), 10, 1), (Some("Tel"), 10, MAX_FINDING_SAMPLES)]);
        assert_eq!(findings[1].samples[0], sample(2, "x2"));
    }

    #[test]
    fn findings_are_in_documented_order() {
        let mut findings = Vec::new();
        for code in FindingCode::ALL.iter().rev() {
            let sample = FindingSample { line: 2, cell: None, result: None };
            ImportFinding::add(&mut findings, *code, None, sample.clone());
            ImportFinding::add(&mut findings, *code, None, sample);
        }
        assert_eq!(findings.iter().map(|finding| finding.code).collect::<Vec<_>>(), FindingCode::ALL);
        assert!(findings.iter().all(|finding| finding.count == 2 && finding.samples.len() == 2));
    }

    #[test]
    fn shortens_long_cells() {
        let mut findings = Vec::new();
        ImportFinding::add(&mut findings, FindingCode::InvalidPhone, Some("phone"), sample(2, &"ä".repeat(500)));
        let cell = findings[0].samples[0].cell.as_deref().unwrap_or_default();
        assert_eq!(cell.chars().count(), MAX_SAMPLE_CHARS + 1);
    }
}

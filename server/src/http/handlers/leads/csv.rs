//! Leads as CSV that can be imported again and that is safe to open in a spreadsheet.

use std::collections::BTreeSet;

use leadscribe_engine::api::{ExtendedLead, Lead};
use leadscribe_engine::record::{Delimiter, LeadColumn, LeadRecord};

use crate::http::export::csv::write_rows;
use crate::service::leads::lead_lookup::LeadLookup;

/// Member that the server maintains. An import has no such column, so it is exported only on request.
const SERVER_MAINTAINED_MEMBER: &str = "global_updated_at";

/// Member that is exported as a column for each custom field.
const CUSTOM_FIELDS: &str = "custom_fields";

/// Columns of a file.
#[derive(Debug)]
pub struct CsvColumns(Vec<LeadColumn>);

impl CsvColumns {
    /// Creates exactly these columns.
    pub fn from_columns(columns: Vec<LeadColumn>) -> Self {
        Self(columns)
    }

    /// Creates the columns of the members in `fields` and of these custom fields. `None` selects all members that an import accepts.
    pub fn new(fields: Option<&BTreeSet<String>>, custom_fields: &BTreeSet<String>) -> Self {
        let members: Vec<_> = match fields {
            None => LeadRecord::columns().collect(),
            Some(fields) => {
                LeadRecord::columns().chain([SERVER_MAINTAINED_MEMBER]).filter(|name| fields.contains(*name)).collect()
            }
        };
        let members = members.into_iter().filter_map(LeadColumn::from_name);
        Self(members.chain(custom_fields.iter().cloned().map(LeadColumn::Custom)).collect())
    }

    /// True if custom fields are selected.
    pub fn has_custom_fields(fields: Option<&BTreeSet<String>>) -> bool {
        fields.is_none_or(|fields| fields.contains(CUSTOM_FIELDS))
    }

    /// Returns the header line. No name is a formula: only those of custom fields are arbitrary text, and they have a prefix.
    pub fn header_line(&self, delimiter: Delimiter) -> Vec<u8> {
        write_rows([self.0.iter().map(LeadColumn::name)], delimiter)
    }

    /// Returns the lines of a page.
    pub fn data_lines(&self, lookup: &LeadLookup, delimiter: Delimiter) -> Vec<u8> {
        let leads: Vec<ExtendedLead> = match self.0.iter().any(LeadColumn::is_per_campaign) {
            true => lookup.judged_leads().map(ExtendedLead::from).collect(),
            // Skip the reasons that block calls: they take longer to compute than everything else.
            false => lookup.page.leads.iter().map(|entry| entry.lead.to_lead()).map(without_campaigns).collect(),
        };
        let rows = leads.iter().map(|lead| self.0.iter().map(|column| column.cell(lead).unwrap_or_default()));
        write_rows(rows, delimiter)
    }
}

/// Returns a lead for columns that need only its own fields.
fn without_campaigns(lead: Lead) -> ExtendedLead {
    ExtendedLead { lead, campaigns: Vec::new(), not_callable_reasons: Vec::new() }
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::{LeadId, Timestamp};

    use super::*;
    use crate::storage::{LookupLead, LookupResult, SerializedLead};

    fn csv_lines(columns: &CsvColumns, json: &str) -> String {
        let record = LeadRecord::from_json(json, leadscribe_engine::record::WriteMode::Create).unwrap();
        let lead = SerializedLead::from(&record.create(LeadId(7), Timestamp::UNIX_EPOCH));
        let leads = vec![LookupLead { lead, campaign_leads: Vec::new(), is_in_campaign: false }];
        let page = LookupResult { leads, ..LookupResult::default() };
        let lookup = LeadLookup { page, now: Timestamp::UNIX_EPOCH, next_cursor: None, fields: None };
        String::from_utf8(columns.data_lines(&lookup, Delimiter::Comma)).unwrap()
    }

    fn name_set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn columns_default_to_import_columns() {
        let header_line = |columns: CsvColumns| String::from_utf8(columns.header_line(Delimiter::Comma)).unwrap();
        let default_header = header_line(CsvColumns::new(None, &name_set(&["a, b", "tier"])));
        assert!(
            default_header.starts_with("id,first_name,")
                && default_header.ends_with(",updated_at,\"custom.a, b\",custom.tier\n"),
            "{default_header}"
        );
        let fields = name_set(&["global_updated_at", "city", "id", "custom_fields"]);
        assert_eq!(header_line(CsvColumns::new(Some(&fields), &name_set(&[]))), "id,city,global_updated_at\n");
        assert!(CsvColumns::has_custom_fields(Some(&fields)) && CsvColumns::has_custom_fields(None));
        assert!(!CsvColumns::has_custom_fields(Some(&name_set(&["id"]))));
    }

    #[test]
    fn escapes_formulas() {
        let columns = CsvColumns::new(Some(&name_set(&["city"])), &name_set(&[]));
        for (city, cell) in [
            ("=1+1", "'=1+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
            ("-HYPERLINK(1)", "'-HYPERLINK(1)"),
            ("+49 (30) 123-456", "+49 (30) 123-456"),
            ("-33.9", "-33.9"),
            ("Bonn, \\\"B\\\"", "\"Bonn, \"\"B\"\"\""),
            ("a=b", "a=b"),
        ] {
            assert_eq!(csv_lines(&columns, &format!("{{\"city\":\"{city}\"}}")), format!("{cell}\n"));
        }
        let custom = CsvColumns::new(Some(&name_set(&["id"])), &name_set(&["tier", "none"]));
        assert_eq!(csv_lines(&custom, r#"{"custom_fields":{"tier":"=A1","other":5}}"#), "7,,'=A1\n");
        let selected = ["not_callable_reasons", "place"].map(|name| LeadColumn::from_name(name).unwrap());
        let cells = csv_lines(&CsvColumns::from_columns(selected.into()), r#"{"city":"=A1","do_not_call":true}"#);
        assert!(cells.ends_with(",'=A1\n") && cells.contains("campaign"), "{cells}");
    }
}

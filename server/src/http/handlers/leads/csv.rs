//! Leads as CSV that can be imported again and that is safe to open in a spreadsheet.

use std::collections::BTreeSet;

use leadscribe_engine::api::{ExtendedLead, Lead};
use leadscribe_engine::record::{Delimiter, LeadColumn, LeadRecord};

use crate::http::export::csv::records;
use crate::service::look_up_leads::LeadsFound;

/// Member that the server maintains. An import has no such column, so it is exported only on request.
const KEPT: &str = "global_updated_at";

/// Member that is exported as a column for each custom field.
const CUSTOM_FIELDS: &str = "custom_fields";

/// Columns of a file.
#[derive(Debug)]
pub struct Columns(Vec<LeadColumn>);

impl Columns {
    /// Creates exactly these columns.
    pub fn chosen(columns: Vec<LeadColumn>) -> Self {
        Self(columns)
    }

    /// Creates the columns of the members in `fields` and of these custom fields. `None` selects all members that an import accepts.
    pub fn new(fields: Option<&BTreeSet<String>>, custom: &BTreeSet<String>) -> Self {
        let members: Vec<_> = match fields {
            None => LeadRecord::columns().collect(),
            Some(fields) => LeadRecord::columns().chain([KEPT]).filter(|name| fields.contains(*name)).collect(),
        };
        let members = members.into_iter().filter_map(LeadColumn::from_name);
        Self(members.chain(custom.iter().cloned().map(LeadColumn::Custom)).collect())
    }

    /// True if custom fields are selected.
    pub fn have_custom(fields: Option<&BTreeSet<String>>) -> bool {
        fields.is_none_or(|fields| fields.contains(CUSTOM_FIELDS))
    }

    /// Returns the header line. Only the names of custom fields are arbitrary text, and they have a prefix.
    pub fn head(&self, delimiter: Delimiter) -> Vec<u8> {
        records([self.0.iter().map(LeadColumn::name)], delimiter)
    }

    /// Returns the lines of a page.
    pub fn lines(&self, found: &LeadsFound, delimiter: Delimiter) -> Vec<u8> {
        let leads: Vec<ExtendedLead> = match self.0.iter().any(LeadColumn::is_of_campaigns) {
            true => found.judged().map(ExtendedLead::from).collect(),
            // Skip the reasons that block calls: they take longer to compute than everything else.
            false => found.page.leads.iter().map(|one| one.lead.to_lead()).map(alone).collect(),
        };
        let rows = leads.iter().map(|lead| self.0.iter().map(|column| column.cell(lead).unwrap_or_default()));
        records(rows, delimiter)
    }
}

/// Returns a lead for columns that need only its own fields.
fn alone(lead: Lead) -> ExtendedLead {
    ExtendedLead { lead, campaigns: Vec::new(), not_callable_reasons: Vec::new() }
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::{LeadId, Timestamp};
    use leadscribe_lead_index::PackedLead;

    use super::*;
    use crate::storage::{Found, FoundLead};

    fn lines(columns: &Columns, json: &str) -> String {
        let record = LeadRecord::from_json(json, leadscribe_engine::record::Form::Create).unwrap();
        let lead = PackedLead::pack(&record.create(LeadId(7), Timestamp::UNIX_EPOCH));
        let leads = vec![FoundLead { lead, campaign_leads: Vec::new(), in_campaign: false }];
        let page = Found { leads, ..Found::default() };
        let found = LeadsFound { page, now: Timestamp::UNIX_EPOCH, next_cursor: None, fields: None };
        String::from_utf8(columns.lines(&found, Delimiter::Comma)).unwrap()
    }

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn columns_default_to_import_columns() {
        let head = |columns: Columns| String::from_utf8(columns.head(Delimiter::Comma)).unwrap();
        let all = head(Columns::new(None, &names(&["a, b", "tier"])));
        assert!(
            all.starts_with("id,first_name,") && all.ends_with(",updated_at,\"custom.a, b\",custom.tier\n"),
            "{all}"
        );
        let asked = names(&["global_updated_at", "city", "id", "custom_fields"]);
        assert_eq!(head(Columns::new(Some(&asked), &names(&[]))), "id,city,global_updated_at\n");
        assert!(Columns::have_custom(Some(&asked)) && Columns::have_custom(None));
        assert!(!Columns::have_custom(Some(&names(&["id"]))));
    }

    #[test]
    fn escapes_formulas() {
        let columns = Columns::new(Some(&names(&["city"])), &names(&[]));
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
            assert_eq!(lines(&columns, &format!("{{\"city\":\"{city}\"}}")), format!("{cell}\n"));
        }
        let custom = Columns::new(Some(&names(&["id"])), &names(&["tier", "none"]));
        assert_eq!(lines(&custom, r#"{"custom_fields":{"tier":"=A1","other":5}}"#), "7,,'=A1\n");
        let shown = ["not_callable_reasons", "place"].map(|name| LeadColumn::from_name(name).unwrap());
        let cells = lines(&Columns::chosen(shown.into()), r#"{"city":"=A1","do_not_call":true}"#);
        assert!(cells.ends_with(",'=A1\n") && cells.contains("campaign"), "{cells}");
    }
}

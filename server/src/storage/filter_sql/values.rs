//! Values of a field across leads.

use leadscribe_engine::filter::fields::Owner;
use leadscribe_engine::filter::predicate::{FieldRef, TextMatch};

use super::{CustomType, SqlBuilder};

impl SqlBuilder {
    /// Adds a query with a row for each lead and each text `had` that it has in a text field or custom field and that starts with `prefix`,
    /// ignoring ASCII case. Returns no rows for callability, which is not stored in a column.
    pub fn push_field_values(&mut self, field: &FieldRef, prefix: &str) -> &mut Self {
        let (table, select, from) = match field.owner() {
            Owner::Lead => ("l", "SELECT ", "leads l"),
            // A lead may have the same value in several campaigns.
            Owner::CampaignLead => ("c", "SELECT DISTINCT c.lead_id, ", "campaign_leads c"),
            Owner::Campaign => {
                ("p", "SELECT DISTINCT c.lead_id, ", "campaign_leads c JOIN campaigns p ON p.id = c.campaign_id")
            }
            Owner::Verdict => return self.push("SELECT NULL AS had WHERE FALSE"),
        };
        let value = match field {
            FieldRef::Custom(name) => {
                let key = self.add_placeholder(self.dialect.custom_key(name));
                self.dialect.custom_value(&key, CustomType::Text)
            }
            FieldRef::Builtin(id) => format!("{table}.{}", id.field().property),
        };
        self.push(select).push(&value).push(" AS had FROM ").push(from);
        self.push(" WHERE ").push_text_test(&value, TextMatch::StartsWith, prefix)
    }
}

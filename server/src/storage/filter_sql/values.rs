//! Values of a field across leads.

use leadscribe_engine::filter::fields::Owner;
use leadscribe_engine::filter::predicate::{FieldRef, TextMatch};

use super::{CustomType, SqlBuilder};

impl SqlBuilder {
    /// Adds a query for the values of a text field or custom field that start with `prefix`, ignoring ASCII case. It returns one row per
    /// lead and value, in the column `value`. For callability, which has no column, it returns no rows.
    pub fn push_field_values(&mut self, field: &FieldRef, prefix: &str) -> &mut Self {
        let (table, select, from) = match field.owner() {
            Owner::Lead => ("l", "SELECT ", "leads l"),
            // A lead may have the same value in several campaigns.
            Owner::CampaignLead => ("c", "SELECT DISTINCT c.lead_id, ", "campaign_leads c"),
            Owner::Campaign => {
                ("p", "SELECT DISTINCT c.lead_id, ", "campaign_leads c JOIN campaigns p ON p.id = c.campaign_id")
            }
            Owner::Verdict => return self.push("SELECT NULL AS value WHERE FALSE"),
        };
        let value = match field {
            FieldRef::Custom(name) => {
                let key = self.add_placeholder(self.dialect.custom_key(name));
                self.dialect.custom_value(&key, CustomType::Text)
            }
            FieldRef::Builtin(id) => format!("{table}.{}", id.field().property),
        };
        self.push(select).push(&value).push(" AS value FROM ").push(from);
        self.push(" WHERE ").push_text_test(&value, TextMatch::StartsWith, prefix)
    }
}

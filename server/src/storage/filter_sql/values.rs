//! The values that leads have in a field.

use leadscribe_engine::filter::fields::Owner;
use leadscribe_engine::filter::predicate::{FieldRef, TextMatch};

use super::{CustomType, Sql};

impl Sql {
    /// Adds a query with a row for each lead and each text `had` that it has in a text field or custom field and that starts
    /// with `prefix`, A to Z without case. A verdict is in no column: of it there is no row.
    pub fn values(&mut self, field: &FieldRef, prefix: &str) -> &mut Self {
        let value = match field {
            FieldRef::Custom(name) => {
                let key = self.placeholder(self.dialect.custom_key(name));
                self.dialect.custom(&key, CustomType::Text)
            }
            FieldRef::Known(id) => {
                let table = match id.field().owner {
                    Owner::Lead => "l",
                    Owner::CampaignLead => "c",
                    Owner::Campaign => "p",
                    Owner::Verdict => return self.push("SELECT NULL AS had WHERE FALSE"),
                };
                format!("{table}.{}", id.field().property)
            }
        };
        match field.owner() {
            Owner::Lead => self.push("SELECT ").push(&value).push(" AS had FROM leads l"),
            // A lead may have the same in several campaigns.
            Owner::CampaignLead | Owner::Campaign | Owner::Verdict => {
                self.push("SELECT DISTINCT c.lead_id, ").push(&value).push(" AS had FROM campaign_leads c")
            }
        };
        if field.owner() == Owner::Campaign {
            self.push(" JOIN campaigns p ON p.id = c.campaign_id");
        }
        self.push(" WHERE ").text_test(&value, TextMatch::StartsWith, prefix)
    }
}

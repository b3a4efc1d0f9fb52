//! Form values of a campaign as typed, and the JSON they produce.

use leadscribe_engine::api::{CallingHours, Campaign, Weekday};
use leadscribe_engine::diagnostic::Diagnostic;
use leadscribe_engine::record::{CampaignRecord, WriteMode};
use serde_json::{Value, json};

use crate::state::form_state::{changed_members_body, number_value, rebase_input, to_body};

/// Form values. Text that isn't a number stays a string, so that the engine can report it.
#[derive(Clone, Debug, PartialEq)]
pub struct CampaignDraft {
    pub name: String,
    pub active: bool,
    /// True if calls are made at any time. The hours keep their values in case they are needed again.
    pub at_any_time: bool,
    pub start: String,
    pub end: String,
    pub days: Vec<Weekday>,
    pub max_attempts: String,
    pub daily_attempts: String,
    pub freeze_minutes: String,
}

const WORKDAYS: &[Weekday] = &[Weekday::Mon, Weekday::Tue, Weekday::Wed, Weekday::Thu, Weekday::Fri];

impl Default for CampaignDraft {
    /// A new campaign starts with calling hours that are acceptable anywhere.
    fn default() -> Self {
        Self {
            name: String::new(),
            active: true,
            at_any_time: false,
            start: "09:00".to_owned(),
            end: "20:00".to_owned(),
            days: WORKDAYS.to_vec(),
            max_attempts: String::new(),
            daily_attempts: String::new(),
            freeze_minutes: "0".to_owned(),
        }
    }
}

impl From<&Campaign> for CampaignDraft {
    fn from(campaign: &Campaign) -> Self {
        let format_limit = |limit: Option<u32>| limit.map(|limit| limit.to_string()).unwrap_or_default();
        let draft = Self {
            name: campaign.name.clone(),
            active: campaign.active,
            at_any_time: campaign.calling_hours.is_none(),
            max_attempts: format_limit(campaign.max_attempts),
            daily_attempts: format_limit(campaign.daily_attempts),
            freeze_minutes: campaign.freeze_minutes.to_string(),
            ..Self::default()
        };
        let Some(CallingHours { start, end, days }) = &campaign.calling_hours else { return draft };
        let format_time = |time: &chrono::NaiveTime| time.format("%H:%M").to_string();
        Self { start: format_time(start), end: format_time(end), days: days.clone(), ..draft }
    }
}

impl CampaignDraft {
    /// All values as a request body.
    pub fn body(&self) -> String {
        to_body(self.members())
    }

    /// Values that differ from `saved` as a request body; `None` if there are none.
    pub fn changes(&self, saved: &Self) -> Option<String> {
        changed_members_body(self.members(), saved.members())
    }

    /// Rebases the draft from `base` onto `onto`: edited values stay, all others take the value of `onto`.
    pub fn rebase(&mut self, base: &Self, onto: &Self) {
        rebase_input(&mut self.name, &base.name, &onto.name);
        rebase_input(&mut self.active, &base.active, &onto.active);
        rebase_input(&mut self.at_any_time, &base.at_any_time, &onto.at_any_time);
        rebase_input(&mut self.start, &base.start, &onto.start);
        rebase_input(&mut self.end, &base.end, &onto.end);
        rebase_input(&mut self.days, &base.days, &onto.days);
        rebase_input(&mut self.max_attempts, &base.max_attempts, &onto.max_attempts);
        rebase_input(&mut self.daily_attempts, &base.daily_attempts, &onto.daily_attempts);
        rebase_input(&mut self.freeze_minutes, &base.freeze_minutes, &onto.freeze_minutes);
    }

    /// Diagnostics that the engine finds.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        CampaignRecord::from_json(&self.body(), WriteMode::Create).err().unwrap_or_default()
    }

    /// True if the hours run past midnight.
    pub fn is_overnight(&self) -> bool {
        !self.start.is_empty() && !self.end.is_empty() && self.end <= self.start
    }

    fn members(&self) -> [(&'static str, Value); 6] {
        let hours = json!({ "start": self.start, "end": self.end, "days": self.days });
        [
            ("name", json!(self.name)),
            ("active", json!(self.active)),
            ("calling_hours", if self.at_any_time { Value::Null } else { hours }),
            ("max_attempts", number_value(&self.max_attempts)),
            ("daily_attempts", number_value(&self.daily_attempts)),
            ("freeze_minutes", number_value(&self.freeze_minutes)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::diagnostic::Location;

    use crate::features::campaigns::draft::*;

    #[test]
    fn changes_contain_only_edited_fields() {
        let saved = CampaignDraft { name: "Solar".to_owned(), ..Default::default() };
        assert_eq!(saved.changes(&saved), None);
        let draft = CampaignDraft { max_attempts: " 7 ".to_owned(), at_any_time: true, ..saved.clone() };
        assert_eq!(draft.changes(&saved).as_deref(), Some(r#"{"calling_hours":null,"max_attempts":7}"#));
        let hidden = CampaignDraft { start: "10:00".to_owned(), ..draft.clone() };
        assert_eq!(hidden.changes(&draft), None, "hidden calling hours are not a change");
        assert_eq!(saved.diagnostics(), []);
    }

    #[test]
    fn rebase_keeps_edited_values() {
        let base = CampaignDraft { name: "Solar".to_owned(), max_attempts: "5".to_owned(), ..Default::default() };
        let onto = CampaignDraft { max_attempts: "1".to_owned(), at_any_time: true, ..base.clone() };
        let mut draft = CampaignDraft { name: "Wind".to_owned(), days: vec![Weekday::Sat], ..base.clone() };
        draft.rebase(&base, &onto);
        assert_eq!(draft, CampaignDraft { name: "Wind".to_owned(), days: vec![Weekday::Sat], ..onto.clone() });
        // Without edits, all values follow.
        let mut draft = base.clone();
        draft.rebase(&base, &onto);
        assert_eq!(draft, onto);
    }

    #[test]
    fn diagnostics_point_to_their_fields() {
        let draft = CampaignDraft {
            start: String::new(),
            days: Vec::new(),
            max_attempts: "many".to_owned(),
            freeze_minutes: String::new(),
            ..Default::default()
        };
        let mut pointers: Vec<_> = draft.diagnostics().into_iter().map(|diagnostic| diagnostic.location).collect();
        pointers.sort_by_key(|pointer| format!("{pointer:?}"));
        let expected = ["/calling_hours/days", "/calling_hours/start", "/freeze_minutes", "/max_attempts", "/name"];
        assert_eq!(pointers, expected.map(|pointer| Location::Pointer(pointer.to_owned())));
    }
}

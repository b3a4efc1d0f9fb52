//! Bulk actions on leads: the selected leads, the campaign, and the values to write.

use super::value::{FieldInput, count, id, whole};
use crate::api::{CampaignId, LeadId, LeadValues};
use crate::diagnostic::{
    self, Diagnostic, Location, Span,
    catalog::{common, record as texts},
    expected, format_name, member_location, new_diagnostic, required, wrong_type,
};
use crate::filter::{self, CheckedFilter, Limits};
use crate::json::{self, MAX_DIAGNOSTICS, Member, Node, Value};

/// Maximum number of leads per action. The action runs in one transaction, which blocks other writers.
pub const MAX_LEADS: usize = 10_000;

/// [`MAX_LEADS`] as a `u32`.
const MAX_LEADS_U32: u32 = MAX_LEADS as u32;

/// The members of the body, in documented order.
const BODY_MEMBERS: [&str; 6] = ["lead_ids", "filter", "campaign_id", "after_id", "max_leads", "set"];

/// The leads of an action.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// These leads, without duplicates; 1 to [`MAX_LEADS`].
    Leads(Vec<LeadId>),
    /// All leads that match, with the campaign leads that a lookup with the filter returns. Order and page of the filter are ignored.
    Filter(Box<CheckedFilter>),
}

/// A checked action.
#[derive(Clone, Debug, PartialEq)]
pub struct LeadAction {
    /// The selected leads.
    pub target: Target,
    /// Only the leads' campaign leads in this campaign; `None` for all campaigns. Never set if the leads are added to a campaign.
    pub campaign_id: Option<CampaignId>,
    /// Only leads with larger ids; `None` for all.
    pub after_id: Option<LeadId>,
    /// Maximum number of leads, 1 to [`MAX_LEADS`], for running a large action in batches. The leads with the smallest ids are chosen.
    pub max_leads: Option<usize>,
    /// The values to write.
    pub values: LeadValues,
}

impl LeadAction {
    /// Parses an action from JSON text.
    ///
    /// # Errors
    /// All errors of the text, each with its JSON Pointer. Errors in the filter are the same as in a lookup.
    pub fn from_json(json_text: &str, limits: &Limits) -> Result<Self, Vec<Diagnostic>> {
        let document = json::parse(json_text);
        let mut parser =
            ActionParser { text: json_text, limits, draft: ActionDraft::default(), diagnostics: Vec::new() };
        match &document.root {
            Some(Node { value: Value::Object(members), span }) => parser.parse_object(members, *span),
            Some(node) => parser.diagnostics.push(wrong_type(common::object(), node.value.kind()).at(node.span)),
            None if document.diagnostics.is_empty() => {
                parser.diagnostics.push(expected("empty_body", common::json_object(), common::empty_body()));
            }
            None => {}
        }
        let ActionParser { draft, mut diagnostics, .. } = parser;
        // Filter and values are parsed as separate texts, so their JSON errors are found twice.
        diagnostics.retain(|part_diagnostic| {
            !document
                .diagnostics
                .iter()
                .any(|syntax| syntax.code == part_diagnostic.code && syntax.byte_range == part_diagnostic.byte_range)
        });
        let mut diagnostics = diagnostic::merge(document.diagnostics, diagnostics);
        match draft.finish() {
            Some(action) if diagnostics.is_empty() => Ok(action),
            _ => {
                diagnostics.truncate(MAX_DIAGNOSTICS);
                Err(diagnostics)
            }
        }
    }
}

/// The members read so far.
#[derive(Default)]
struct ActionDraft {
    target: Option<Target>,
    campaign_id: Option<CampaignId>,
    after_id: Option<LeadId>,
    max_leads: Option<usize>,
    values: Option<LeadValues>,
}

impl ActionDraft {
    fn finish(self) -> Option<LeadAction> {
        let Self { target, campaign_id, after_id, max_leads, values } = self;
        Some(LeadAction { target: target?, campaign_id, after_id, max_leads, values: values? })
    }
}

struct ActionParser<'a> {
    text: &'a str,
    limits: &'a Limits,
    draft: ActionDraft,
    diagnostics: Vec<Diagnostic>,
}

impl ActionParser<'_> {
    fn parse_object(&mut self, members: &[Member], span: Span) {
        for Member { key, key_span, value } in members {
            if self.diagnostics.len() >= MAX_DIAGNOSTICS {
                break;
            }
            if value.value == Value::Invalid {
                // The diagnostic was already reported.
                continue;
            }
            match key.as_str() {
                "lead_ids" => {
                    let leads = self.parse_lead_ids(value).map(Target::Leads);
                    self.draft.target = leads;
                }
                "filter" => {
                    let filter = filter::parse_and_check(self.source_text(value), self.limits);
                    self.draft.target =
                        self.value_or_report(key, value, filter).map(|filter| Target::Filter(Box::new(filter)));
                }
                "campaign_id" => {
                    let campaign = id(CampaignId)(&FieldInput::Json(value)).map_err(|diagnostic| vec![diagnostic]);
                    self.draft.campaign_id = self.value_or_report(key, value, campaign);
                }
                "after_id" => {
                    let after = id(LeadId)(&FieldInput::Json(value)).map_err(|diagnostic| vec![diagnostic]);
                    self.draft.after_id = self.value_or_report(key, value, after);
                }
                "max_leads" => {
                    let max_leads =
                        count(1, MAX_LEADS_U32)(&FieldInput::Json(value)).map_err(|diagnostic| vec![diagnostic]);
                    self.draft.max_leads =
                        self.value_or_report(key, value, max_leads).map(|max_leads| max_leads as usize);
                }
                "set" => {
                    let set = LeadValues::from_json(self.source_text(value));
                    self.draft.values = self.value_or_report(key, value, set);
                }
                _ => {
                    let unknown =
                        new_diagnostic("unknown_key", texts::unknown_field(texts::lead_action(), format_name(key)));
                    let unknown = unknown.permitted(BODY_MEMBERS).suggest_nearest(key, BODY_MEMBERS);
                    self.diagnostics.push(Diagnostic {
                        location: member_location(key),
                        byte_range: *key_span,
                        ..unknown
                    });
                }
            }
        }
        let find = |field: &str| members.iter().find(|member| member.key == field);
        let key_span_of = |field: &str| find(field).map(|member| member.key_span);
        let opening_brace = Span::new(span.start, span.start + 1);
        match (key_span_of("lead_ids"), key_span_of("filter")) {
            (None, None) => {
                self.diagnostics.push(new_diagnostic("required", texts::leads_required()).at(opening_brace));
            }
            (Some(_), Some(filter)) => {
                let contradiction = new_diagnostic("mutually_exclusive", texts::leads_and_filter());
                self.diagnostics.push(Diagnostic {
                    location: member_location("filter"),
                    byte_range: filter,
                    ..contradiction
                });
            }
            _ => {}
        }
        match find("set") {
            None => self.diagnostics.push(Diagnostic {
                location: member_location("set"),
                byte_range: opening_brace,
                ..required("set")
            }),
            Some(set) if adds_to_campaign(&set.value) => {
                let campaign_contradiction = key_span_of("campaign_id").map(|campaign| {
                    let contradiction = new_diagnostic("mutually_exclusive", texts::two_campaigns());
                    Diagnostic { location: member_location("campaign_id"), byte_range: campaign, ..contradiction }
                });
                self.diagnostics.extend(campaign_contradiction);
            }
            Some(_) => {}
        }
    }

    /// Returns the source text of a value.
    fn source_text(&self, node: &Node) -> &str {
        self.text.get(node.span.start..node.span.end).unwrap_or_default()
    }

    /// Returns the value of a member, or adds its diagnostics with locations relative to the member.
    fn value_or_report<T>(&mut self, field: &str, node: &Node, result: Result<T, Vec<Diagnostic>>) -> Option<T> {
        let diagnostics = match result {
            Ok(value) => return Some(value),
            Err(diagnostics) => diagnostics,
        };
        self.diagnostics.extend(diagnostics.into_iter().map(|diagnostic| {
            let inner_pointer = match &diagnostic.location {
                Location::Pointer(inner_pointer) => inner_pointer.as_str(),
                Location::Parameter(_) | Location::Column(_) => "",
            };
            let byte_range = match diagnostic.byte_range {
                range if range == Span::default() => node.span,
                range_in_member => {
                    Span::new(node.span.start + range_in_member.start, node.span.start + range_in_member.end)
                }
            };
            Diagnostic { location: Location::Pointer(format!("/{field}{inner_pointer}")), byte_range, ..diagnostic }
        }));
        None
    }

    /// Parses the lead ids and removes duplicates; `None` if any of them is invalid.
    fn parse_lead_ids(&mut self, node: &Node) -> Option<Vec<LeadId>> {
        let add =
            |diagnostics: &mut Vec<Diagnostic>, index_pointer: String, byte_range: Span, diagnostic: Diagnostic| {
                if diagnostics.len() < MAX_DIAGNOSTICS {
                    diagnostics.push(Diagnostic {
                        location: Location::Pointer(format!("/lead_ids{index_pointer}")),
                        byte_range,
                        ..diagnostic
                    });
                }
            };
        let diagnostic_count = self.diagnostics.len();
        let Value::Array(items) = &node.value else {
            let error = wrong_type(common::integers(), diagnostic::describe_json(&node.value));
            add(&mut self.diagnostics, String::new(), node.span, error);
            return None;
        };
        if !(1..=MAX_LEADS).contains(&items.len()) {
            let code = if items.is_empty() { "too_few" } else { "too_many" };
            let error = expected(code, texts::lead_ids(MAX_LEADS), items.len());
            add(&mut self.diagnostics, String::new(), node.span, error);
        }
        let mut ids = Vec::with_capacity(items.len().min(MAX_LEADS));
        for (index, item) in items.iter().enumerate().filter(|(_, item)| item.value != Value::Invalid) {
            match whole(1, i64::MAX)(&FieldInput::Json(item)) {
                Ok(id) => ids.push(LeadId(id)),
                Err(diagnostic) => add(&mut self.diagnostics, format!("/{index}"), item.span, diagnostic),
            }
        }
        ids.sort_unstable();
        ids.dedup();
        (self.diagnostics.len() == diagnostic_count).then_some(ids)
    }
}

/// Returns true if these values add leads to a campaign.
fn adds_to_campaign(set: &Node) -> bool {
    matches!(&set.value, Value::Object(members) if members.iter().any(|member| member.key == "campaign_id"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::UserId;
    use crate::record::CampaignLeadRecord;

    fn read(text: &str) -> LeadAction {
        LeadAction::from_json(text, &Limits::default()).unwrap()
    }

    /// Returns location, code and source text of each diagnostic.
    fn diagnostics(text: &str) -> Vec<(String, String, String)> {
        let diagnostics = LeadAction::from_json(text, &Limits::default()).unwrap_err();
        let formatted = diagnostics.into_iter().map(|diagnostic| {
            let Location::Pointer(pointer) = diagnostic.location else { panic!("{diagnostic:?}") };
            (pointer, diagnostic.code, text[diagnostic.byte_range.start..diagnostic.byte_range.end].to_owned())
        });
        formatted.collect()
    }

    fn diagnostic(pointer: &str, code: &str, source: &str) -> (String, String, String) {
        (pointer.to_owned(), code.to_owned(), source.to_owned())
    }

    #[test]
    fn selects_leads_by_ids_or_filter() {
        let action = read(r#"{"lead_ids": [3, 1, 3], "campaign_id": 7, "set": {"weight": -5, "freeze_until": null}}"#);
        assert_eq!(action.target, Target::Leads(vec![LeadId(1), LeadId(3)]));
        assert_eq!(action.campaign_id, Some(CampaignId(7)));
        assert_eq!(action.values.lead_changes(), None);
        let changes = action.values.campaign_lead_changes().unwrap();
        assert_eq!((changes.weight, changes.freeze_until, changes.status), (Some(-5), Some(None), None));

        assert_eq!((action.after_id, action.max_leads), (None, None));
        let action = read(r#"{"lead_ids": [3], "after_id": 2, "max_leads": 500, "set": {"weight": 1}}"#);
        assert_eq!((action.after_id, action.max_leads), (Some(LeadId(2)), Some(500)));

        let action = read(r#"{"filter": {"city": "Bonn"}, "set": {"do_not_call": true, "assigned_user_id": 4}}"#);
        let expected = filter::parse_and_check(r#"{"city":"Bonn"}"#, &Limits::default()).unwrap();
        assert_eq!(action.target, Target::Filter(Box::new(expected)));
        assert_eq!(action.values.lead_changes().unwrap().do_not_call, Some(true));
        assert_eq!(action.values.campaign_lead_changes().unwrap().assigned_user_id, Some(Some(UserId(4))));
    }

    #[test]
    fn adds_leads_to_a_campaign_with_initial_values() {
        let action = read(r#"{"lead_ids": [3], "set": {"campaign_id": 7, "status": "busy", "do_not_call": false}}"#);
        assert_eq!(action.values.campaign_lead_changes(), None, "existing campaign leads stay unchanged");
        assert_eq!(action.values.lead_changes().unwrap().do_not_call, Some(false));
        let expected = CampaignLeadRecord {
            lead_id: Some(LeadId(3)),
            campaign_id: Some(CampaignId(7)),
            status: Some("busy".to_owned()),
            ..CampaignLeadRecord::default()
        };
        assert_eq!(action.values.new_campaign_lead(LeadId(3)), Some(expected));
        let weight = read(r#"{"lead_ids": [3], "campaign_id": 7, "set": {"weight": 5}}"#);
        assert_eq!(weight.values.new_campaign_lead(LeadId(3)), None);

        let both = r#"{"campaign_id": 7, "lead_ids": [3], "set": {"campaign_id": 7}}"#;
        assert_eq!(diagnostics(both), [diagnostic("/campaign_id", "mutually_exclusive", "\"campaign_id\"")]);
        let invalid = r#"{"lead_ids": [3], "set": {"campaign_id": null, "weight": "5"}, "campaign_id": 7}"#;
        assert_eq!(
            diagnostics(invalid),
            [
                diagnostic("/set/campaign_id", "wrong_type", "null"),
                diagnostic("/set/weight", "wrong_type", "\"5\""),
                diagnostic("/campaign_id", "mutually_exclusive", "\"campaign_id\""),
            ]
        );
    }

    #[test]
    fn reports_each_error_at_its_location() {
        let text =
            r#"{"filter": {"ctiy": "Bonn"}, "campaign_id": 0, "set": {"status": "Not so", "wieght": 1}, "dry": 1}"#;
        assert_eq!(
            diagnostics(text),
            [
                diagnostic("/filter/ctiy", "unknown_key", "\"ctiy\""),
                diagnostic("/campaign_id", "out_of_range", "0"),
                diagnostic("/set/status", "invalid_status", "\"Not so\""),
                diagnostic("/set/wieght", "unknown_key", "\"wieght\""),
                diagnostic("/dry", "unknown_key", "\"dry\""),
            ]
        );
        assert_eq!(
            diagnostics(r#"{"lead_ids": [1, "2", 0], "set": {}}"#),
            [
                diagnostic("/lead_ids/1", "wrong_type", "\"2\""),
                diagnostic("/lead_ids/2", "out_of_range", "0"),
                diagnostic("/set", "empty_body", "{}"),
            ]
        );
        assert_eq!(
            diagnostics(r#"{"lead_ids": [1], "after_id": "2", "max_leads": 10001, "set": {"weight": 1}}"#),
            [diagnostic("/after_id", "wrong_type", "\"2\""), diagnostic("/max_leads", "out_of_range", "10001")]
        );
        assert_eq!(diagnostics(r#"{}"#), [diagnostic("", "required", "{"), diagnostic("/set", "required", "{")]);
        let both = r#"{"lead_ids": [1], "filter": {"id": 1}, "set": {"weight": 1}}"#;
        assert_eq!(diagnostics(both), [diagnostic("/filter", "mutually_exclusive", "\"filter\"")]);
        let null = r#"{"lead_ids": [1], "set": {"freeze_until": null, "weight": null}}"#;
        assert_eq!(diagnostics(null), [diagnostic("/set/weight", "wrong_type", "null")]);
    }

    #[test]
    fn rejects_empty_filters_and_lists() {
        assert_eq!(
            diagnostics(r#"{"filter": {}, "set": {"weight": 1}}"#),
            [diagnostic("/filter", "empty_filter", "{}")]
        );
        assert_eq!(
            diagnostics(r#"{"lead_ids": [], "set": {"weight": 1}}"#),
            [diagnostic("/lead_ids", "too_few", "[]")]
        );
        let many = format!(r#"{{"lead_ids": {:?}, "set": {{"weight": 1}}}}"#, (1..=10_001).collect::<Vec<_>>());
        assert_eq!(diagnostics(&many)[0].1, "too_many");
    }

    #[test]
    fn reports_invalid_json_once() {
        for text in [
            "",
            "[]",
            "{",
            r#"{"set": {"weight": 01}, "lead_ids": [1]}"#,
            r#"{"lead_ids": [1,], "set": {"weight": 1}}"#,
        ] {
            let diagnostics = LeadAction::from_json(text, &Limits::default()).unwrap_err();
            for (index, diagnostic) in diagnostics.iter().enumerate() {
                assert!(!diagnostics[..index].contains(diagnostic), "{text}: {diagnostics:?}");
            }
        }
        let twice = r#"{"lead_ids": [1], "set": {"weight": 1, "weight": 2}}"#;
        assert_eq!(diagnostics(twice).len(), 1, "{:?}", diagnostics(twice));
    }
}

//! Bulk actions on leads: the selected leads, the campaign, and the values to write.

use super::value::{Given, count, id, whole};
use crate::api::{CampaignId, LeadId, LeadValues};
use crate::diagnostic::{
    self, Diagnostic, Place, Span, below,
    catalog::{common, record as texts},
    expected, fault, name, required, wrong_type,
};
use crate::filter::{self, CheckedFilter, Limits};
use crate::json::{self, MAX_DIAGNOSTICS, Member, Node, Value};

/// Maximum number of leads per action. The action runs in one transaction, which blocks other writers.
pub const MAX_LEADS: usize = 10_000;

/// [`MAX_LEADS`] as a `u32`.
const MAX_AT_ONCE: u32 = MAX_LEADS as u32;

/// The members of the body, in documented order.
const FIELDS: [&str; 6] = ["lead_ids", "filter", "campaign_id", "after", "at_most", "set"];

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
    pub after: Option<LeadId>,
    /// Maximum number of leads, those with the smallest ids first, for running a large action in batches; 1 to [`MAX_LEADS`].
    pub at_most: Option<usize>,
    /// The values to write.
    pub set: LeadValues,
}

impl LeadAction {
    /// Reads an action from JSON text.
    ///
    /// # Errors
    /// All faults of the text, each with its JSON Pointer. Faults of the filter are the same as in a lookup.
    pub fn from_json(text: &str, limits: &Limits) -> Result<Self, Vec<Diagnostic>> {
        let document = json::read(text);
        let mut reader = Reader { text, limits, draft: Draft::default(), faults: Vec::new() };
        match &document.root {
            Some(Node { value: Value::Object(members), span }) => reader.object(members, *span),
            Some(node) => reader.faults.push(wrong_type(common::object(), node.value.kind()).at(node.span)),
            None if document.faults.is_empty() => {
                reader.faults.push(expected("empty_body", common::json_object(), common::empty_body()));
            }
            None => {}
        }
        let Reader { draft, mut faults, .. } = reader;
        // Filter and values are parsed as separate texts, so their JSON errors are found twice.
        faults.retain(|own| !document.faults.iter().any(|text| text.code == own.code && text.at == own.at));
        let mut faults = diagnostic::merge(document.faults, faults);
        match draft.finish() {
            Some(action) if faults.is_empty() => Ok(action),
            _ => {
                faults.truncate(MAX_DIAGNOSTICS);
                Err(faults)
            }
        }
    }
}

/// The members read so far.
#[derive(Default)]
struct Draft {
    target: Option<Target>,
    campaign_id: Option<CampaignId>,
    after: Option<LeadId>,
    at_most: Option<usize>,
    set: Option<LeadValues>,
}

impl Draft {
    fn finish(self) -> Option<LeadAction> {
        let Self { target, campaign_id, after, at_most, set } = self;
        Some(LeadAction { target: target?, campaign_id, after, at_most, set: set? })
    }
}

struct Reader<'a> {
    text: &'a str,
    limits: &'a Limits,
    draft: Draft,
    faults: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn object(&mut self, members: &[Member], span: Span) {
        for Member { key, key_span, value } in members {
            if self.faults.len() >= MAX_DIAGNOSTICS {
                break;
            }
            if value.value == Value::Invalid {
                // The fault was already reported.
                continue;
            }
            match key.as_str() {
                "lead_ids" => {
                    let leads = self.leads(value).map(Target::Leads);
                    self.draft.target = leads;
                }
                "filter" => {
                    let filter = filter::read(self.written(value), self.limits);
                    self.draft.target = self.inside(key, value, filter).map(|filter| Target::Filter(Box::new(filter)));
                }
                "campaign_id" => {
                    let campaign = id(CampaignId)(&Given::Json(value)).map_err(|fault| vec![fault]);
                    self.draft.campaign_id = self.inside(key, value, campaign);
                }
                "after" => {
                    let after = id(LeadId)(&Given::Json(value)).map_err(|fault| vec![fault]);
                    self.draft.after = self.inside(key, value, after);
                }
                "at_most" => {
                    let most = count(1, MAX_AT_ONCE)(&Given::Json(value)).map_err(|fault| vec![fault]);
                    self.draft.at_most = self.inside(key, value, most).map(|most| most as usize);
                }
                "set" => {
                    let set = LeadValues::from_json(self.written(value));
                    self.draft.set = self.inside(key, value, set);
                }
                _ => {
                    let unknown = fault("unknown_key", texts::unknown_field(texts::lead_action(), name(key)));
                    let unknown = unknown.permitted(FIELDS).suggest_nearest(key, FIELDS);
                    self.faults.push(Diagnostic { place: below(key), at: *key_span, ..unknown });
                }
            }
        }
        let find = |field: &str| members.iter().find(|member| member.key == field);
        let key_of = |field: &str| find(field).map(|member| member.key_span);
        let opening = Span::new(span.start, span.start + 1);
        match (key_of("lead_ids"), key_of("filter")) {
            (None, None) => {
                self.faults.push(fault("required", texts::which_leads()).at(opening));
            }
            (Some(_), Some(filter)) => {
                let both = fault("contradiction", texts::leads_twice());
                self.faults.push(Diagnostic { place: below("filter"), at: filter, ..both });
            }
            _ => {}
        }
        match find("set") {
            None => self.faults.push(Diagnostic { place: below("set"), at: opening, ..required("set") }),
            Some(set) if puts_in(&set.value) => {
                let narrowed = key_of("campaign_id").map(|campaign| {
                    let both = fault("contradiction", texts::put_into_and_in());
                    Diagnostic { place: below("campaign_id"), at: campaign, ..both }
                });
                self.faults.extend(narrowed);
            }
            Some(_) => {}
        }
    }

    /// Returns the source text of a value.
    fn written(&self, node: &Node) -> &str {
        self.text.get(node.span.start..node.span.end).unwrap_or_default()
    }

    /// Returns the value of a member, or adds its faults with places relative to the member.
    fn inside<T>(&mut self, field: &str, node: &Node, read: Result<T, Vec<Diagnostic>>) -> Option<T> {
        let faults = match read {
            Ok(value) => return Some(value),
            Err(faults) => faults,
        };
        self.faults.extend(faults.into_iter().map(|fault| {
            let within = match &fault.place {
                Place::Pointer(within) => within.as_str(),
                Place::Parameter(_) | Place::Column(_) => "",
            };
            let at = match fault.at {
                whole if whole == Span::default() => node.span,
                part => Span::new(node.span.start + part.start, node.span.start + part.end),
            };
            Diagnostic { place: Place::Pointer(format!("/{field}{within}")), at, ..fault }
        }));
        None
    }

    /// Reads the lead ids and removes duplicates; `None` if any of them is invalid.
    fn leads(&mut self, node: &Node) -> Option<Vec<LeadId>> {
        let add = |faults: &mut Vec<Diagnostic>, step: String, at: Span, fault: Diagnostic| {
            if faults.len() < MAX_DIAGNOSTICS {
                faults.push(Diagnostic { place: Place::Pointer(format!("/lead_ids{step}")), at, ..fault });
            }
        };
        let before = self.faults.len();
        let Value::Array(items) = &node.value else {
            let wrong = wrong_type(common::integers(), diagnostic::found(&node.value));
            add(&mut self.faults, String::new(), node.span, wrong);
            return None;
        };
        if !(1..=MAX_LEADS).contains(&items.len()) {
            let code = if items.is_empty() { "too_few" } else { "too_many" };
            let wrong = expected(code, texts::lead_ids(MAX_LEADS), items.len());
            add(&mut self.faults, String::new(), node.span, wrong);
        }
        let mut ids = Vec::with_capacity(items.len().min(MAX_LEADS));
        for (index, item) in items.iter().enumerate().filter(|(_, item)| item.value != Value::Invalid) {
            match whole(1, i64::MAX)(&Given::Json(item)) {
                Ok(id) => ids.push(LeadId(id)),
                Err(fault) => add(&mut self.faults, format!("/{index}"), item.span, fault),
            }
        }
        ids.sort_unstable();
        ids.dedup();
        (self.faults.len() == before).then_some(ids)
    }
}

/// Returns true if these values add leads to a campaign.
fn puts_in(set: &Node) -> bool {
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

    /// Returns place, code and source text of each fault.
    fn faults(text: &str) -> Vec<(String, String, String)> {
        let faults = LeadAction::from_json(text, &Limits::default()).unwrap_err();
        let told = faults.into_iter().map(|fault| {
            let Place::Pointer(place) = fault.place else { panic!("{fault:?}") };
            (place, fault.code, text[fault.at.start..fault.at.end].to_owned())
        });
        told.collect()
    }

    fn told(place: &str, code: &str, at: &str) -> (String, String, String) {
        (place.to_owned(), code.to_owned(), at.to_owned())
    }

    #[test]
    fn selects_leads_by_ids_or_filter() {
        let action = read(r#"{"lead_ids": [3, 1, 3], "campaign_id": 7, "set": {"weight": -5, "freeze_until": null}}"#);
        assert_eq!(action.target, Target::Leads(vec![LeadId(1), LeadId(3)]));
        assert_eq!(action.campaign_id, Some(CampaignId(7)));
        assert_eq!(action.set.of_lead(), None);
        let inside = action.set.of_campaign_lead().unwrap();
        assert_eq!((inside.weight, inside.freeze_until, inside.status), (Some(-5), Some(None), None));

        assert_eq!((action.after, action.at_most), (None, None));
        let action = read(r#"{"lead_ids": [3], "after": 2, "at_most": 500, "set": {"weight": 1}}"#);
        assert_eq!((action.after, action.at_most), (Some(LeadId(2)), Some(500)));

        let action = read(r#"{"filter": {"city": "Bonn"}, "set": {"do_not_call": true, "assigned_user_id": 4}}"#);
        let expected = filter::read(r#"{"city":"Bonn"}"#, &Limits::default()).unwrap();
        assert_eq!(action.target, Target::Filter(Box::new(expected)));
        assert_eq!(action.set.of_lead().unwrap().do_not_call, Some(true));
        assert_eq!(action.set.of_campaign_lead().unwrap().assigned_user_id, Some(Some(UserId(4))));
    }

    #[test]
    fn adds_leads_to_a_campaign_with_initial_values() {
        let action = read(r#"{"lead_ids": [3], "set": {"campaign_id": 7, "status": "busy", "do_not_call": false}}"#);
        assert_eq!(action.set.of_campaign_lead(), None, "what is in a campaign stays as it is");
        assert_eq!(action.set.of_lead().unwrap().do_not_call, Some(false));
        let expected = CampaignLeadRecord {
            lead_id: Some(LeadId(3)),
            campaign_id: Some(CampaignId(7)),
            status: Some("busy".to_owned()),
            ..CampaignLeadRecord::default()
        };
        assert_eq!(action.set.put_in(LeadId(3)), Some(expected));
        let weight = read(r#"{"lead_ids": [3], "campaign_id": 7, "set": {"weight": 5}}"#);
        assert_eq!(weight.set.put_in(LeadId(3)), None);

        let both = r#"{"campaign_id": 7, "lead_ids": [3], "set": {"campaign_id": 7}}"#;
        assert_eq!(faults(both), [told("/campaign_id", "contradiction", "\"campaign_id\"")]);
        let faulty = r#"{"lead_ids": [3], "set": {"campaign_id": null, "weight": "5"}, "campaign_id": 7}"#;
        assert_eq!(
            faults(faulty),
            [
                told("/set/campaign_id", "wrong_type", "null"),
                told("/set/weight", "wrong_type", "\"5\""),
                told("/campaign_id", "contradiction", "\"campaign_id\""),
            ]
        );
    }

    #[test]
    fn reports_each_fault_at_its_place() {
        let text =
            r#"{"filter": {"ctiy": "Bonn"}, "campaign_id": 0, "set": {"status": "Not so", "wieght": 1}, "dry": 1}"#;
        assert_eq!(
            faults(text),
            [
                told("/filter/ctiy", "unknown_key", "\"ctiy\""),
                told("/campaign_id", "out_of_range", "0"),
                told("/set/status", "invalid_status", "\"Not so\""),
                told("/set/wieght", "unknown_key", "\"wieght\""),
                told("/dry", "unknown_key", "\"dry\""),
            ]
        );
        assert_eq!(
            faults(r#"{"lead_ids": [1, "2", 0], "set": {}}"#),
            [
                told("/lead_ids/1", "wrong_type", "\"2\""),
                told("/lead_ids/2", "out_of_range", "0"),
                told("/set", "empty_body", "{}"),
            ]
        );
        assert_eq!(
            faults(r#"{"lead_ids": [1], "after": "2", "at_most": 10001, "set": {"weight": 1}}"#),
            [told("/after", "wrong_type", "\"2\""), told("/at_most", "out_of_range", "10001")]
        );
        assert_eq!(faults(r#"{}"#), [told("", "required", "{"), told("/set", "required", "{")]);
        let both = r#"{"lead_ids": [1], "filter": {"id": 1}, "set": {"weight": 1}}"#;
        assert_eq!(faults(both), [told("/filter", "contradiction", "\"filter\"")]);
        let null = r#"{"lead_ids": [1], "set": {"freeze_until": null, "weight": null}}"#;
        assert_eq!(faults(null), [told("/set/weight", "wrong_type", "null")]);
    }

    #[test]
    fn rejects_empty_filters_and_lists() {
        assert_eq!(faults(r#"{"filter": {}, "set": {"weight": 1}}"#), [told("/filter", "empty_filter", "{}")]);
        assert_eq!(faults(r#"{"lead_ids": [], "set": {"weight": 1}}"#), [told("/lead_ids", "too_few", "[]")]);
        let many = format!(r#"{{"lead_ids": {:?}, "set": {{"weight": 1}}}}"#, (1..=10_001).collect::<Vec<_>>());
        assert_eq!(faults(&many)[0].1, "too_many");
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
            let found = LeadAction::from_json(text, &Limits::default()).unwrap_err();
            for (place, fault) in found.iter().enumerate() {
                assert!(!found[..place].contains(fault), "{text}: {found:?}");
            }
        }
        let twice = r#"{"lead_ids": [1], "set": {"weight": 1, "weight": 2}}"#;
        assert_eq!(faults(twice).len(), 1, "{:?}", faults(twice));
    }
}

//! Fields available in filters: grouped in sections and searchable by name.

use leadscribe_engine::filter::fields::{CUSTOM_PREFIX, FIELDS, Field, FieldId, MAX_CUSTOM_NAME, Owner};
use leadscribe_engine::wording::Language;

use crate::language::language;
use crate::texts::filter;

/// Most frequently used fields, listed first in this order.
const COMMON: [FieldId; 9] = [
    FieldId::FirstName,
    FieldId::LastName,
    FieldId::Phone,
    FieldId::Status,
    FieldId::Callable,
    FieldId::NotCallableReason,
    FieldId::CampaignId,
    FieldId::CampaignName,
    FieldId::City,
];

/// Fields that only programs use, listed last.
const INTERNAL: [FieldId; 2] = [FieldId::CampaignLeadId, FieldId::CampaignLeadLeadId];

/// A field in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pick {
    pub key: String,
    pub label: String,
}

/// Fields under a heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub name: &'static str,
    pub picks: Vec<Pick>,
}

/// Match quality of a field; smaller is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Exact,
    Start,
    Word,
    Part,
    /// A custom field with the typed text as its name.
    Any,
}

/// Fields that match the typed text, and the position of the best match, counted over all sections. Without text, returns all fields and no
/// best match.
pub fn found(typed: &str, custom: &[String]) -> (Vec<Section>, Option<usize>) {
    let wanted = folded(typed);
    let fields = |belongs: &dyn Fn(&Field) -> bool| {
        let fields = FIELDS.iter().filter(|field| belongs(field));
        let fitting = fields.filter_map(|field| Some((fit_of_field(field, &wanted)?, pick(field))));
        fitting.collect::<Vec<_>>()
    };
    let is_other = |field: &Field| !COMMON.contains(&field.id) && !INTERNAL.contains(&field.id);
    let mut common = fields(&|field| COMMON.contains(&field.id));
    let place = |pick: &Pick| COMMON.iter().position(|id| id.field().name() == pick.key);
    common.sort_by_key(|(_, pick)| place(pick));
    let mut in_campaign = fields(&|field| field.owner != Owner::Lead && is_other(field));
    in_campaign.extend(fields(&|field| INTERNAL.contains(&field.id)));
    let sections = [
        (filter::common_fields(), common),
        (filter::lead(), fields(&|field| field.owner == Owner::Lead && is_other(field))),
        (filter::campaign_lead(), in_campaign),
        (filter::custom(), custom_picks(typed, &wanted, custom)),
    ];
    let fits = sections.iter().flat_map(|(_, picks)| picks).map(|(fit, _)| *fit);
    // The position breaks ties: the first of the equally good matches wins.
    let best = fits.enumerate().min_by_key(|(place, fit)| (*fit, *place)).map(|(place, _)| place);
    let sections = sections.into_iter().filter(|(_, picks)| !picks.is_empty());
    let sections =
        sections.map(|(name, picks)| Section { name, picks: picks.into_iter().map(|(_, one)| one).collect() });
    (sections.collect(), best.filter(|_| !wanted.is_empty()))
}

fn pick(field: &Field) -> Pick {
    Pick { key: field.name().to_owned(), label: field.label(language()).to_owned() }
}

/// Matching known custom fields, and a custom field with the typed name.
fn custom_picks(typed: &str, wanted: &str, known: &[String]) -> Vec<(Fit, Pick)> {
    let typed = typed.trim();
    let name = typed.strip_prefix(CUSTOM_PREFIX).unwrap_or(typed);
    let key = |name: &str| format!("{CUSTOM_PREFIX}{name}");
    let fitting = known.iter().filter_map(|one| {
        let fit = fit_of(&folded(one), wanted).into_iter().chain(fit_of(&folded(&key(one)), wanted)).min()?;
        Some((fit, Pick { key: key(one), label: one.clone() }))
    });
    let mut picks: Vec<_> = fitting.collect();
    let is_name = (1..=MAX_CUSTOM_NAME).contains(&name.chars().count());
    if !is_name {
        picks.push((Fit::Any, Pick { key: CUSTOM_PREFIX.to_owned(), label: filter::custom_field().to_owned() }));
    } else if !known.iter().any(|one| one == name) {
        let fit = if name.len() < typed.len() { Fit::Exact } else { Fit::Any };
        picks.push((fit, Pick { key: key(name), label: filter::custom_field_named(name) }));
    }
    picks
}

/// Matches a field by its labels in all languages and by its keys.
fn fit_of_field(field: &Field, wanted: &str) -> Option<Fit> {
    let labels = Language::ALL.iter().map(|one| field.label(*one));
    labels.chain(field.names.iter().copied()).filter_map(|name| fit_of(&folded(name), wanted)).min()
}

fn fit_of(name: &str, wanted: &str) -> Option<Fit> {
    match name.find(wanted)? {
        0 if name.len() == wanted.len() => Some(Fit::Exact),
        0 => Some(Fit::Start),
        at if name[..at].ends_with(' ') => Some(Fit::Word),
        _ => Some(Fit::Part),
    }
}

/// Lowercases the text and replaces other separators with spaces.
fn folded(text: &str) -> String {
    let letters = text.trim().chars().map(|one| if matches!(one, '_' | '-' | '.') { ' ' } else { one });
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(typed: &str, custom: &[&str]) -> Vec<String> {
        let custom: Vec<_> = custom.iter().map(|name| (*name).to_owned()).collect();
        found(typed, &custom).0.into_iter().flat_map(|section| section.picks).map(|pick| pick.key).collect()
    }

    fn best(typed: &str, custom: &[&str]) -> String {
        let custom: Vec<_> = custom.iter().map(|name| (*name).to_owned()).collect();
        let place = found(typed, &custom).1.unwrap();
        keys(typed, &custom.iter().map(String::as_str).collect::<Vec<_>>())[place].clone()
    }

    #[test]
    fn lists_each_field_once_common_fields_first() {
        let all = keys("", &["source"]);
        assert_eq!(all[..3], ["first_name", "last_name", "phone"]);
        assert_eq!(all[all.len() - 4..], ["campaign_lead_id", "lead_id", "custom.source", "custom."]);
        let each: std::collections::BTreeSet<_> = all.iter().collect();
        assert_eq!((all.len(), each.len()), (FIELDS.len() + 2, FIELDS.len() + 2));
        assert_eq!(found("", &[]).1, None);
    }

    #[test]
    fn finds_fields_by_label_and_key() {
        for (typed, key) in [
            ("city", "city"),
            ("Stadt", "city"),
            ("vorn", "first_name"),
            ("first_name", "first_name"),
            ("id", "id"),
            ("rückruf", "callback_at"),
            ("campaign_status", "status"),
            ("normalized2", "phone_normalized2"),
            ("sour", "custom.source"),
            ("custom.tier", "custom.tier"),
            ("zzz", "custom.zzz"),
        ] {
            assert_eq!(best(typed, &["source"]), key, "{typed}");
        }
        assert_eq!(keys("stadt", &[]), ["city", "custom.stadt"]);
        assert_eq!(keys("custom.source", &["source"]), ["custom.source"]);
        assert_eq!(keys("custom.", &["source"]), ["custom.source", "custom."]);
    }
}

//! Fields available in filters: grouped in sections and searchable by name.

use leadscribe_engine::filter::fields::{CUSTOM_PREFIX, FIELDS, Field, FieldId, MAX_CUSTOM_NAME_CHARS, Owner};
use leadscribe_engine::wording::Language;

use crate::i18n::language;
use crate::i18n::texts::{common, filter};
use crate::ui::input::Choice;

/// Most frequently used fields, listed first in this order.
const COMMON_FIELDS: [FieldId; 9] = [
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

/// Fields that only programs use, listed last in their section.
const INTERNAL_FIELDS: [FieldId; 2] = [FieldId::CampaignLeadId, FieldId::CampaignLeadLeadId];

/// Fields under a heading: key and label of each.
pub type Section = (&'static str, Vec<Choice>);

/// Match quality of a field; smaller is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum MatchQuality {
    Exact,
    Prefix,
    WordStart,
    Substring,
    /// A custom field with the typed text as its name.
    CustomName,
}

/// Fields that match the typed text, and the position of the best match, counted over all sections. Without text,
/// returns all fields and no best match.
pub fn search_fields(input: &str, custom: &[String]) -> (Vec<Section>, Option<usize>) {
    let needle = normalize(input);
    let fields = |is_included: &dyn Fn(&Field) -> bool| {
        let fields = FIELDS.iter().filter(|field| is_included(field));
        let matching = fields.filter_map(|field| {
            let option = (field.name().to_owned(), field.label(language()).to_owned());
            Some((field_match_quality(field, &needle)?, option))
        });
        matching.collect::<Vec<_>>()
    };
    let is_other = |field: &Field| !COMMON_FIELDS.contains(&field.id) && !INTERNAL_FIELDS.contains(&field.id);
    let mut common = fields(&|field| COMMON_FIELDS.contains(&field.id));
    common.sort_by_key(|(_, (key, _))| COMMON_FIELDS.iter().position(|id| id.field().name() == key));
    let mut in_campaign = fields(&|field| field.owner != Owner::Lead && is_other(field));
    in_campaign.extend(fields(&|field| INTERNAL_FIELDS.contains(&field.id)));
    let sections = [
        (filter::common_fields(), common),
        (common::lead(), fields(&|field| field.owner == Owner::Lead && is_other(field))),
        (filter::campaign_lead(), in_campaign),
        (common::custom_fields(), custom_field_options(input, &needle, custom)),
    ];
    let qualities = sections.iter().flat_map(|(_, options)| options).map(|(quality, _)| *quality);
    // The position breaks ties: the first of the equally good matches wins.
    let best_index =
        qualities.enumerate().min_by_key(|(position, quality)| (*quality, *position)).map(|(position, _)| position);
    let sections = sections.into_iter().filter(|(_, options)| !options.is_empty());
    let sections = sections.map(|(name, options)| (name, options.into_iter().map(|(_, option)| option).collect()));
    (sections.collect(), best_index.filter(|_| !needle.is_empty()))
}

/// Matching known custom fields, and a custom field with the typed name.
fn custom_field_options(input: &str, needle: &str, known_names: &[String]) -> Vec<(MatchQuality, Choice)> {
    let input = input.trim();
    let name = input.strip_prefix(CUSTOM_PREFIX).unwrap_or(input);
    let key = |name: &str| format!("{CUSTOM_PREFIX}{name}");
    let matching = known_names.iter().filter_map(|known_name| {
        let quality = match_quality(&normalize(known_name), needle)
            .into_iter()
            .chain(match_quality(&normalize(&key(known_name)), needle))
            .min()?;
        Some((quality, (key(known_name), known_name.clone())))
    });
    let mut options: Vec<_> = matching.collect();
    let is_name = (1..=MAX_CUSTOM_NAME_CHARS).contains(&name.chars().count());
    if !is_name {
        options.push((MatchQuality::CustomName, (CUSTOM_PREFIX.to_owned(), filter::custom_field().to_owned())));
    } else if !known_names.iter().any(|known_name| known_name == name) {
        let quality = if name.len() < input.len() { MatchQuality::Exact } else { MatchQuality::CustomName };
        options.push((quality, (key(name), common::custom_field_named(name))));
    }
    options
}

/// Matches a field by its labels in all languages and by its keys.
fn field_match_quality(field: &Field, needle: &str) -> Option<MatchQuality> {
    let labels = Language::ALL.iter().map(|language| field.label(*language));
    labels.chain(field.names.iter().copied()).filter_map(|name| match_quality(&normalize(name), needle)).min()
}

fn match_quality(name: &str, needle: &str) -> Option<MatchQuality> {
    match name.find(needle)? {
        0 if name.len() == needle.len() => Some(MatchQuality::Exact),
        0 => Some(MatchQuality::Prefix),
        index if name[..index].ends_with(' ') => Some(MatchQuality::WordStart),
        _ => Some(MatchQuality::Substring),
    }
}

/// Lowercases the text and replaces `_`, `-` and `.` with spaces.
fn normalize(text: &str) -> String {
    let chars = text.trim().chars().map(|c| if matches!(c, '_' | '-' | '.') { ' ' } else { c });
    chars.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use crate::ui::filter_editor::field_list::*;

    fn search(input: &str, custom: &[&str]) -> (Vec<String>, Option<usize>) {
        let custom: Vec<_> = custom.iter().map(|name| (*name).to_owned()).collect();
        let (sections, best) = search_fields(input, &custom);
        (sections.into_iter().flat_map(|(_, options)| options).map(|(key, _)| key).collect(), best)
    }

    fn keys(input: &str, custom: &[&str]) -> Vec<String> {
        search(input, custom).0
    }

    #[test]
    fn lists_each_field_once_common_fields_first() {
        let all = keys("", &["source"]);
        assert_eq!(all[..3], ["first_name", "last_name", "phone"]);
        assert_eq!(all[all.len() - 4..], ["campaign_lead_id", "lead_id", "custom.source", "custom."]);
        let unique: std::collections::BTreeSet<_> = all.iter().collect();
        assert_eq!((all.len(), unique.len()), (FIELDS.len() + 2, FIELDS.len() + 2));
        assert_eq!(search_fields("", &[]).1, None);
    }

    #[test]
    fn finds_fields_by_label_and_key() {
        for (input, key) in [
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
            let (keys, best) = search(input, &["source"]);
            assert_eq!(keys[best.unwrap()], key, "{input}");
        }
        assert_eq!(keys("stadt", &[]), ["city", "custom.stadt"]);
        assert_eq!(keys("custom.source", &["source"]), ["custom.source"]);
        assert_eq!(keys("custom.", &["source"]), ["custom.source", "custom."]);
    }
}

//! Wording of filters in every language: operator names, and the parts of the sentence that [`super::explain`] builds. Names of fields are
//! used unchanged, so that no text depends on their grammatical gender.

use super::fields::{Field, FieldId};
use crate::wording::{Language, wording};

wording! {
    all_leads: "all leads" | "alle Leads";
    leads(conditions): "leads {conditions}" | "Leads {conditions}";

    // Operators, between a field and a value
    is: "is" | "ist";
    is_not: "is not" | "ist nicht";
    is_any_of: "is any of" | "ist eines von";
    is_after: "is after" | "ist nach";
    is_at_or_after: "is at or after" | "ist ab";
    is_before: "is before" | "ist vor";
    is_at_or_before: "is at or before" | "ist bis einschließlich";
    is_greater: "is greater than" | "ist größer als";
    is_at_least: "is at least" | "ist mindestens";
    is_less: "is less than" | "ist kleiner als";
    is_at_most: "is at most" | "ist höchstens";
    contains: "contains" | "enthält";
    starts_with: "starts with" | "beginnt mit";
    ends_with: "ends with" | "endet auf";
    has_no_value: "is empty" | "ist leer";

    // Joining
    and: "and" | "und";
    or: "or" | "oder";
    either(first, last): "either {first} or {last}" | "entweder {first} oder {last}";
    others(count): "{count} others" | "{count} andere";
    of_any_kind: "matching anything" | "mit beliebigem Inhalt";
    of_no_kind: "matching nothing" | "ohne Treffer";
    quoted(text): "“{text}”" | "„{text}“";

    // One field
    without(field): "without {field}" | "ohne {field}";
    with_any(field): "with any {field}" | "mit {field} (beliebig)";
    with_or_without(field): "with or without {field}" | "mit oder ohne {field}";
    with_empty_list(field): "with {field} in an empty list (matches nothing)" | "mit {field} aus einer leeren Liste (kein Treffer)";
    with(field, value): "with {field} {value}" | "mit {field} {value}";
    with_or_none(field, value): "with {field} {value}, or without one" | "mit {field} {value}, oder ohne";
    with_other(field, value): "with {field} other than {value}" | "mit {field} außer {value}";
    with_other_if_any(field, value): "with {field} not {value} (or empty)" | "mit {field} außer {value} (oder leer)";
    containing(field, part): "with {field} containing {part}" | "mit {part} im Feld {field}";
    starting_with(field, part): "with {field} starting with {part}" | "mit {part} am Anfang des Felds {field}";
    ending_with(field, part): "with {field} ending with {part}" | "mit {part} am Ende des Felds {field}";
    custom_field(name): "custom field {name}" | "{name} (eigenes Feld)";

    // Bounds
    after: "after" | "nach dem";
    before: "before" | "vor dem";
    on_or_after: "on or after" | "ab dem";
    on_or_before: "on or before" | "bis einschließlich";
    at_or_after: "at or after" | "ab dem";
    at_or_before: "at or before" | "bis einschließlich";
    after_text: "after" | "nach";
    before_text: "before" | "vor";
    from_text: "at or after" | "ab";
    to_text: "at or before" | "bis einschließlich";
    above: "above" | "über";
    below: "below" | "unter";
    more_than: "more than" | "mehr als";
    fewer_than: "fewer than" | "weniger als";
    at_least: "at least" | "mindestens";
    at_most: "at most" | "höchstens";

    // Numbers of calls
    with_call(bounds): "with {bounds} call" | "mit {bounds} Anruf";
    with_calls(bounds): "with {bounds} calls" | "mit {bounds} Anrufen";
    with_call_today(bounds): "with {bounds} call today" | "mit {bounds} Anruf heute";
    with_calls_today(bounds): "with {bounds} calls today" | "mit {bounds} Anrufen heute";

    // Events at a time
    happened(what, bounds): "{what} {bounds}" | "{what} {bounds}";
    happened_on(what, date): "{what} on {date}" | "{what} am {date}";
    happened_at(what, time): "{what} at {time}" | "{what} am {time}";
    not_happened_on(what, date): "not {what} on {date}" | "nicht {what} am {date}";
    not_happened_at(what, time): "not {what} at {time}" | "nicht {what} am {time}";
    never_called: "never called" | "nie angerufen";
    called_before: "called before" | "schon angerufen";

    // Marks
    do_not_call: "marked do-not-call" | "als „Nicht anrufen“ markiert";
    may_call: "not marked do-not-call" | "nicht als „Nicht anrufen“ markiert";
    blacklisted: "blacklisted" | "auf der Sperrliste";
    not_blacklisted: "not blacklisted" | "nicht auf der Sperrliste";
    callable: "callable now" | "jetzt anrufbar";
    not_callable: "not callable now" | "jetzt nicht anrufbar";
    not_callable_for(reasons): "not callable now ({reasons})" | "jetzt nicht anrufbar ({reasons})";
    without_reason(reasons): "not blocked by {reasons}" | "nicht gesperrt wegen {reasons}";

    // Campaigns
    in_campaign(list): "in campaign {list}" | "in Kampagne {list}";
    in_other_campaign(list): "in a campaign other than {list}" | "in einer anderen Kampagne als {list}";
    in_any_campaign: "in any campaign" | "in irgendeiner Kampagne";
    in_no_campaign: "in no campaign" | "in keiner Kampagne";
    in_campaign_with(which): "in a campaign {which}" | "in einer Kampagne {which}";

    // Order
    sorted_by(keys): "sorted by {keys}" | "sortiert nach {keys}";
    then: ", then " | ", dann ";
    latest_first(key): "{key} (latest first)" | "{key} (neueste zuerst)";
    z_to_a(key): "{key} (Z to A)" | "{key} (Z bis A)";
    largest_first(key): "{key} (largest first)" | "{key} (größte zuerst)";

    // Page
    total_only: "total only" | "nur die Gesamtzahl";
    at_most_count(count): "at most {count}" | "höchstens {count}";
    at_most_after(count, offset): "at most {count} after the first {offset}" | "höchstens {count} nach den ersten {offset}";
    from_start: "from the start (cursor)" | "von Anfang an (Cursor)";
    from_last_page: "continuing after the previous page" | "ab dem Ende der vorigen Seite";
    showing_only(members): "showing only {members}" | "gezeigt werden nur {members}";
    with_all_campaigns: "with all their campaigns" | "mit allen ihren Kampagnen";

    // Fields with a different name within a sentence
    campaign_name: "campaign name" | "Kampagnenname";
    assigned_user: "assigned user" | "Benutzer";
    end_of_freeze: "end of freeze" | "Ende der Pause";
    reason_not_to_call: "reason not to call" | "Sperrgrund";
    calls: "calls" | "Anrufzahl";
    calls_today: "calls today" | "Anrufzahl heute";
    creation_time: "creation time" | "Anlagezeit";
    update_time: "update time" | "Änderungszeit";
    global_update_time: "update time (including campaigns)" | "Änderungszeit (auch in Kampagnen)";
    added_to_campaign: "added to campaign" | "Aufnahme in die Kampagne";
    updated_in_campaign: "updated in campaign" | "Änderung in der Kampagne";
    id: "ID" | "ID";

    // Verbs
    created: "created" | "angelegt";
    updated: "updated" | "geändert";
    global_update_verb: "updated (including campaigns)" | "geändert (auch in Kampagnen)";
    added: "added to the campaign" | "zur Kampagne hinzugefügt";
    campaign_lead_update_verb: "updated in the campaign" | "in der Kampagne geändert";
    last_called: "last called" | "zuletzt angerufen";
    bought: "bought" | "gekauft";
    born: "born" | "geboren";
}

/// Returns the name of a field in conditions and sort orders.
pub(super) fn noun(field: &Field, language: Language) -> String {
    let phrase = match field.id {
        FieldId::CampaignName => campaign_name,
        FieldId::AssignedUserId => assigned_user,
        FieldId::FreezeUntil => end_of_freeze,
        FieldId::NotCallableReason => reason_not_to_call,
        FieldId::CallsCount => calls,
        FieldId::CallsToday => calls_today,
        FieldId::CreatedAt => creation_time,
        FieldId::UpdatedAt => update_time,
        FieldId::GlobalUpdatedAt => global_update_time,
        FieldId::CampaignCreatedAt => added_to_campaign,
        FieldId::CampaignUpdatedAt => updated_in_campaign,
        _ => return field.label_in_sentence(language),
    };
    phrase(language).to_owned()
}

/// Returns the description of the event at the time of a field.
pub(super) fn verb(id: FieldId, language: Language) -> Option<&'static str> {
    let phrase = match id {
        FieldId::CreatedAt => created,
        FieldId::UpdatedAt => updated,
        FieldId::GlobalUpdatedAt => global_update_verb,
        FieldId::CampaignCreatedAt => added,
        FieldId::CampaignUpdatedAt => campaign_lead_update_verb,
        FieldId::LastCallAt => last_called,
        FieldId::PurchaseDate => bought,
        FieldId::Birthdate => born,
        _ => return None,
    };
    Some(phrase(language))
}

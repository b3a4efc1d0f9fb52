//! Guesses the field of a column from its name.

use super::rule::Record;
use super::{CallDetailReader, CallRecord, CampaignLeadRecord, CampaignRecord, LeadRecord, REASON_COLUMNS};
use crate::api::ImportKind;
use crate::diacritics::strip_diacritic;
use crate::filter::fields::CUSTOM_PREFIX;

/// Returns the columns that a file of this kind may have, excluding custom fields, in documented order.
pub fn column_names(kind: ImportKind) -> Vec<&'static str> {
    match kind {
        ImportKind::Campaigns => CampaignRecord::columns().collect(),
        ImportKind::Leads => LeadRecord::columns().collect(),
        ImportKind::CampaignLeads => CampaignLeadRecord::columns().collect(),
        ImportKind::Calls => CallRecord::columns().collect(),
    }
}

/// Returns true if a file of this kind may have columns of custom fields.
pub fn has_custom_fields(kind: ImportKind) -> bool {
    matches!(kind, ImportKind::Leads) && LeadRecord::HAS_CUSTOM_FIELDS
}

/// Returns the guessed field of each column; `None` for unknown names. No field is guessed twice: the second of two columns that look like a
/// phone number becomes the second phone number.
pub fn guess_fields(kind: ImportKind, header: &[impl AsRef<str>]) -> Vec<Option<String>> {
    let columns = column_names(kind);
    let mut guessed: Vec<Option<String>> = vec![None; header.len()];
    let assign = |guessed: &mut Vec<Option<String>>, index: usize, field: &str| {
        let can_assign = guessed[index].is_none() && !guessed.iter().flatten().any(|assigned| assigned == field);
        if can_assign {
            guessed[index] = Some(field.to_owned());
        }
        can_assign
    };
    // Exact field names come first, so that no guess takes their place.
    for (index, column_name) in header.iter().enumerate() {
        let column_name = column_name.as_ref();
        let is_custom =
            has_custom_fields(kind) && column_name.strip_prefix(CUSTOM_PREFIX).is_some_and(|name| !name.is_empty());
        if is_custom || columns.contains(&column_name) {
            assign(&mut guessed, index, column_name);
        }
    }
    for (index, column_name) in header.iter().enumerate() {
        let column_name = normalize_name(column_name.as_ref());
        // An id of another system must not be used as our id, because it would overwrite an unrelated record.
        let by_name =
            columns.iter().filter(|column| normalize_name(column) == column_name && !is_foreign_id(kind, &column_name));
        let by_known_name =
            known_names(kind).iter().filter(|(_, words)| words.split(' ').any(|word| word == column_name));
        let mut fields = by_name.copied().chain(by_known_name.map(|(field, _)| *field));
        fields.find(|field| assign(&mut guessed, index, field));
    }
    guessed
}

/// Returns true for names that are recognized as a field in any kind of file, and for columns of call detail records.
pub fn is_known_column(name: &str) -> bool {
    let names = [name];
    !name.is_empty()
        && (ImportKind::ALL.iter().any(|kind| guess_fields(*kind, &names)[0].is_some())
            || CallDetailReader::fields_from(name).next().is_some()
            || REASON_COLUMNS.contains(&name))
}

fn is_foreign_id(kind: ImportKind, column_name: &str) -> bool {
    kind == ImportKind::Leads && column_name == "id"
}

/// Returns the letters and digits of a name, in lower case and without accents.
fn normalize_name(name: &str) -> String {
    let mut letters = String::with_capacity(name.len());
    for c in name.chars().flat_map(char::to_lowercase) {
        match strip_diacritic(c) {
            Some(unmarked) => letters.push_str(unmarked),
            None if c.is_alphanumeric() => letters.push(c),
            None => {}
        }
    }
    letters
}

/// Fields with their common English and German names, normalized by [`normalize_name`].
fn known_names(kind: ImportKind) -> &'static [(&'static str, &'static str)] {
    match kind {
        ImportKind::Campaigns => &[
            ("name", "campaign campaignname title kampagne kampagnenname bezeichnung"),
            ("active", "isactive enabled aktiv"),
            ("calling_hours_start", "start from hoursfrom beginn von"),
            ("calling_hours_end", "end until till hoursto ende bis"),
            ("calling_hours_days", "days weekdays tage wochentage"),
            ("max_attempts", "attempts maxcalls maximumattempts versuche maximaleversuche"),
            ("daily_attempts", "attemptsperday callsperday versucheprotag"),
            ("freeze_minutes", "freeze freezetime pause sperrzeit"),
        ],
        ImportKind::Leads => &[
            ("first_name", "firstname forename givenname vorname prenom nombre"),
            ("last_name", "lastname surname familyname name nachname familienname zuname"),
            ("phone", PHONE_NAMES),
            ("phone2", PHONE_NAMES),
            ("phone2", "secondphone otherphone alternatephone telefon2 rufnummer2"),
            ("phone_normalized", "e164 phonee164"),
            ("email", "mail emailaddress mailaddress emailadresse mailadresse"),
            ("address1", "address addressline1 street streetaddress adresse strasse anschrift strassehausnummer"),
            ("address2", "addressline2 street2 adresszusatz adresse2"),
            ("city", "town place ort stadt wohnort"),
            ("state", "province region county bundesland"),
            ("zip", "zipcode postcode postalcode plz postleitzahl"),
            ("country", "countrycode nation land staat landercode"),
            ("timezone", "tz zeitzone"),
            ("lat", "latitude breitengrad"),
            ("lng", "lon long longitude langengrad"),
            (
                "original_identifier",
                "id leadid externalid foreignid recordid contactid crmid customerid customerno customernumber identifier \
                 reference kundennummer kundennr kundenid kontaktid referenz",
            ),
            ("support_site", "support supportpage"),
            ("purchase_site", "shop store site website webshop"),
            ("purchase_date", "dateofpurchase orderdate bought kaufdatum bestelldatum"),
            ("purchase_amount", "amount price total ordervalue betrag preis summe kaufbetrag"),
            ("purchase_product_name", "product productname article produkt produktname artikel"),
            ("birthdate", "birthday dateofbirth dob born geburtsdatum geburtstag geboren"),
            ("do_not_call", "dnc donotcontact nocalls nichtanrufen werbesperre"),
            ("blacklisted", "blacklist blocked gesperrt"),
            ("created_at", "created createdon creationdate angelegt erstellt angelegtam erstelltam"),
            ("updated_at", "updated updatedon modified modifiedat lastmodified geandert geandertam"),
        ],
        ImportKind::CampaignLeads => &[
            ("lead_id", "lead leadnumber"),
            ("campaign_id", "campaign kampagne kampagnenid"),
            ("status", "state stand"),
            ("weight", "priority prio rank prioritat gewicht"),
            ("calls_count", "calls attempts callcount anrufe versuche"),
            ("calls_today", "attemptstoday anrufeheute"),
            ("last_call_at", "lastcall lastcalled lastattempt letzteranruf"),
            ("last_call_status", "lastresult lastoutcome letztesergebnis"),
            ("freeze_until", "frozenuntil gesperrtbis zurueckgestelltbis zuruckgestelltbis"),
            ("callback_at", "callback followup wiedervorlage ruckruf"),
            ("assigned_user_id", "assignedto agentid owner bearbeiter"),
        ],
        ImportKind::Calls => &[
            ("id", "callid"),
            ("original_identifier", "uniqueid externalid callreference reference"),
            ("lead_id", "lead"),
            ("campaign_id", "campaign kampagne"),
            ("agent", "agentname operator user mitarbeiter agentin bearbeiter"),
            ("direction", "type calltype richtung"),
            ("caller_number", "caller from source src anrufer"),
            ("callee_number", "callee to destination dst angerufener ziel"),
            ("status", "result outcome disposition ergebnis"),
            ("started_at", "start started starttime begin beginn"),
            ("ended_at", "end ended endtime ende"),
            ("recording", "file filename recordingfile audio aufnahme datei dateiname"),
            ("created_at", "date time datetime datum zeit"),
        ],
    }
}

/// Names of the first and the second phone number.
const PHONE_NAMES: &str = "phone phonenumber phoneno telephone telephonenumber tel telno telnumber mobile mobilephone mobileno \
     mobilenumber cell cellphone msisdn number contactnumber telefon telefonnummer telefonnr rufnummer mobil mobilnummer \
     mobiltelefon handy handynummer festnetz";

#[cfg(test)]
mod tests {
    use super::*;

    fn guess_names(kind: ImportKind, header: &[&str]) -> Vec<String> {
        guess_fields(kind, header).into_iter().map(|field| field.unwrap_or_else(|| "-".to_owned())).collect()
    }

    #[test]
    fn recognizes_names_in_any_spelling() {
        assert_eq!(
            guess_names(
                ImportKind::Leads,
                &[
                    "First Name",
                    "SURNAME",
                    "Phone number",
                    "E-Mail",
                    "Post code",
                    "Date of birth",
                    "Favourite colour",
                    ""
                ]
            ),
            ["first_name", "last_name", "phone", "email", "zip", "birthdate", "-", "-"]
        );
        assert_eq!(
            guess_names(
                ImportKind::Leads,
                &["Vorname", "Nachname", "Straße", "PLZ", "Ort", "Land", "Längengrad", "geändert am", "Kunden-Nr."]
            ),
            [
                "first_name",
                "last_name",
                "address1",
                "zip",
                "city",
                "country",
                "lng",
                "updated_at",
                "original_identifier"
            ]
        );
        assert_eq!(
            guess_names(ImportKind::CampaignLeads, &["Lead ID", "Kampagne", "Priorität"]),
            ["lead_id", "campaign_id", "weight"]
        );
        assert_eq!(
            guess_names(ImportKind::Calls, &["Call-ID", "From", "To"]),
            ["id", "caller_number", "callee_number"]
        );
        assert_eq!(guess_names(ImportKind::Campaigns, &["Title", "Active?"]), ["name", "active"]);
    }

    #[test]
    fn never_guesses_a_field_twice() {
        assert_eq!(
            guess_names(ImportKind::Leads, &["Mobile", "Telefon", "Fax", "Handy"]),
            ["phone", "phone2", "-", "-"]
        );
        assert_eq!(guess_names(ImportKind::Leads, &["Telephone", "phone"]), ["phone2", "phone"]);
        assert_eq!(guess_names(ImportKind::Leads, &["city", "city"]), ["city", "-"]);
    }

    #[test]
    fn foreign_ids_are_not_our_ids() {
        assert_eq!(guess_names(ImportKind::Leads, &["ID"]), ["original_identifier"]);
        assert_eq!(guess_names(ImportKind::Leads, &["id", "External ID"]), ["id", "original_identifier"]);
    }

    #[test]
    fn only_leads_have_custom_fields() {
        assert_eq!(guess_names(ImportKind::Leads, &["custom.tier", "custom."]), ["custom.tier", "-"]);
        assert_eq!(guess_names(ImportKind::Calls, &["custom.tier"]), ["-"]);
    }

    #[test]
    fn known_words_are_normalized_and_name_a_field() {
        for kind in ImportKind::ALL {
            for (field, words) in known_names(*kind) {
                assert!(column_names(*kind).contains(field), "{kind} have no {field}");
                for word in words.split(' ') {
                    assert_eq!(word, normalize_name(word), "{field}");
                }
            }
        }
    }
}

//! Hints for rejected time zone names: the zone meant by an abbreviation or offset, or a zone with a similar name.

use super::Zone;
use crate::diacritics;
use crate::diagnostic::{Diagnostic, catalog::zone as texts, or_list};

/// Common abbreviations with the zones they stand for. An abbreviation used in several countries has several zones.
const ABBREVIATIONS: [(&str, &[&str]); 47] = [
    ("EST EDT ET", &["America/New_York"]),
    ("CDT CT", &["America/Chicago"]),
    ("CST", &["America/Chicago", "Asia/Shanghai"]),
    ("MST MDT MT", &["America/Denver"]),
    ("PST PDT PT", &["America/Los_Angeles"]),
    ("AKST AKDT", &["America/Anchorage"]),
    ("HST HDT HAST HADT", &["Pacific/Honolulu"]),
    ("AST", &["America/Halifax", "Asia/Riyadh"]),
    ("ADT", &["America/Halifax"]),
    ("NST NDT", &["America/St_Johns"]),
    ("CHST", &["Pacific/Guam"]),
    ("BRT BRST", &["America/Sao_Paulo"]),
    ("ART", &["America/Argentina/Buenos_Aires"]),
    ("CLT CLST", &["America/Santiago"]),
    ("COT", &["America/Bogota"]),
    ("PET", &["America/Lima"]),
    ("VET", &["America/Caracas"]),
    ("BST", &["Europe/London", "Asia/Dhaka"]),
    ("WEST", &["Europe/Lisbon"]),
    ("CEST MEZ MESZ", &["Europe/Berlin"]),
    ("EEST OEZ OESZ", &["Europe/Athens"]),
    ("MSK MSD", &["Europe/Moscow"]),
    ("TRT", &["Europe/Istanbul"]),
    ("IST", &["Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"]),
    ("IDT", &["Asia/Jerusalem"]),
    ("GST", &["Asia/Dubai"]),
    ("IRST IRDT", &["Asia/Tehran"]),
    ("PKT", &["Asia/Karachi"]),
    ("NPT", &["Asia/Kathmandu"]),
    ("ICT", &["Asia/Bangkok", "Asia/Ho_Chi_Minh"]),
    ("WIB", &["Asia/Jakarta"]),
    ("WITA", &["Asia/Makassar"]),
    ("WIT", &["Asia/Jayapura"]),
    ("SGT", &["Asia/Singapore"]),
    ("MYT", &["Asia/Kuala_Lumpur"]),
    ("HKT", &["Asia/Hong_Kong"]),
    ("PHT", &["Asia/Manila"]),
    ("JST", &["Asia/Tokyo"]),
    ("KST", &["Asia/Seoul"]),
    ("AWST", &["Australia/Perth"]),
    ("ACST ACDT", &["Australia/Adelaide", "Australia/Darwin"]),
    ("AEST AEDT", &["Australia/Sydney", "Australia/Brisbane"]),
    ("NZST NZDT", &["Pacific/Auckland"]),
    ("SAST", &["Africa/Johannesburg"]),
    ("CAT", &["Africa/Maputo"]),
    ("EAT", &["Africa/Nairobi"]),
    ("WAT", &["Africa/Lagos"]),
];

/// Common names of time zones in North America, without a suffix such as `Time`.
const COMMON_NAMES: [(&str, &str); 8] = [
    ("eastern", "America/New_York"),
    ("central", "America/Chicago"),
    ("mountain", "America/Denver"),
    ("pacific", "America/Los_Angeles"),
    ("alaska", "America/Anchorage"),
    ("hawaii", "Pacific/Honolulu"),
    ("atlantic", "America/Halifax"),
    ("newfoundland", "America/St_Johns"),
];

/// Offsets from UTC in minutes, each with a zone that has it as standard time.
const ZONES_BY_OFFSET: [(i32, &str); 33] = [
    (-660, "Pacific/Pago_Pago"),
    (-600, "Pacific/Honolulu"),
    (-570, "Pacific/Marquesas"),
    (-540, "America/Anchorage"),
    (-480, "America/Los_Angeles"),
    (-420, "America/Denver"),
    (-360, "America/Chicago"),
    (-300, "America/New_York"),
    (-240, "America/Halifax"),
    (-210, "America/St_Johns"),
    (-180, "America/Sao_Paulo"),
    (-120, "America/Noronha"),
    (-60, "Atlantic/Azores"),
    (0, "UTC"),
    (60, "Europe/Berlin"),
    (120, "Europe/Athens"),
    (180, "Europe/Moscow"),
    (210, "Asia/Tehran"),
    (240, "Asia/Dubai"),
    (270, "Asia/Kabul"),
    (300, "Asia/Karachi"),
    (330, "Asia/Kolkata"),
    (345, "Asia/Kathmandu"),
    (360, "Asia/Dhaka"),
    (390, "Asia/Yangon"),
    (420, "Asia/Bangkok"),
    (480, "Asia/Shanghai"),
    (540, "Asia/Tokyo"),
    (570, "Australia/Adelaide"),
    (600, "Australia/Sydney"),
    (660, "Pacific/Guadalcanal"),
    (720, "Pacific/Auckland"),
    (780, "Pacific/Tongatapu"),
];

/// Adds a suggestion to the diagnostic: the zone that the rejected name probably means, if known.
pub fn add_suggestion(diagnostic: Diagnostic, name: &str) -> Diagnostic {
    if let Some(zones) = zones_for_abbreviation(name) {
        let quoted: Vec<_> = zones.iter().map(|zone| format!("`{zone}`")).collect();
        return diagnostic.suggest(texts::zone_of_abbreviation(or_list(quoted.iter().map(String::as_str))));
    }
    if let Some(minutes) = offset_minutes(name) {
        let zone = ZONES_BY_OFFSET.iter().find(|(offset, _)| *offset == minutes).map(|(_, zone)| *zone);
        return match zone {
            Some("UTC") => diagnostic.did_you_mean("UTC"),
            Some(zone) => diagnostic.suggest(texts::zone_of_offset(zone)),
            None => diagnostic.suggest(texts::no_offset()),
        };
    }
    match zone_for_common_name(name).or_else(|| nearest_zone(name)) {
        Some(zone) => diagnostic.did_you_mean(zone.current().name()),
        None => diagnostic,
    }
}

/// Returns the zone for a common name, such as `Eastern`, `Eastern Time` or `Eastern Time (US & Canada)`.
fn zone_for_common_name(name: &str) -> Option<Zone> {
    let lower = name.to_ascii_lowercase();
    let base_name = lower.split('(').next().unwrap_or_default().trim();
    let base_name = [" daylight time", " standard time", " time"]
        .iter()
        .find_map(|suffix| base_name.strip_suffix(suffix))
        .unwrap_or(base_name);
    let (_, zone) = COMMON_NAMES.iter().find(|(common_name, _)| *common_name == base_name)?;
    Zone::find(zone)
}

/// Returns the zones for an abbreviation, in any letter case and with or without points.
fn zones_for_abbreviation(name: &str) -> Option<&'static [&'static str]> {
    let letters: String = name.chars().filter(|letter| *letter != '.').collect();
    let entry = ABBREVIATIONS.iter().find(|(abbreviations, _)| {
        abbreviations.split(' ').any(|abbreviation| abbreviation.eq_ignore_ascii_case(&letters))
    });
    entry.map(|(_, zones)| *zones)
}

/// Returns the minutes east of UTC for a fixed offset: `+01:00`, `UTC-5`, `GMT+0530`, `(UTC+01:00) Berlin`, `Z`; and `Etc/GMT+5`, whose
/// sign is inverted.
fn offset_minutes(name: &str) -> Option<i32> {
    if name.eq_ignore_ascii_case("z") {
        return Some(0);
    }
    let offset_text = name.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(name, |(offset, _)| offset);
    let upper = offset_text.to_ascii_uppercase();
    let is_posix = upper.starts_with("ETC/");
    let rest = upper.strip_prefix("ETC/").unwrap_or(&upper);
    let rest = ["UTC", "GMT"].iter().find_map(|prefix| rest.strip_prefix(prefix)).unwrap_or(rest).trim_start();
    let (sign, digits) = match rest.chars().next()? {
        '+' => (1, &rest[1..]),
        '-' => (-1, &rest[1..]),
        '−' | '–' => (-1, &rest['−'.len_utf8()..]),
        '±' => (1, &rest['±'.len_utf8()..]),
        _ => return None,
    };
    let (hours, minutes) = match digits.trim().split_once([':', '.']) {
        Some(parts) => parts,
        None if digits.trim().len() == 4 => digits.trim().split_at_checked(2)?,
        None => (digits.trim(), "0"),
    };
    let number = |digits: &str| -> Option<i32> {
        let is_number = (1..=2).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
        if is_number { digits.parse().ok() } else { None }
    };
    let minutes = sign * (number(hours)? * 60 + number(minutes)?);
    Some(if is_posix { -minutes } else { minutes })
}

/// Returns the zone of a city, or a zone whose name differs only by typing errors: one in a short name, two in a long one.
fn nearest_zone(name: &str) -> Option<Zone> {
    let query = normalized(name);
    let location = |zone: &Zone| zone.name().split_once('/').map(|(_, location)| normalized(location));
    let place_zones = || Zone::all().filter(|zone| zone.name().contains('/') && !zone.has_fixed_offset());
    let has_city =
        |zone: &Zone| location(zone).is_some_and(|location| location.rsplit('/').next() == Some(query.as_str()));
    if let Some(zone) = place_zones().find(|zone| normalized(zone.name()) == query || has_city(zone)) {
        return Some(zone);
    }
    let (region, city) = query.split_once('/').map_or((None, query.as_str()), |(region, city)| (Some(region), city));
    let max_distance = match city.chars().count() {
        0..=3 => return None,
        4..=6 => 1,
        _ => 2,
    };
    let distance = |zone: Zone| {
        let zone_name = normalized(zone.name());
        let (zone_region, zone_city) = zone_name.split_once('/')?;
        let distance = match region {
            None => strsim::damerau_levenshtein(city, zone_city),
            Some(region) => {
                strsim::damerau_levenshtein(region, zone_region) + strsim::damerau_levenshtein(city, zone_city)
            }
        };
        (distance <= max_distance).then_some((distance, zone))
    };
    place_zones().filter_map(distance).min_by_key(|(distance, _)| *distance).map(|(_, zone)| zone)
}

/// Normalizes a name: lower case, without diacritics, with `_` for blanks.
fn normalized(name: &str) -> String {
    let mut normalized = String::with_capacity(name.len());
    for letter in name.chars().flat_map(char::to_lowercase) {
        match (letter, diacritics::strip_diacritic(letter)) {
            (_, Some(unmarked)) => normalized.push_str(unmarked),
            (' ', None) => normalized.push('_'),
            (_, None) => normalized.push(letter),
        }
    }
    normalized
}

#[cfg(test)]
mod tests {
    use super::super::name::{WINDOWS_NAMES, parse_name};
    use super::*;

    #[test]
    fn suggested_zones_exist() {
        let windows_zones = WINDOWS_NAMES.lines().map(|line| line.split_once('=').expect("a pair").1);
        let offset_zones = ZONES_BY_OFFSET.iter().map(|(_, zone)| *zone).chain(COMMON_NAMES.map(|(_, zone)| zone));
        let abbreviation_zones = ABBREVIATIONS.iter().flat_map(|(_, zones)| zones.iter().copied());
        for name in windows_zones.chain(offset_zones).chain(abbreviation_zones) {
            assert_eq!(parse_name(name).expect(name).name(), name);
        }
    }
}

//! Parses the names of time zones.
//!
//! Names of the IANA database and of Windows are accepted in any letter case and converted to the zone's current name. Abbreviations and
//! fixed offsets are rejected: in the database `EST` has no daylight saving time, but users mean New York.

use super::{Zone, hint};
use crate::diagnostic::{Diagnostic, common, expected, format_text};

/// Windows names with the zone of each. Source: `windowsZones.xml` of CLDR, territory 001.
pub(super) const WINDOWS_NAMES: &str = include_str!("windows.txt");

/// Maximum length of a name, in bytes.
const MAX_NAME_BYTES: usize = 64;

/// Returns the zone for a name, with its current name. Ignores surrounding blanks.
///
/// # Errors
/// `unknown_time_zone` if the text isn't a zone, or is an abbreviation or a fixed offset. The hint is the zone meant, if known.
pub fn parse_name(text: &str) -> Result<Zone, Diagnostic> {
    let name = text.trim();
    let zone = if name.len() > MAX_NAME_BYTES {
        None
    } else {
        Zone::find_ignoring_case(name).or_else(|| from_windows_name(name))
    };
    match zone {
        Some(zone) if !zone.has_fixed_offset() => Ok(zone.current()),
        _ => {
            let diagnostic = expected("unknown_time_zone", common::time_zone(), format_text(text));
            Err(if name.len() > MAX_NAME_BYTES { diagnostic } else { hint::add_suggestion(diagnostic, name) })
        }
    }
}

fn from_windows_name(name: &str) -> Option<Zone> {
    let pairs = WINDOWS_NAMES.lines().filter_map(|line| line.split_once('='));
    let (_, zone) = pairs.into_iter().find(|(windows, _)| windows.eq_ignore_ascii_case(name))?;
    Zone::find(zone)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone_name(text: &str) -> &'static str {
        parse_name(text).unwrap_or_else(|diagnostic| panic!("{text}: {diagnostic:?}")).name()
    }

    fn hint(text: &str) -> String {
        let diagnostic = parse_name(text).expect_err(text);
        assert_eq!(diagnostic.code, "unknown_time_zone", "{text}");
        diagnostic.suggestion.map(|hint| hint.to_string()).unwrap_or_default()
    }

    #[test]
    fn accepts_names_in_any_case() {
        for text in ["Europe/Berlin", "europe/berlin", " EUROPE/BERLIN "] {
            assert_eq!(zone_name(text), "Europe/Berlin", "{text:?}");
        }
        assert_eq!(zone_name("america/new_york"), "America/New_York");
    }

    #[test]
    fn renamed_zones_get_their_current_name() {
        for (text, name) in [
            ("Europe/Kiev", "Europe/Kyiv"),
            ("Europe/Kyiv", "Europe/Kyiv"),
            ("Asia/Calcutta", "Asia/Kolkata"),
            ("Asia/Saigon", "Asia/Ho_Chi_Minh"),
            ("Asia/Katmandu", "Asia/Kathmandu"),
            ("Asia/Rangoon", "Asia/Yangon"),
            ("America/Buenos_Aires", "America/Argentina/Buenos_Aires"),
            ("America/Godthab", "America/Nuuk"),
            ("Atlantic/Faeroe", "Atlantic/Faroe"),
            ("US/Pacific", "America/Los_Angeles"),
            ("GB", "Europe/London"),
            ("Etc/UTC", "UTC"),
            ("Zulu", "UTC"),
            ("Etc/GMT", "GMT"),
            ("GMT+0", "GMT"),
        ] {
            assert_eq!(zone_name(text), name, "{text}");
            assert_eq!(crate::zone::current_name(text), name, "{text}");
        }
    }

    #[test]
    fn keeps_zones_of_different_countries_separate() {
        for name in ["Europe/Oslo", "Europe/Amsterdam", "Europe/Vaduz", "Africa/Kinshasa", "America/Phoenix"] {
            assert_eq!(zone_name(name), name);
        }
    }

    #[test]
    fn accepts_abbreviations_with_daylight_saving_time() {
        for name in ["CET", "EET", "MET", "WET", "EST5EDT", "CST6CDT", "MST7MDT", "PST8PDT", "UTC", "GMT"] {
            assert_eq!(zone_name(name), name);
        }
    }

    #[test]
    fn accepts_windows_names() {
        for (text, name) in [
            ("W. Europe Standard Time", "Europe/Berlin"),
            ("w. europe standard time", "Europe/Berlin"),
            ("Eastern Standard Time", "America/New_York"),
            ("US Mountain Standard Time", "America/Phoenix"),
            ("GMT Standard Time", "Europe/London"),
            ("India Standard Time", "Asia/Kolkata"),
            ("FLE Standard Time", "Europe/Kyiv"),
        ] {
            assert_eq!(zone_name(text), name, "{text}");
        }
    }

    #[test]
    fn rejects_abbreviations_with_a_suggestion() {
        for (text, zone) in [
            ("EST", "America/New_York"),
            ("EDT", "America/New_York"),
            ("E.S.T.", "America/New_York"),
            ("est", "America/New_York"),
            ("MST", "America/Denver"),
            ("HST", "Pacific/Honolulu"),
            ("PST", "America/Los_Angeles"),
            ("MESZ", "Europe/Berlin"),
        ] {
            assert_eq!(
                hint(text),
                format!("an abbreviation has no rules for daylight saving time; write `{zone}`"),
                "{text}"
            );
        }
        let several = "an abbreviation has no rules for daylight saving time; write `Asia/Kolkata`, `Europe/Dublin` or `Asia/Jerusalem`";
        assert_eq!(hint("IST"), several);
    }

    #[test]
    fn rejects_fixed_offsets_with_a_suggestion() {
        for (text, zone) in [
            ("Etc/GMT+5", "America/New_York"),
            ("Etc/GMT-1", "Europe/Berlin"),
            ("GMT+1", "Europe/Berlin"),
            ("UTC+1", "Europe/Berlin"),
            ("UTC +1", "Europe/Berlin"),
            ("utc-5", "America/New_York"),
            ("+01:00", "Europe/Berlin"),
            ("-0800", "America/Los_Angeles"),
            ("GMT+5:30", "Asia/Kolkata"),
            ("(UTC+01:00) Amsterdam, Berlin", "Europe/Berlin"),
        ] {
            assert_eq!(
                hint(text),
                format!("a fixed offset doesn't follow daylight saving time; write a place such as `{zone}`"),
                "{text}"
            );
        }
        assert_eq!(hint("+00:00"), "did you mean `UTC`?");
        assert_eq!(hint("UTC+14"), "a fixed offset doesn't follow daylight saving time; write a place");
    }

    #[test]
    fn suggests_zones_with_similar_names() {
        for (text, zone) in [
            ("Europe/Berlim", "Europe/Berlin"),
            ("Europa/Berlin", "Europe/Berlin"),
            ("Berlin", "Europe/Berlin"),
            ("New York", "America/New_York"),
            ("America/New York", "America/New_York"),
            ("America/NewYork", "America/New_York"),
            ("Europe/Zürich", "Europe/Zurich"),
            ("Asia/Calcuta", "Asia/Kolkata"),
            ("Indianapolis", "America/Indiana/Indianapolis"),
            ("Eastern Time (US & Canada)", "America/New_York"),
            ("Pacific Daylight Time", "America/Los_Angeles"),
        ] {
            assert_eq!(hint(text), format!("did you mean `{zone}`?"), "{text}");
        }
        for text in ["Europe/Wien", "Mars/Olympus", "XST", "EMT", "QQQ", "", "Germany", "local", "GNT", "1"] {
            assert_eq!(hint(text), "", "{text}");
        }
    }
}

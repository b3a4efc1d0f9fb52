use chrono::{DateTime, TimeDelta};

use super::*;
use crate::time;

fn zone(name: &str) -> Zone {
    Zone::find(name).unwrap_or_else(|| panic!("there is no {name}"))
}

fn local(text: &str) -> NaiveDateTime {
    NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S").expect(text)
}

/// Returns the UTC time of an unambiguous local time in a zone.
fn utc_time(name: &str, text: &str) -> String {
    time::print(zone(name).from_local_datetime(&local(text)).single().expect(text).to_utc())
}

#[test]
fn compiled_in_data_is_current() {
    assert!(built_in_version() >= "2026f".parse().expect("a version"), "{}", built_in_version());
}

#[test]
fn local_times_follow_the_rules_of_2026() {
    for (name, utc) in [
        ("America/Vancouver", "10:00"),
        ("America/Edmonton", "09:00"),
        ("America/Winnipeg", "08:00"),
        ("America/Inuvik", "09:00"),
        ("America/Havana", "07:00"),
        ("Africa/Casablanca", "03:00"),
        ("America/Los_Angeles", "11:00"),
        ("Europe/Berlin", "02:00"),
    ] {
        for date in ["2026-12-01", "2027-01-15", "2027-02-01"] {
            assert_eq!(utc_time(name, &format!("{date} 03:00:00")), format!("{date}T{utc}:00Z"), "{name}");
        }
    }
}

#[test]
fn every_zone_can_be_parsed() {
    for zone in Zone::all() {
        assert!(zone.0.parse().is_some(), "{zone:?}");
    }
    assert!(Zone::all().count() > 590);
}

#[test]
fn current_names_of_aliases_exist() {
    for name in aliases().values() {
        assert!(Zone::find(name).is_some(), "{name}");
    }
    for zone in Zone::all() {
        assert_eq!(zone.current().current(), zone.current(), "{zone:?}");
    }
}

#[test]
fn aliases_have_the_local_time_of_their_zone() {
    let now = time::parse("2026-07-01T12:00:00Z").expect("a time");
    for zone in Zone::all() {
        for month in 0..12 {
            let time = now + TimeDelta::days(30 * month);
            let offset = |zone: Zone| time.with_timezone(&zone).offset().fix();
            assert_eq!(offset(zone), offset(zone.current()), "{zone:?}");
        }
    }
}

#[test]
fn repeated_hours_map_to_two_times_and_skipped_to_none() {
    let berlin = zone("Europe/Berlin");
    let utc_times = |text: &str| berlin.from_local_datetime(&local(text)).map(|time| time::print(time.to_utc()));
    let repeated = ("2026-10-25T00:30:00Z".to_owned(), "2026-10-25T01:30:00Z".to_owned());
    assert_eq!(utc_times("2026-10-25 02:30:00"), MappedLocalTime::Ambiguous(repeated.0, repeated.1));
    assert_eq!(utc_times("2026-03-29 02:30:00"), MappedLocalTime::None);
    assert_eq!(utc_times("2026-03-29 03:00:00"), MappedLocalTime::Single("2026-03-29T01:00:00Z".to_owned()));
}

#[test]
fn years_beyond_the_data_have_an_offset() {
    for time in [DateTime::<Utc>::MIN_UTC, DateTime::<Utc>::MAX_UTC] {
        let utc = time.naive_utc();
        zone("Europe/Berlin").offset_from_utc_datetime(&utc);
        assert!(zone("Europe/Berlin").offset_from_local_datetime(&utc).single().is_some());
    }
}

/// Builds a zone with one rule, as TZif of version 2 with only a POSIX string.
fn tzif(rule: &str) -> Vec<u8> {
    let mut data = Vec::new();
    for _ in 0..2 {
        data.extend(b"TZif2");
        data.extend([0; 15]);
        for count in [0_u32, 0, 0, 0, 1, 4] {
            data.extend(count.to_be_bytes());
        }
        data.extend([0, 0, 0, 0, 0, 0]);
        data.extend(b"UTC\0");
    }
    data.extend(format!("\n{rule}\n").bytes());
    data
}

fn updated_database(files: &[(&str, &str)], links: &[(&str, &str)]) -> Database {
    let files = files.iter().map(|(name, rule)| ((*name).to_owned(), tzif(rule)));
    let links: Vec<_> = links.iter().map(|(name, target)| ((*name).to_owned(), (*target).to_owned())).collect();
    Database::with_updates("2031a".parse().expect("a version"), files, &links).expect("zones")
}

#[test]
fn newer_data_replaces_a_zone_and_its_aliases() {
    let newer = updated_database(&[("America/Los_Angeles", "XXX5"), ("Europe/Berlin", "YYY-2")], &[]);
    let noon = time::parse("2031-01-15T12:00:00Z").expect("a time");
    let hour = |name: &str| newer.local_time(name, noon).expect(name).hour();
    assert_eq!(newer.version().to_string(), "2031a");
    assert_eq!([hour("America/Los_Angeles"), hour("US/Pacific")], [7, 7]);
    assert_eq!([hour("Europe/Berlin"), hour("Asia/Tokyo")], [14, 21]);
}

#[test]
fn newer_data_can_rename_a_zone() {
    let newer = updated_database(&[("Europe/Kyjiw", "XXX-4")], &[("Europe/Kyiv", "Europe/Kyjiw")]);
    let current = |name: &str| newer.find(name).expect(name).current.to_string();
    for name in ["Europe/Kyjiw", "Europe/Kyiv", "Europe/Kiev", "Europe/Uzhgorod"] {
        assert_eq!(current(name), "Europe/Kyjiw", "{name}");
    }
    assert_eq!(current("Asia/Calcutta"), "Asia/Kolkata");
}

#[test]
fn ignores_files_other_than_zones() {
    let version: Version = "2031a".parse().expect("a version");
    let files = [("Europe/Berlin".to_owned(), b"no zone".to_vec()), ("tzdata.zi".to_owned(), tzif("XXX5"))];
    assert_eq!(Database::with_updates(version, files, &[]).map(drop), Err(DatabaseError::NoZones));
}

//! `cargo xtask cldr`: names of countries and time zones for the engine, from Unicode's CLDR.
//!
//! The packages are pinned. For a newer release of CLDR, change [`VERSION`] and the checksums, run the command, and
//! review the changes: a new name of one country may be an old name of another.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use duct::cmd;
use serde_json::Value;

use crate::models::packages;
use crate::project::Project;

/// Release of CLDR.
const VERSION: &str = "48.2.0";

/// npm packages with the SHA-256 of each archive.
const PACKAGES: [(&str, &str); 3] = [
    ("cldr-bcp47", "b4a4f36a891b9fde1ffeddf1b1cb7f87d025656a58415291a96b563a82700fe0"),
    ("cldr-core", "5310e0c7a06c1feb83dc8e54c8584bbe0b9c2ea8320172a18d541986b124585d"),
    ("cldr-localenames-full", "7f2ac7fd3b5d90f56ad127f9ed5ae67b58b3e556818f55530b9f47bb81bcde57"),
];

/// Zones that keep their name although CLDR lists them as aliases of a place: `EST` rarely means Panama.
const UNALIASED_ZONES: [&str; 11] =
    ["CET", "EET", "MET", "WET", "EST5EDT", "CST6CDT", "MST7MDT", "PST8PDT", "EST", "MST", "HST"];

/// Zones whose short name is more common than CLDR's.
const SHORT_ZONE_NAMES: [(&str, &str); 2] = [("Etc/UTC", "UTC"), ("Etc/GMT", "GMT")];

/// Minimum length of a country name in ASCII letters: a shorter one could be a code.
const MIN_ASCII_NAME_LENGTH: usize = 4;

/// Fetches CLDR and writes the engine's tables.
pub fn run(project: &Project) -> Result<()> {
    let dir = tempfile::tempdir()?;
    for (name, sha256) in PACKAGES {
        let archive = packages::npm_archive(&format!("{name}@{VERSION}"), dir.path())?;
        packages::verify_sha256(&archive, sha256)?;
        let folder = dir.path().join(name);
        fs::create_dir(&folder)?;
        cmd!("tar", "--extract", "--gzip", "--file", &archive, "--directory", &folder).run()?;
    }
    let engine_dir = project.root.join("engine/src");
    let core_dir = dir.path().join("cldr-core/package");
    let aliases = zone_aliases(&read_json(&dir.path().join("cldr-bcp47/package/bcp47/timezone.json"))?)?;
    fs::write(
        engine_dir.join("zone/windows.txt"),
        format_windows_zones(&read_json(&core_dir.join("supplemental/windowsZones.json"))?, &aliases)?,
    )?;
    fs::write(engine_dir.join("zone/aliases.txt"), format_aliases(&aliases))?;
    let table = engine_dir.join("country/names.txt");
    // The set of countries stays; only their names are updated.
    let existing_names = fs::read_to_string(&table)?;
    let codes: Vec<_> = existing_names.lines().filter_map(|line| line.split('\t').next()).collect();
    let alpha3 = read_json(&core_dir.join("supplemental/codeMappings.json"))?;
    let names = format_countries(&codes, &alpha3, &dir.path().join("cldr-localenames-full/package/main"))?;
    fs::write(table, names)?;
    fs::copy(core_dir.join("LICENSE"), engine_dir.join("country/UNICODE-LICENSE.txt"))?;
    Ok(())
}

fn read_json(path: &Path) -> Result<Value> {
    let text = fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} isn't JSON", path.display()))
}

fn current_zone_name(zone: &Value) -> Option<&str> {
    let first_alias = zone["_alias"].as_str().and_then(|names| names.split(' ').next());
    let name = zone["_iana"].as_str().or(first_alias)?;
    Some(SHORT_ZONE_NAMES.iter().find(|(long, _)| *long == name).map_or(name, |(_, short)| *short))
}

/// Maps each other name of a zone to its current name.
fn zone_aliases(timezone: &Value) -> Result<BTreeMap<String, String>> {
    let zones = timezone["keyword"]["u"]["tz"].as_object().context("expected time zones")?;
    let mut current_names = BTreeMap::new();
    for zone in zones.values() {
        let Some(names) = zone["_alias"].as_str() else { continue };
        let preferred = zone["_preferred"].as_str().and_then(|preferred| zones.get(preferred)).unwrap_or(zone);
        let Some(current) = current_zone_name(preferred).filter(|name| *name != "Etc/Unknown") else { continue };
        for name in names.split(' ').filter(|name| *name != current && !UNALIASED_ZONES.contains(name)) {
            current_names.insert(name.to_owned(), current.to_owned());
        }
    }
    Ok(current_names)
}

/// Formats a line per zone: the current name, then the others.
fn format_aliases(aliases: &BTreeMap<String, String>) -> String {
    let mut zones: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, current) in aliases {
        zones.entry(current).or_default().push(name);
    }
    zones.iter().map(|(current, names)| format!("{current} {}\n", names.join(" "))).collect()
}

/// Formats a line per Windows zone, with its default IANA zone. Fixed offsets are omitted.
fn format_windows_zones(zones: &Value, aliases: &BTreeMap<String, String>) -> Result<String> {
    let zones =
        zones["supplemental"]["windowsZones"]["mapTimezones"].as_array().context("expected Windows time zones")?;
    let zones = zones.iter().map(|zone| &zone["mapZone"]).filter(|zone| zone["_territory"] == "001");
    let pairs: BTreeSet<_> =
        zones.filter_map(|zone| Some((zone["_other"].as_str()?, zone["_type"].as_str()?))).collect();
    let mut lines = String::new();
    for (name, zone) in pairs {
        let zone = aliases.get(zone).map_or(zone, String::as_str);
        if !zone.starts_with("Etc/") {
            writeln!(lines, "{name}={zone}")?;
        }
    }
    Ok(lines)
}

/// Formats a line per country: its two codes, its English name, then its other names in the order of the locales.
fn format_countries(codes: &[&str], alpha3: &Value, main: &Path) -> Result<String> {
    let mut locales: Vec<_> = fs::read_dir(main)?.map(|entry| Ok(entry?.file_name())).collect::<Result<_>>()?;
    locales.sort_by_key(|locale| (locale != "en", locale.clone()));
    let mut names: BTreeMap<&str, Vec<String>> = codes.iter().map(|code| (*code, Vec::new())).collect();
    let mut seen = BTreeSet::new();
    for locale in locales {
        let file = main.join(&locale).join("territories.json");
        if !file.exists() {
            continue;
        }
        let territories = read_json(&file)?;
        let territories = &territories["main"][locale.to_string_lossy().as_ref()]["localeDisplayNames"]["territories"];
        for (key, name) in territories.as_object().context("expected territories")? {
            let code = key.split('-').next().unwrap_or_default();
            let (Some(country_names), Some(name)) = (names.get_mut(code), name.as_str()) else { continue };
            let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
            let is_short =
                name.is_ascii() && name.chars().filter(|letter| letter.is_alphabetic()).count() < MIN_ASCII_NAME_LENGTH;
            if name != code && !is_short && seen.insert((code.to_owned(), name.to_lowercase())) {
                country_names.push(name);
            }
        }
    }
    let alpha3 = &alpha3["supplemental"]["codeMappings"];
    codes
        .iter()
        .map(|code| {
            let alpha3_code =
                alpha3[code]["_alpha3"].as_str().with_context(|| format!("{code} has no alpha-3 code"))?;
            Ok(format!("{code}\t{alpha3_code}\t{}\n", names[code].join("\t")))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn zones_use_the_current_name_of_their_place() {
        let zones = json!({
            "_description": "time zone",
            "uaiev": { "_alias": "Europe/Kiev Europe/Kyiv", "_iana": "Europe/Kyiv" },
            "utc": { "_alias": "Etc/UTC Zulu" },
            "papty": { "_alias": "America/Panama EST" },
            "unk": { "_alias": "Etc/Unknown Factory" },
            "camtr": { "_deprecated": true, "_preferred": "cator" },
            "umjon": { "_deprecated": true, "_preferred": "ushnl", "_alias": "Pacific/Johnston" },
            "ushnl": { "_alias": "Pacific/Honolulu US/Hawaii" },
        });
        let aliases = zone_aliases(&json!({ "keyword": { "u": { "tz": zones } } })).expect("time zones");
        let expected = "Europe/Kyiv Europe/Kiev\nPacific/Honolulu Pacific/Johnston US/Hawaii\nUTC Etc/UTC Zulu\n";
        assert_eq!(format_aliases(&aliases), expected);
        let windows_zones = json!({ "supplemental": { "windowsZones": { "mapTimezones": [
            { "mapZone": { "_other": "FLE Standard Time", "_type": "Europe/Kiev", "_territory": "001" } },
            { "mapZone": { "_other": "FLE Standard Time", "_type": "Europe/Riga", "_territory": "LV" } },
            { "mapZone": { "_other": "UTC-11", "_type": "Etc/GMT+11", "_territory": "001" } },
        ] } } });
        assert_eq!(
            format_windows_zones(&windows_zones, &aliases).expect("Windows time zones"),
            "FLE Standard Time=Europe/Kyiv\n"
        );
    }
}

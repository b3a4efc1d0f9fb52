//! Suggestions for rejected time zones. The WebAssembly build only displays those of the server.

#![cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "only the server suggests zones"))]

super::messages! {
    zone_of_abbreviation(zones):
        "an abbreviation has no rules for daylight saving time; write {zones}" |
        "eine Abkürzung sagt nichts über die Sommerzeit; verwenden Sie {zones}";
    zone_of_offset(zone):
        "a fixed offset doesn't follow daylight saving time; write a place such as `{zone}`" |
        "ein fester UTC-Versatz kennt keine Sommerzeit; geben Sie einen Ort wie `{zone}` an";
    no_offset:
        "a fixed offset doesn't follow daylight saving time; write a place" |
        "ein fester UTC-Versatz kennt keine Sommerzeit; geben Sie einen Ort an";
}

//! Tests valid and invalid options, and their precedence.

use super::{Config, Flags, all_options};

#[test]
fn flags_override_file_and_file_overrides_defaults() {
    let mut flags = Flags::default();
    flags.server.http.max_requests = Some(3);
    let file = "[http]\nmax_requests = 7\nmax_connections = 8\n[speech]\nlanguages = [\"EN\", \"de\"]";
    let config = Config::merge_layers(file, &flags).expect("good options");
    assert_eq!((config.http.max_requests, config.http.max_connections, config.http.header_timeout_seconds), (3, 8, 5));
    assert_eq!(config.speech.languages.configured().expect("codes"), ["de", "en"]);
    assert_eq!(config.http.listen.port(), 8080);
}

#[test]
fn rejects_unknown_keys_and_values() {
    let error = |file: &str| Config::merge_layers(file, &Flags::default()).expect_err("bad options").to_string();
    assert!(error("[http]\nlistn = 1").starts_with("http.listn: unknown field `listn`, expected one of `listen`"));
    assert!(error("[htpp]\nlisten = \"127.0.0.1:1\"").starts_with("htpp: unknown field `htpp`"));
    assert!(error("\"http.listen\" = \"127.0.0.1:1\"").contains("unknown field `http.listen`"));
    assert_eq!(
        error("[http]\nlisten = \"here\""),
        "--listen (LEADSCRIBE_LISTEN, http.listen): invalid socket address syntax"
    );
    assert_eq!(
        error("[worker]\nrole = \"boss\""),
        "--role (LEADSCRIBE_ROLE, worker.role): unknown variant `boss`, expected one of `all`, `api`, `worker`"
    );
    assert_eq!(
        error("[speech]\nlanguages = [\"klingon_\"]"),
        "--languages (LEADSCRIBE_LANGUAGES, speech.languages): expected BCP 47 language codes, found \"klingon_\""
    );
}

#[test]
fn rejects_values_of_wrong_type_without_showing_them() {
    let error = |file: &str| Config::merge_layers(file, &Flags::default()).expect_err("bad options").to_string();
    let public = "--metrics-public (LEADSCRIBE_METRICS_PUBLIC, http.metrics_public): expected true or false, found";
    let requests =
        "--max-requests (LEADSCRIBE_MAX_REQUESTS, http.max_requests): expected a whole number, 0 or more, found";
    let listen = "--listen (LEADSCRIBE_LISTEN, http.listen): expected text in quotes, found";
    let key = "--speech-key (LEADSCRIBE_SPEECH_KEY, speech.key): expected text in quotes, found";
    let languages =
        "--languages (LEADSCRIBE_LANGUAGES, speech.languages): expected text in quotes, or a list of texts, found";
    for (file, option, found) in [
        ("[http]\nmetrics_public = 7", public, "a whole number"),
        ("[http]\nmetrics_public = 1.5", public, "a number with a fraction"),
        ("[http]\nmetrics_public = \"on\"", public, "text in quotes"),
        ("[http]\nmetrics_public = \"true\"", public, "text in quotes"),
        ("http.max_requests = true", requests, "true"),
        ("http = { max_requests = 12.5 }", requests, "a number with a fraction"),
        ("[http]\nmax_requests = 12.0", requests, "a number with a fraction"),
        ("[http]\nmax_requests = \"12\"", requests, "text in quotes"),
        ("[http]\nmax_requests = -12", requests, "a negative number"),
        ("[http]\nmax_requests = 2026-01-31", requests, "a date or time"),
        ("[http]\nlisten = 8080", listen, "a whole number"),
        ("[http]\nlisten = [\"127.0.0.1:8080\"]", listen, "a list"),
        ("[speech]\nkey = 4711", key, "a whole number"),
        ("[speech]\nkey.hidden = \"hidden\"", key, "a table"),
        ("[speech]\nlanguages = [\"en\", 4711]", languages, "a list"),
        ("speech = \"hidden\"", "speech: expected a table of options, found", "text in quotes"),
        ("[[speech]]\nkey = \"hidden\"", "speech: expected a table of options, found", "a list"),
    ] {
        assert_eq!(error(file), format!("{option} {found}"), "{file}");
    }
}

#[test]
fn reports_invalid_toml_by_position_without_quoting() {
    let error = |file: &str| format!("{:#}", Config::merge_layers(file, &Flags::default()).expect_err("no TOML"));
    for (file, expected) in [
        ("[speech]\nkey = \"sk-hidden\n", "line 2, column 17: invalid basic string, expected `\"`"),
        (
            "[storage]\r\ndatabase_url = postgres://u:hidden@db/x",
            "line 2, column 16: string values must be quoted, expected literal string",
        ),
        ("[speech]\nkey = \"hidden\"\nkey = \"hidden\"", "line 3, column 1: duplicate key"),
        (
            "[speech]\n\u{fc} = \"hidden\"",
            "line 2, column 1: invalid unquoted key, expected letters, numbers, `-`, `_`",
        ),
        ("[speech]\nkey = '\u{fc}' hidden", "line 2, column 11: unexpected key or value, expected newline, `#`"),
        ("[speech]\nkey", "line 2, column 4: key with no value, expected `=`"),
    ] {
        assert_eq!(error(file), expected, "{file}");
    }
}

#[test]
fn rejects_numbers_out_of_bounds() {
    let error = |file: &str| Config::merge_layers(file, &Flags::default()).expect_err("bad options").to_string();
    assert_eq!(
        error("[http]\nmax_connections = 0"),
        "--max-connections (LEADSCRIBE_MAX_CONNECTIONS, http.max_connections): expected a number from 1 to 1000000, found 0"
    );
    assert_eq!(
        error("[limits]\nmax_page_size = 40"),
        "--max-page-size (LEADSCRIBE_MAX_PAGE_SIZE, limits.max_page_size): expected a number from 1000 to 100000, found 40"
    );
    assert_eq!(
        error("[limits]\nmax_json_bytes = 1048577"),
        "--max-json-bytes (LEADSCRIBE_MAX_JSON_BYTES, limits.max_json_bytes): expected a number from 1024 to 1048576, found 1048577"
    );
}

#[test]
fn certificate_and_key_enable_tls_together() {
    let layer = |file: &str| Config::merge_layers(file, &Flags::default());
    assert_eq!(
        layer("[http]\ntls_cert = \"a.pem\"").expect_err("no key").to_string(),
        "--tls-cert (LEADSCRIBE_TLS_CERT, http.tls_cert): requires --tls-key (LEADSCRIBE_TLS_KEY, http.tls_key)"
    );
    assert!(layer("[http]\ntls_key = \"a.pem\"").is_err());
    let with_both = layer("[http]\ntls_cert = \"a.pem\"\ntls_key = \"b.pem\"").expect("good options");
    assert!(with_both.http.is_over_tls() && !Config::default().http.is_over_tls());
    assert!(layer("[http]\nbehind_tls = true").expect("good options").http.is_over_tls());
}

#[test]
fn remote_access_without_tls_is_unencrypted() {
    let is_unencrypted = |options: &str| {
        Config::merge_layers(&format!("[http]\n{options}"), &Flags::default())
            .expect("good options")
            .http
            .is_unencrypted()
    };
    for listen in ["listen = \"0.0.0.0:8096\"", "listen = \"[::]:8096\"", "listen = \"192.0.2.1:80\""] {
        assert!(is_unencrypted(listen), "{listen}");
        assert!(!is_unencrypted(&format!("{listen}\nbehind_tls = true")), "{listen}");
        assert!(!is_unencrypted(&format!("{listen}\ntls_cert = \"a.pem\"\ntls_key = \"b.pem\"")), "{listen}");
    }
    for listen in ["", "listen = \"127.0.0.1:8096\"", "listen = \"[::1]:8096\""] {
        assert!(!is_unencrypted(listen), "{listen}");
    }
}

#[test]
fn environment_variables_are_unique() {
    let mut names: Vec<_> = all_options().map(|row| row.env).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    assert!(names.iter().all(|name| name.starts_with("LEADSCRIBE_")));
}

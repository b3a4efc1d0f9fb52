//! Extracts the browser and the system from `User-Agent`, enough to tell a desktop from a phone.
//!
//! Browsers also name the browsers that they are compatible with, so the order of the names matters.

/// Maximum stored length in bytes. Browsers send about 120.
pub const MAX_BYTES: usize = 300;

/// Tokens in a `User-Agent`, and the browsers that they identify.
const BROWSERS: [(&str, &str); 8] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
];

const SYSTEMS: [(&str, &str); 7] = [
    ("Windows", "Windows"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Macintosh", "macOS"),
    ("Linux", "Linux"),
];

/// Returns the value to store, truncated to [`MAX_BYTES`]; `None` unless it is plain ASCII.
pub fn sanitize(user_agent: &str) -> Option<String> {
    let is_plain = !user_agent.is_empty() && user_agent.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    is_plain.then(|| user_agent[..user_agent.len().min(MAX_BYTES)].to_owned())
}

/// Returns the name of the browser; `None` for other clients such as curl.
pub fn browser(user_agent: &str) -> Option<&'static str> {
    find_name(user_agent, &BROWSERS)
}

/// Returns the name of the operating system.
pub fn system(user_agent: &str) -> Option<&'static str> {
    find_name(user_agent, &SYSTEMS)
}

fn find_name(user_agent: &str, names: &[(&str, &'static str)]) -> Option<&'static str> {
    names.iter().find(|(token, _)| user_agent.contains(token)).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::{MAX_BYTES, browser, sanitize, system};

    #[test]
    fn detects_browsers_despite_compatibility_names() {
        for (agent, expected) in [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", ("Firefox", "Linux")),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
                ("Chrome", "Windows"),
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0",
                ("Edge", "Windows"),
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15",
                ("Safari", "macOS"),
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0 Mobile/15E148 Safari/604.1",
                ("Chrome", "iPhone"),
            ),
            (
                "Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36",
                ("Chrome", "Android"),
            ),
        ] {
            assert_eq!((browser(agent), system(agent)), (Some(expected.0), Some(expected.1)), "{agent}");
        }
        assert_eq!((browser("curl/8.5.0"), system("curl/8.5.0")), (None, None));
    }

    #[test]
    fn stores_only_short_plain_user_agents() {
        assert_eq!(sanitize("curl/8.5.0").as_deref(), Some("curl/8.5.0"));
        assert_eq!(sanitize(&"x".repeat(10_000)).map(|stored| stored.len()), Some(MAX_BYTES));
        assert_eq!(sanitize(""), None);
        assert_eq!(sanitize("caf\u{e9}"), None);
        assert_eq!(sanitize("a\u{1b}[2J"), None);
    }
}

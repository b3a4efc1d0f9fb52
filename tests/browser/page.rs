//! User actions and observations on a page. Each waits for its condition; the panic message after a timeout names the
//! condition.

use std::path::Path;
use std::time::{Duration, Instant};

use fantoccini::elements::Element;
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, Locator};
use reqwest::{Method, Url};
use serde_json::{Value, json};

/// Time limit for each wait, generous for a busy machine.
const WAIT_TIMEOUT: Duration = Duration::from_secs(20);

/// Polling interval of waits.
const POLL_INTERVAL: Duration = Duration::from_millis(40);

/// Selector of the JSON view of the filter.
pub const FILTER_JSON: &str = "[data-test=filter-json]";

/// Browser window. Elements are named by CSS selectors; the first displayed match counts.
pub struct Page {
    client: Client,
    base_url: String,
}

impl Page {
    /// Wraps the window of `client`, for a site at `base`.
    pub fn new(client: Client, base: &str) -> Self {
        Self { client, base_url: base.to_owned() }
    }

    /// Opens a path of the site.
    pub async fn open(&self, path: &str) {
        self.client.goto(&format!("{}{path}", self.base_url)).await.unwrap();
    }

    /// Reloads the page.
    pub async fn reload(&self) {
        self.client.refresh().await.unwrap();
    }

    /// Returns path and query of the URL.
    pub async fn location(&self) -> String {
        let url = self.client.current_url().await.unwrap();
        url.as_str().strip_prefix(&self.base_url).map_or_else(|| url.to_string(), str::to_owned)
    }

    /// Waits until the URL has this path and query.
    pub async fn expect_location(&self, expected: &str) {
        self.wait_until_equal(&format!("the URL is {expected}"), expected.to_owned(), async || self.location().await)
            .await;
    }

    /// Waits until an element is displayed.
    pub async fn wait_for(&self, css: &str) -> Element {
        self.wait_until(&format!("{css} is displayed"), async || self.find_visible(css).await).await
    }

    /// True if an element is displayed now.
    pub async fn is_visible(&self, css: &str) -> bool {
        self.find_visible(css).await.is_some()
    }

    /// Waits until an element is no longer displayed.
    pub async fn wait_until_gone(&self, css: &str) {
        self.wait_until(&format!("{css} is gone"), async || (!self.is_visible(css).await).then_some(())).await;
    }

    /// Clicks an element.
    pub async fn click(&self, css: &str) {
        let try_click = async || {
            let element = self.find_visible(css).await?;
            if element.click().await.is_ok() {
                return Some(());
            }
            // The element may be re-rendered now, or be covered by a sticky element; then scroll and retry.
            let script = "arguments[0].scrollIntoView({ block: 'center' })";
            let _ignored = self.client.execute(script, vec![json!(element)]).await;
            None
        };
        self.wait_until(&format!("{css} can be clicked"), try_click).await;
    }

    /// Replaces the text of an input.
    pub async fn fill(&self, css: &str, text: &str) {
        let input = self.wait_for(css).await;
        let select_all = fantoccini::key::Key::Control + "a";
        input.send_keys(&select_all).await.unwrap();
        input.send_keys(text).await.unwrap();
    }

    /// Shows the JSON view of the filter if it is hidden.
    pub async fn open_json(&self) {
        let try_open = async || {
            if !self.is_visible(FILTER_JSON).await {
                self.find_visible("[data-test=toggle-json]").await?.click().await.ok()?;
            }
            self.find_visible(FILTER_JSON).await
        };
        self.wait_until("the filter is shown as JSON", try_open).await;
    }

    /// Replaces the filter in the JSON view.
    pub async fn fill_filter(&self, json: &str) {
        self.open_json().await;
        self.fill(FILTER_JSON, json).await;
    }

    pub async fn select_option(&self, css: &str, value: &str) {
        let try_select = async || self.find_visible(css).await?.select_by_value(value).await.ok();
        self.wait_until(&format!("{css} offers {value:?}"), try_select).await;
    }

    /// Selects a field in the filter form by its key.
    pub async fn select_field(&self, css: &str, key: &str) {
        self.fill(css, key).await;
        self.click(&format!("[data-test=field-option][data-key='{key}']")).await;
        self.wait_until_gone("[data-test=field-option]").await;
    }

    /// Sets the file of a file input, which may be visually hidden. Waits until the input exists.
    pub async fn set_file(&self, css: &str, file: &Path) {
        let try_set = async || {
            let input = self.client.find(Locator::Css(css)).await.ok()?;
            input.send_keys(file.to_str().unwrap()).await.ok()
        };
        self.wait_until(&format!("{css} accepts the file"), try_set).await;
    }

    /// Types into the focused element. If that element is removed before the keys arrive, for example because a result
    /// replaces its form, they are typed into the element that has the focus then.
    pub async fn type_keys(&self, keys: &str) {
        let try_type = async || self.client.active_element().await.ok()?.send_keys(keys).await.ok();
        self.wait_until(&format!("the focused element accepts {keys:?}"), try_type).await;
    }

    /// Returns the visible texts of all matches.
    pub async fn texts(&self, css: &str) -> Vec<String> {
        let texts =
            self.run_script("return [...document.querySelectorAll(arguments[0])].map(e => e.innerText.trim())", css);
        serde_json::from_value(texts.await).unwrap()
    }

    /// Waits until an element is displayed, and returns its visible text.
    pub async fn text(&self, css: &str) -> String {
        self.wait_for(css).await.text().await.unwrap().trim().to_owned()
    }

    /// Waits until the visible text of an element is this one.
    pub async fn expect_text(&self, css: &str, text: &str) {
        let read_text = async || match self.find_visible(css).await {
            Some(element) => element.text().await.map(|text| text.trim().to_owned()).unwrap_or_default(),
            None => String::new(),
        };
        self.wait_until_equal(&format!("{css} shows {text:?}"), text.to_owned(), read_text).await;
    }

    /// Waits until an attribute has these values, over all matches.
    pub async fn expect_attributes(&self, css: &str, attribute: &str, expected: &[String]) {
        let script = "return [...document.querySelectorAll(arguments[0])].map(e => e.getAttribute(arguments[1]))";
        let read_attributes = async || self.run_script(script, json!([css, attribute])).await;
        self.wait_until_equal(&format!("the {attribute} of {css} are listed"), json!(expected), read_attributes).await;
    }

    /// Runs a script with arguments (an array, a single value, or `null` for none) and returns its result.
    pub async fn run_script(&self, script: &str, args: impl Into<Value>) -> Value {
        let args = match args.into() {
            Value::Null => Vec::new(),
            Value::Array(args) => args,
            argument => vec![argument],
        };
        self.client.execute(script, args).await.unwrap()
    }

    /// Runs a script that calls its last argument with the result.
    pub async fn run_async_script(&self, script: &str, args: Vec<Value>) -> Value {
        self.client.execute_async(script, args).await.unwrap()
    }

    /// Polls until `probe` returns a value.
    pub async fn wait_until<T>(&self, description: &str, probe: impl AsyncFn() -> Option<T>) -> T {
        let deadline = Instant::now() + WAIT_TIMEOUT;
        let mut interval = tokio::time::interval(POLL_INTERVAL);
        loop {
            interval.tick().await;
            if let Some(value) = probe().await {
                return value;
            }
            assert!(Instant::now() < deadline, "timed out waiting until {description}, at {}", self.location().await);
        }
    }

    /// Polls until `read` returns the expected value.
    pub async fn wait_until_equal<T: PartialEq + std::fmt::Debug>(
        &self,
        description: &str,
        expected: T,
        read: impl AsyncFn() -> T,
    ) {
        let deadline = Instant::now() + WAIT_TIMEOUT;
        let mut interval = tokio::time::interval(POLL_INTERVAL);
        loop {
            interval.tick().await;
            let actual = read().await;
            if actual == expected {
                return;
            }
            assert!(
                Instant::now() < deadline,
                "timed out waiting until {description}: expected {expected:?}, found {actual:?}"
            );
        }
    }

    /// Runs a command of the DevTools protocol and returns its result.
    pub async fn devtools_command(&self, name: &str, parameters: Value) -> Value {
        let body = json!({ "cmd": name, "params": parameters });
        self.client.issue_cmd(DriverCommand { path: "goog/cdp/execute", body }).await.unwrap()
    }

    /// Returns the requests and responses since the last call, as DevTools events: method and parameters.
    pub async fn take_network_events(&self) -> Vec<(String, Value)> {
        let entries = self.take_log("performance").await;
        let messages = entries.into_iter().map(|entry| {
            let text = entry["message"].as_str().unwrap_or_default().to_owned();
            serde_json::from_str::<Value>(&text).unwrap()["message"].take()
        });
        messages.map(|mut message| (message["method"].as_str().unwrap().to_owned(), message["params"].take())).collect()
    }

    /// Returns the console entries since the last call.
    pub async fn take_console_entries(&self) -> Vec<Value> {
        self.take_log("browser").await
    }

    /// Returns script errors in the console. Failed requests are excluded, because a journey may provoke them.
    pub async fn script_errors(&self) -> Vec<Value> {
        let is_error = |entry: &Value| entry["level"] == "SEVERE" && entry["source"] != "network";
        self.take_console_entries().await.into_iter().filter(is_error).collect()
    }

    /// Returns a screenshot of the window as PNG, or `None` if the browser doesn't respond.
    pub async fn screenshot(&self) -> Option<Vec<u8>> {
        tokio::time::timeout(WAIT_TIMEOUT, self.client.screenshot()).await.ok()?.ok()
    }

    async fn find_visible(&self, css: &str) -> Option<Element> {
        for element in self.client.find_all(Locator::Css(css)).await.ok()? {
            if element.is_displayed().await.unwrap_or(false) {
                return Some(element);
            }
        }
        None
    }

    async fn take_log(&self, kind: &str) -> Vec<Value> {
        let command = DriverCommand { path: "se/log", body: json!({ "type": kind }) };
        match self.client.issue_cmd(command).await.unwrap() {
            Value::Array(entries) => entries,
            other => panic!("expected a list of entries, found {other}"),
        }
    }
}

/// Command that only chromedriver supports.
#[derive(Debug)]
struct DriverCommand {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for DriverCommand {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, <Url as std::str::FromStr>::Err> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.body.to_string()))
    }
}

/// Formats a number as the English panel does: `5,200`.
pub fn format_grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group)).collect();
    groups.join(",")
}

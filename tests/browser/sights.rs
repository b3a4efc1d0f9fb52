//! List of every page of the panel in its states, for screenshots and checks.

mod list;

use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};

use list::SIGHTS;

use super::login::fill_in;
use super::page::Page;
use super::stage;
use crate::harness::PASSWORD;

/// Time limit for visiting all of them, generous for a busy machine.
pub const LONGEST: Duration = Duration::from_secs(900);

/// Page in a certain state.
pub struct Sight {
    /// Name in file names and reports.
    pub name: &'static str,
    /// Heading in the documents.
    pub title: &'static str,
    /// Description of the page for the documents.
    pub about: &'static str,
    path: &'static str,
    /// Selector of an element of the loaded data.
    ready: &'static str,
    /// Steps to take before the page is looked at.
    steps: &'static [Step],
}

/// User action or wait.
enum Step {
    Click(&'static str),
    /// Clicks the element if it is displayed: a small screen may show one of two elements.
    Turn(&'static str),
    /// Input, and its new text.
    Fill(&'static str, &'static str),
    /// Select, and the value to choose.
    Choose(&'static str, &'static str),
    See(&'static str),
    /// Script for actions that need exact timing.
    Run(&'static str),
}

/// Screen type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Screen {
    Desk,
    Phone,
}

/// Theme of the system.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    Light,
    Dark,
}

/// Screen and theme to look with.
#[derive(Clone, Copy)]
pub struct View {
    pub screen: Screen,
    pub theme: Theme,
}

use Step::{Choose, Click, Fill, Run, See, Turn};

/// The only page that needs no session.
const LOG_IN: Sight = Sight {
    name: "log-in",
    title: "Login",
    about: "Staff log in with email and password. After login, a followed link opens its page, and an expired \
            session continues on the page where it ended.",
    path: "/login",
    ready: "[data-test=login-email]",
    steps: &[],
};

/// Returns all of them, in the order of the documents.
pub fn all() -> impl Iterator<Item = &'static Sight> {
    const { &[LOG_IN] }.iter().chain(&SIGHTS)
}

/// Visits all of them on each screen, in both themes. Calls `look` when the page is stable.
pub async fn each(page: &Page, screens: &[Screen], mut look: impl AsyncFnMut(&'static Sight, View)) {
    stage::hold_still(page).await;
    for sight in all() {
        for screen in screens {
            page.command("Emulation.setDeviceMetricsOverride", screen.metrics()).await;
            show(page, Theme::Light).await;
            sight.open(page).await;
            for theme in Theme::ALL {
                show(page, theme).await;
                rest(page).await;
                look(sight, View { screen: *screen, theme }).await;
            }
        }
        if sight.name == LOG_IN.name {
            fill_in(page, stage::WHO, PASSWORD).await;
            page.see("[data-test=user-menu]").await;
        }
    }
}

/// Sets the system's theme.
async fn show(page: &Page, theme: Theme) {
    let features = json!([
        { "name": "prefers-color-scheme", "value": theme.name() },
        { "name": "prefers-reduced-motion", "value": "reduce" },
    ]);
    page.command("Emulation.setEmulatedMedia", json!({ "features": features })).await;
}

/// Waits until all data are shown, transitions have ended, and the cursor is hidden.
async fn rest(page: &Page) {
    let script = "const done = arguments[arguments.length - 1];
        document.documentElement.style.caretColor = 'transparent';
        requestAnimationFrame(() => requestAnimationFrame(() => {
            const waits = [...document.querySelectorAll('.skeleton, [aria-busy=true]')];
            const moves = document.getAnimations().some(animation => animation.playState === 'running');
            done(!moves && document.fonts.status === 'loaded' && !waits.some(element => element.checkVisibility()));
        }))";
    let rests = async || page.run_async(script, Vec::new()).await == json!(true);
    page.until("nothing loads or moves any more", async || rests().await.then_some(())).await;
}

impl Sight {
    async fn open(&self, page: &Page) {
        page.open(self.path).await;
        page.see(self.ready).await;
        for step in self.steps {
            match step {
                Click(css) => page.click(css).await,
                Turn(css) if !page.sees(css).await => {}
                Turn(css) => page.click(css).await,
                Fill(css, text) => page.fill(css, text).await,
                Choose(css, value) => page.choose(css, value).await,
                See(css) => drop(page.see(css).await),
                Run(script) => drop(page.run(script, Value::Null).await),
            }
        }
    }
}

impl Screen {
    pub const ALL: [Self; 2] = [Self::Desk, Self::Phone];

    /// Returns the size in CSS pixels as DevTools parameters.
    fn metrics(self) -> Value {
        let (width, height) = match self {
            Self::Desk => (1440, 900),
            Self::Phone => (390, 844),
        };
        json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": self == Self::Phone })
    }
}

impl Theme {
    pub const ALL: [Self; 2] = [Self::Light, Self::Dark];

    fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let screen = match self.screen {
            Screen::Desk => "desktop",
            Screen::Phone => "phone",
        };
        write!(f, "{}, {screen}", self.theme)
    }
}

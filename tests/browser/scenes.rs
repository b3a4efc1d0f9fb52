//! List of every page of the panel in its states, for screenshots and checks.

mod list;

use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};

use list::SCENES;

use super::demo_server;
use super::login::submit_login;
use super::page::Page;
use crate::harness::PASSWORD;

/// Time limit for visiting all scenes, generous for a busy machine.
pub const ALL_SCENES_TIMEOUT: Duration = Duration::from_secs(900);

/// Page in a certain state.
pub struct Scene {
    /// Name in file names and reports.
    pub name: &'static str,
    /// Heading in docs/panel.md.
    pub title: &'static str,
    /// Description of the page in docs/panel.md.
    pub description: &'static str,
    path: &'static str,
    /// Selector of an element of the loaded data.
    ready_selector: &'static str,
    /// Steps after the page is loaded.
    steps: &'static [Step],
}

/// User action or wait.
enum Step {
    Click(&'static str),
    /// Clicks the element if it is displayed: a small screen may show one of two elements.
    ClickIfVisible(&'static str),
    /// Input, and its new text.
    Fill(&'static str, &'static str),
    /// Select, and the value to choose.
    Choose(&'static str, &'static str),
    WaitFor(&'static str),
    /// Script, for what the other steps can't do.
    RunScript(&'static str),
}

/// Screen type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Screen {
    Desktop,
    Phone,
}

/// Theme of the system.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    Light,
    Dark,
}

/// Screen and theme in which a scene is shown.
#[derive(Clone, Copy)]
pub struct View {
    pub screen: Screen,
    pub theme: Theme,
}

use Step::{Choose, Click, ClickIfVisible, Fill, RunScript, WaitFor};

/// The only page that needs no session.
const LOGIN_SCENE: Scene = Scene {
    name: "login",
    title: "Login",
    description: "Staff log in with email and password. After login, the page that was requested opens, and after an \
            expired session, you return to the page you were on.",
    path: "/login",
    ready_selector: "[data-test=login-email]",
    steps: &[],
};

/// Returns all scenes, in the order of docs/panel.md.
pub fn all_scenes() -> impl Iterator<Item = &'static Scene> {
    const { &[LOGIN_SCENE] }.iter().chain(&SCENES)
}

/// Visits all scenes on each screen, in both themes. Calls `visit` when the page is stable.
pub async fn visit_each(page: &Page, screens: &[Screen], mut visit: impl AsyncFnMut(&'static Scene, View)) {
    demo_server::fix_clock_and_hide_scrollbars(page).await;
    for scene in all_scenes() {
        for screen in screens {
            page.devtools_command("Emulation.setDeviceMetricsOverride", screen.metrics()).await;
            emulate_theme(page, Theme::Light).await;
            scene.open(page).await;
            for theme in Theme::ALL {
                emulate_theme(page, theme).await;
                wait_until_stable(page).await;
                visit(scene, View { screen: *screen, theme }).await;
            }
        }
        if scene.name == LOGIN_SCENE.name {
            submit_login(page, demo_server::ADMIN_EMAIL, PASSWORD).await;
            page.wait_for("[data-test=user-menu]").await;
        }
    }
}

/// Sets the system's theme.
async fn emulate_theme(page: &Page, theme: Theme) {
    let features = json!([
        { "name": "prefers-color-scheme", "value": theme.name() },
        { "name": "prefers-reduced-motion", "value": "reduce" },
    ]);
    page.devtools_command("Emulation.setEmulatedMedia", json!({ "features": features })).await;
}

/// Waits until all data is shown, transitions have ended, and the text cursor is hidden.
async fn wait_until_stable(page: &Page) {
    let script = "const done = arguments[arguments.length - 1];
        document.documentElement.style.caretColor = 'transparent';
        requestAnimationFrame(() => requestAnimationFrame(() => {
            const waits = [...document.querySelectorAll('.skeleton, [aria-busy=true]')];
            const moves = document.getAnimations().some(animation => animation.playState === 'running');
            done(!moves && document.fonts.status === 'loaded' && !waits.some(element => element.checkVisibility()));
        }))";
    let is_stable = async || page.run_async_script(script, Vec::new()).await == json!(true);
    page.wait_until("nothing is loading or moving", async || is_stable().await.then_some(())).await;
}

impl Scene {
    async fn open(&self, page: &Page) {
        page.open(self.path).await;
        page.wait_for(self.ready_selector).await;
        for step in self.steps {
            match step {
                Click(css) => page.click(css).await,
                ClickIfVisible(css) if !page.is_visible(css).await => {}
                ClickIfVisible(css) => page.click(css).await,
                Fill(css, text) => page.fill(css, text).await,
                Choose(css, value) => page.select_option(css, value).await,
                WaitFor(css) => drop(page.wait_for(css).await),
                RunScript(script) => drop(page.run_script(script, Value::Null).await),
            }
        }
    }
}

impl Screen {
    pub const ALL: [Self; 2] = [Self::Desktop, Self::Phone];

    /// Returns the size in CSS pixels as DevTools parameters.
    fn metrics(self) -> Value {
        let (width, height) = match self {
            Self::Desktop => (1440, 900),
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
            Screen::Desktop => "desktop",
            Screen::Phone => "phone",
        };
        write!(f, "{}, {screen}", self.theme)
    }
}

//! Every page of the panel as somebody sees it, in one list: what is pictured for the documents, and what is checked.

mod list;

use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};

use list::SIGHTS;

use super::login::fill_in;
use super::page::Page;
use super::stage;
use crate::harness::PASSWORD;

/// More than going through all of them takes on a busy machine.
pub const LONGEST: Duration = Duration::from_secs(900);

/// A page in a state.
pub struct Sight {
    /// In the names of pictures and in reports.
    pub name: &'static str,
    /// Its heading in the documents.
    pub title: &'static str,
    /// What one does there, for the documents.
    pub about: &'static str,
    path: &'static str,
    /// What shows that its data are there.
    ready: &'static str,
    /// What is done before one looks.
    steps: &'static [Step],
}

/// Something that somebody does, or waits for.
enum Step {
    Click(&'static str),
    /// A press where there is something to press: a small screen shows one of two things at a time.
    Turn(&'static str),
    /// An input, and what is written over what stands there.
    Fill(&'static str, &'static str),
    /// A list, and the value that is picked.
    Choose(&'static str, &'static str),
    See(&'static str),
    /// What only a script does to the millisecond.
    Run(&'static str),
}

/// What one looks with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Screen {
    Desk,
    Phone,
}

/// The system's theme.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    Light,
    Dark,
}

/// How one looks at a sight.
#[derive(Clone, Copy)]
pub struct View {
    pub screen: Screen,
    pub theme: Theme,
}

use Step::{Choose, Click, Fill, Run, See, Turn};

/// The only one that needs nobody to be logged in.
const LOG_IN: Sight = Sight {
    name: "log-in",
    title: "Log-in",
    about: "Staff log in with e-mail and password. Whoever followed a link goes on to its page, and a session that has \
            ended asks for the password and leads back to where one was.",
    path: "/login",
    ready: "[data-test=login-email]",
    steps: &[],
};

/// All of them, in the order of the documents.
pub fn all() -> impl Iterator<Item = &'static Sight> {
    const { &[LOG_IN] }.iter().chain(&SIGHTS)
}

/// Goes through all of them on each screen, in both themes. `look` is called when everything has come to rest.
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

/// The system changes its theme.
async fn show(page: &Page, theme: Theme) {
    let features = json!([
        { "name": "prefers-color-scheme", "value": theme.name() },
        { "name": "prefers-reduced-motion", "value": "reduce" },
    ]);
    page.command("Emulation.setEmulatedMedia", json!({ "features": features })).await;
}

/// Waits until everything that was asked for is shown, nothing changes its colour any more, and no cursor blinks.
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

    /// Its size in CSS pixels, as the browser's protocol takes it.
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
            Screen::Desk => "on a desk",
            Screen::Phone => "on a phone",
        };
        write!(f, "{}, {screen}", self.theme)
    }
}

//! The panel's own icons: 24 by 24, drawn with strokes in the color of the surrounding text.

use leptos::prelude::*;

/// Declares the icons with their drawings.
macro_rules! glyphs {
    ($($name:ident = $svg_content:literal,)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Glyph {
            $($name,)*
        }

        impl Glyph {
            const fn svg_content(self) -> &'static str {
                match self {
                    $(Self::$name => $svg_content,)*
                }
            }
        }
    };
}

glyphs! {
    Today = r#"<path d="M4 20h16M6.5 16.5v-5M12 16.5V5M17.5 16.5V9"/>"#,
    Leads = r#"<circle cx="9" cy="8" r="3.5"/><path d="M2.5 20a6.5 6.5 0 0 1 13 0M16 4.9a3.5 3.5 0 0 1 0 6.2M18 14.6a6.5 6.5 0 0 1 3.5 5.4"/>"#,
    Campaigns = r#"<path d="M4 10v4.5h3.5l9 4.5V5.5l-9 4.5zM8.5 15l1 5h2.7l-1-3.6M19.5 10a3.2 3.2 0 0 1 0 4.5"/>"#,
    Calls = r#"<path d="M5 4h3.5l1.7 4.4-2.2 1.6a12 12 0 0 0 6 6l1.6-2.2L20 15.5V19a1.5 1.5 0 0 1-1.6 1.5A15.5 15.5 0 0 1 3.5 5.6 1.5 1.5 0 0 1 5 4z"/>"#,
    Transcripts = r#"<path d="M5.5 4h13A1.5 1.5 0 0 1 20 5.5v9a1.5 1.5 0 0 1-1.5 1.5H12l-4.5 4v-4h-2A1.5 1.5 0 0 1 4 14.5v-9A1.5 1.5 0 0 1 5.5 4zM8 8.2h8M8 11.8h5"/>"#,
    Deliveries = r#"<path d="M3.5 13.5 6 5.6A1.5 1.5 0 0 1 7.4 4.5h9.2A1.5 1.5 0 0 1 18 5.6l2.5 7.9V18a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 18zM3.5 13.5H8l1.5 2.5h5l1.5-2.5h4.5"/>"#,
    Imports = r#"<path d="M12 3v11M8 10.5l4 4 4-4M4 16v3a1.5 1.5 0 0 0 1.5 1.5h13A1.5 1.5 0 0 0 20 19v-3"/>"#,
    Search = r#"<circle cx="11" cy="11" r="6.5"/><path d="m20 20-4.3-4.3"/>"#,
    Plus = r#"<path d="M12 5v14M5 12h14"/>"#,
    Close = r#"<path d="m6 6 12 12M18 6 6 18"/>"#,
    Check = r#"<path d="m5 12.5 4.5 4.5L19 7.5"/>"#,
    Alert = r#"<path d="M12 4 2.8 20h18.4L12 4zM12 10v4.5M12 17.3v.1"/>"#,
    Info = r#"<circle cx="12" cy="12" r="9"/><path d="M12 11v5.5M12 7.6v.1"/>"#,
    Copy = r#"<rect x="8.5" y="8.5" width="12" height="12" rx="2"/><path d="M15.5 8.5v-3a2 2 0 0 0-2-2h-8a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2h3"/>"#,
    Play = r#"<path d="M8 5v14l11-7z" fill="currentColor"/>"#,
    Pause = r#"<path d="M8.5 5v14M15.5 5v14" stroke-width="3.5"/>"#,
    Download = r#"<path d="M12 4v11M7.5 11l4.5 4.5 4.5-4.5M5 20h14"/>"#,
    Upload = r#"<path d="M12 16V5M7.5 9.5 12 5l4.5 4.5M5 20h14"/>"#,
    First = r#"<path d="m17 6-6 6 6 6M7 6v12"/>"#,
    Previous = r#"<path d="m14.5 6-6 6 6 6"/>"#,
    Next = r#"<path d="m9.5 6 6 6-6 6"/>"#,
    Last = r#"<path d="m7 6 6 6-6 6M17 6v12"/>"#,
    ArrowUp = r#"<path d="M12 19V5M6 11l6-6 6 6"/>"#,
    ArrowDown = r#"<path d="M12 5v14M6 13l6 6 6-6"/>"#,
    Clock = r#"<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>"#,
    PhoneIn = r#"<path d="M19.5 4.5 6 18M6 8.5V18h9.5"/>"#,
    PhoneOut = r#"<path d="M5 19.5 18 6M8.5 6H18v9.5"/>"#,
    Send = r#"<path d="M20.5 3.5 10 14M20.5 3.5 14 20.5l-4-6.5-6.5-4z"/>"#,
    Rotate = r#"<path d="M19.5 12a7.5 7.5 0 1 1-2.2-5.3L20 9.3M20 4v5.3h-5.3"/>"#,
    Trash = r#"<path d="M4.5 7h15M9.5 7V4.5h5V7M6.5 7l1 13h9l1-13M10 11v5.5M14 11v5.5"/>"#,
    LogOut = r#"<path d="M14.5 4h-8A1.5 1.5 0 0 0 5 5.5v13A1.5 1.5 0 0 0 6.5 20h8M10.5 12H21M17.5 8.5 21 12l-3.5 3.5"/>"#,
    File = r#"<path d="M13.5 3.5h-7A1.5 1.5 0 0 0 5 5v14a1.5 1.5 0 0 0 1.5 1.5h11A1.5 1.5 0 0 0 19 19V9zM13.5 3.5V9H19"/>"#,
    Filter = r#"<path d="M4 6h16M7 12h10M10 18h4"/>"#,
    Braces = r#"<path d="M9 4H8a2 2 0 0 0-2 2v3.5L4 12l2 2.5V18a2 2 0 0 0 2 2h1M15 4h1a2 2 0 0 1 2 2v3.5l2 2.5-2 2.5V18a2 2 0 0 1-2 2h-1"/>"#,
    Code = r#"<path d="m8 7-5 5 5 5M16 7l5 5-5 5M13.7 4.5l-3.4 15"/>"#,
    Key = r#"<circle cx="8" cy="15.5" r="4.5"/><path d="M11.3 12.3 20 3.5M16.5 7l3 3"/>"#,
    Wand = r#"<path d="m4 20 11-11M15 3.5v3M13.5 5h3M19.5 9v3M18 10.5h3M19 3.5l-1.5 1.5"/>"#,
    Compass = r#"<circle cx="12" cy="12" r="9"/><path d="m15.5 8.5-2 5-5 2 2-5z"/>"#,
    Back = r#"<path d="M4.5 12a7.5 7.5 0 1 0 2.2-5.3L4 9.3M4 4v5.3h5.3M13.8 9.5h-3v2.3h1.6a1.6 1.6 0 0 1 0 3.2h-1.8" />"#,
    Forward = r#"<path d="M19.5 12a7.5 7.5 0 1 1-2.2-5.3L20 9.3M20 4v5.3h-5.3M13.3 9.5h-3v2.3h1.6a1.6 1.6 0 0 1 0 3.2h-1.8"/>"#,
    Keyboard = r#"<rect x="2.5" y="6" width="19" height="12" rx="2"/><path d="M6 9.7v.1M10 9.7v.1M14 9.7v.1M18 9.7v.1M6 14.3v.1M18 14.3v.1M9 14.3h6"/>"#,
    Mute = r#"<path d="M4 9.5v5h3.5L12 19V5L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5"/>"#,
    Columns = r#"<rect x="3.5" y="4.5" width="17" height="15" rx="2"/><path d="M9.2 4.5v15M14.8 4.5v15"/>"#,
    Edit = r#"<path d="m14.5 5.5 4 4L8 20H4v-4zM12 8l4 4"/>"#,
    Undo = r#"<path d="m8.5 5-4 4 4 4M4.5 9H15a5 5 0 0 1 0 10h-4.5"/>"#,
    History = r#"<path d="M4.5 12a7.5 7.5 0 1 0 2.2-5.3L4 9.3M4 4v5.3h5.3M12 8.2v4.2l2.8 1.6"/>"#,
    Bookmark = r#"<path d="M6.5 4h11v16.5L12 16l-5.5 4.5z"/>"#,
    More = r#"<path d="M5 12h.1M12 12h.1M19 12h.1" stroke-width="3"/>"#,
}

/// An icon. Hidden from screen readers: the text next to it or the label of its button names it.
#[component]
pub fn Icon(glyph: Glyph) -> impl IntoView {
    view! { <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" inner_html=glyph.svg_content()></svg> }
}

/// The product logo: a recording's waveform.
#[component]
pub fn Logo() -> impl IntoView {
    view! {
        <svg
            class="brand-mark"
            viewBox="0 0 32 32"
            aria-hidden="true"
            inner_html=r##"<rect width="32" height="32" rx="8" fill="#0f6f67"/><path d="M7.5 14v4M12 10v12M16.5 13v6M21 7.5v17M25 13.5v5" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/>"##
        ></svg>
    }
}

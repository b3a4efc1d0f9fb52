//! Columns of each kind of file, and a template to download.

use leadscribe_engine::api::ImportKind;
use leadscribe_engine::record::column_names;
use leptos::prelude::*;

use crate::i18n::texts::imports;
use crate::ui::icon::{Glyph, Icon};

#[component]
pub fn ImportColumns(#[prop(into)] kind: Signal<ImportKind>) -> impl IntoView {
    let list = move || {
        column_names(kind.get()).into_iter().map(|name| view! { <li class="chip mono">{name}</li> }).collect_view()
    };
    let link = move || format!("data:text/csv;charset=utf-8,{}", column_names(kind.get()).join("%2C"));
    let note = move || imports::kind_note(kind.get());
    view! {
        <div class="stack-tight">
            <h3>{imports::columns()}</h3>
            <ul class="chips">{list}</ul>
            <p class="small secondary">
                {imports::columns_hint()} " " {note}
            </p>
            <p>
                <a class="button button-small" href=link download=move || format!("{}.csv", kind.get())>
                    <Icon glyph=Glyph::Download />
                    {imports::download_template()}
                </a>
            </p>
        </div>
    }
}

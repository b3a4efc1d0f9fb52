//! Errors in JSON syntax.

super::messages! {
    value: "a value" | "ein Wert";
    key: "a key" | "ein Schlüssel";
    key_in_quotes: "a key in double quotes" | "ein Schlüssel in doppelten Anführungszeichen";
    colon: "`:` after the key" | "`:` nach dem Schlüssel";
    end_of_text: "the end of the text" | "das Ende des Textes";
    single_quotes: "single quotes" | "einfache Anführungszeichen";
    too_deep(max):
        "arrays and objects can be nested at most {max} levels deep" |
        "Listen und Objekte dürfen höchstens {max} Ebenen tief verschachtelt sein";
    trailing_comma: "expected another entry after `,`, found none" | "nach `,` fehlt ein weiterer Eintrag";
    remove_comma: "remove the comma" | "entfernen Sie das Komma";
    repeated_key(key): "the key {key} is repeated" | "der Schlüssel {key} kommt mehrfach vor";
    unclosed_string: "expected `\"` at the end of the string, found none" | "am Ende des Textes fehlt `\"`";
    close_string: "close it with `\"`" | "schließen Sie ihn mit `\"`";
    lone_surrogate(written):
        "expected both halves of a surrogate pair, found {written} alone" |
        "ein Surrogatpaar hat zwei Hälften; {written} steht allein";
    escape(written): "expected a JSON escape sequence, found {written}" | "{written} ist keine Escape-Sequenz von JSON";
    backslash: "write `\\\\` for a backslash" | "verwenden Sie `\\\\` für einen Backslash";
    control_character(code):
        "a string can't contain the control character {code}" |
        "ein Text darf das Steuerzeichen {code} nicht enthalten";
    write_code(code): "write `{code}`" | "verwenden Sie `{code}`";
    byte_order_mark:
        "remove the invisible byte order mark U+FEFF" |
        "entfernen Sie die unsichtbare Byte-Order-Mark U+FEFF";
    no_plus: "a number can't start with `+`" | "eine Zahl darf nicht mit `+` beginnen";
    no_comments: "JSON has no comments" | "JSON kennt keine Kommentare";
    number_forms:
        "numbers are written like `7`, `-0.5` or `1e3`; everything else needs double quotes" |
        "Zahlen werden wie `7`, `-0.5` oder `1e3` geschrieben; alles andere steht in doppelten Anführungszeichen";
    string_in_quotes(string): "write strings in double quotes: {string}" | "setzen Sie Texte in doppelte Anführungszeichen: {string}";
}

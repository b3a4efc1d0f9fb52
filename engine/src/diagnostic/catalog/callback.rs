//! Errors in callback templates.

super::messages! {
    bare_placeholder(placeholder):
        "expected a placeholder inside a string, found {placeholder} outside" |
        "Platzhalter dürfen nur in Texten stehen; {placeholder} steht außerhalb";
    placeholder_in_key(placeholder):
        "expected placeholders in values only, found {placeholder} in a key" |
        "Platzhalter dürfen nur in Werten stehen; {placeholder} steht in einem Schlüssel";
    write_as_string: "write it as a string" | "geben Sie sie als Text an";
    at_most_placeholders(max): "at most {max} placeholders" | "höchstens {max} Platzhalter";
    placeholder_name: "the name of a placeholder" | "der Name eines Platzhalters";
    unclosed_brace:
        "expected `}` after the name of a placeholder, found none" |
        "nach dem Namen eines Platzhalters fehlt `}`";
    unopened_brace:
        "expected `{` and the name of a placeholder before `}`, found none" |
        "vor `}` fehlen `{` und der Name eines Platzhalters";
    brace_form(doubled): "write `{doubled}` for a literal brace" | "verwenden Sie `{doubled}` für eine Klammer im Text";
}

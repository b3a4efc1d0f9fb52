//! `cargo xtask build` and `cargo xtask serve`: the program with the embedded panel.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::project::Project;
use crate::{models, panel, setup};

/// Default model of a demo.
const DEMO_MODEL: &str = "base";

/// Options file that `leadscribe` reads from the data folder and the current directory.
const OPTIONS_FILE: &str = "leadscribe.toml";

/// Builds the panel, then the program that embeds it, and returns the program's path.
pub fn build(project: &Project) -> Result<PathBuf> {
    setup::compiler::ensure()?;
    panel::build(project)?;
    project.cargo(["build", "--release", "--package", "leadscribe-server", "--bin", "leadscribe"]).run()?;
    Ok(project.program_path("release"))
}

/// Builds, then replaces this process with `leadscribe serve` with `args`, so that signals and exit code are the
/// program's own.
pub fn serve(project: &Project, mut args: Vec<OsString>) -> Result<()> {
    let program = build(project)?;
    // Elsewhere `--` separates passed-through arguments, as in `cargo xtask serve --demo -- --listen …`; here it isn't
    // needed.
    args.retain(|arg| arg != "--");
    if needs_demo_data(&args, env::var_os("LEADSCRIBE_DATA_DIR").is_some()) {
        // The demo's credentials are created per run, on an empty database.
        let data = project.target_dir.join("demo-data");
        if data.exists() {
            fs::remove_dir_all(&data).with_context(|| format!("can't remove {}", data.display()))?;
        }
        args.extend(["--data-dir".into(), data.into()]);
    }
    let mut command = Command::new(&program);
    let environment = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    if let Some(model) = tool_model(&args, environment) {
        let folder = models::folder()?;
        let uses_tool_models = if contains_flag(&args, "--demo") {
            if let Err(error) = models::ensure(&program, &[&model], &folder) {
                eprintln!("{error:#}\nserving without the model: transcriptions wait until it is installed");
            }
            true
        } else {
            // Without a demo the operator provides the model, unless an earlier demo has installed it.
            !has_operator_models(&args, environment) && models::is_installed(&program, &model, &folder)?
        };
        if uses_tool_models {
            command.env(models::FOLDER_VARIABLE, folder);
        }
    }
    let error = command.arg("serve").args(args).exec();
    Err(error).with_context(|| format!("can't start {}", program.display()))
}

/// True if a demo is requested without a data folder.
fn needs_demo_data(args: &[OsString], is_set_by_environment: bool) -> bool {
    contains_flag(args, "--demo") && !contains_flag(args, "--data-dir") && !is_set_by_environment
}

/// Returns the model to look for in this tool's own folder, or `None` if another folder, another recognizer, or a file
/// is named.
fn tool_model(args: &[OsString], environment: impl Fn(&str) -> Option<OsString>) -> Option<String> {
    let option_value = |flag: &str, variable: &str| {
        flag_value(args, flag).or_else(|| environment(variable).and_then(|value| value.into_string().ok()))
    };
    let is_embedded = option_value("--recognizer", "LEADSCRIBE_RECOGNIZER").is_none_or(|name| name == "embedded");
    let model = option_value("--model", "LEADSCRIBE_MODEL").unwrap_or_else(|| DEMO_MODEL.to_owned());
    let is_file = model.contains('/') || model.ends_with(".bin");
    let is_tool_model = is_embedded && !is_file && !contains_flag(args, "--models-dir");
    is_tool_model.then_some(model)
}

/// True if the operator has models or may have configured their location, which then takes precedence.
fn has_operator_models(args: &[OsString], environment: impl Fn(&str) -> Option<OsString>) -> bool {
    let data = flag_value(args, "--data-dir").map(OsString::from).or_else(|| environment("LEADSCRIBE_DATA_DIR"));
    let data = data.map_or_else(|| PathBuf::from("data"), PathBuf::from);
    contains_flag(args, "--config")
        || environment("LEADSCRIBE_CONFIG").is_some()
        || environment(models::FOLDER_VARIABLE).is_some()
        || data.join("models").is_dir()
        || [data.as_path(), Path::new("")].iter().any(|folder| folder.join(OPTIONS_FILE).is_file())
}

/// True if `args` contain the flag `name`.
fn contains_flag(args: &[OsString], name: &str) -> bool {
    let with_value = format!("{name}=");
    args.iter().filter_map(|arg| arg.to_str()).any(|arg| arg == name || arg.starts_with(&with_value))
}

/// Returns the value of the flag `name`, as the next argument or after `=`.
fn flag_value(args: &[OsString], name: &str) -> Option<String> {
    let mut args = args.iter().filter_map(|arg| arg.to_str());
    while let Some(arg) = args.next() {
        match arg.strip_prefix(name) {
            Some("") => return args.next().map(str::to_owned),
            Some(suffix) if suffix.starts_with('=') => return Some(suffix[1..].to_owned()),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn demo_uses_a_new_data_folder_unless_one_is_named() {
        let needs_demo =
            |args: &[&str], is_set| needs_demo_data(&args.iter().map(OsString::from).collect::<Vec<_>>(), is_set);
        assert!(needs_demo(&["--listen", "127.0.0.1:0", "--demo"], false));
        assert!(!needs_demo(&["--listen", "127.0.0.1:0"], false));
        assert!(!needs_demo(&["--demo", "--data-dir", "/srv"], false));
        assert!(!needs_demo(&["--demo", "--data-dir=/srv"], false));
        assert!(!needs_demo(&["--demo"], true));
    }

    #[test]
    fn model_is_found_in_the_folder_of_demos() {
        let model = |args: &[&str]| tool_model(&args.iter().map(OsString::from).collect::<Vec<_>>(), |_| None);
        assert_eq!(model(&["--demo"]).as_deref(), Some("base"));
        assert_eq!(model(&["--demo", "--model", "small"]).as_deref(), Some("small"));
        assert_eq!(model(&["--model=base.en", "--demo"]).as_deref(), Some("base.en"));
        assert_eq!(model(&["--data-dir", "kept-demo"]).as_deref(), Some("base"));
        for arguments in
            [&["--demo", "--model", "/srv/our.bin"][..], &["--demo", "--models-dir=/srv"], &["--models-dir", "/srv"]]
        {
            assert_eq!(model(arguments), None, "{arguments:?}");
        }
        let environment = |name: &str| (name == "LEADSCRIBE_RECOGNIZER").then(|| "http".into());
        assert_eq!(tool_model(&["--demo".into()], environment), None);
        assert_eq!(
            tool_model(&["--demo".into(), "--recognizer=embedded".into()], environment).as_deref(),
            Some("base")
        );
    }

    #[test]
    fn operators_models_take_precedence_over_demo_models() {
        let temp_dir = tempfile::tempdir().unwrap();
        let data_dir = temp_dir.path().join("data");
        fs::create_dir(&data_dir).unwrap();
        let has_models = |args: &[&str], variable: Option<(&str, &Path)>| {
            let environment = |name: &str| {
                variable.filter(|(variable_name, _)| *variable_name == name).map(|(_, value)| value.into())
            };
            has_operator_models(&args.iter().map(OsString::from).collect::<Vec<_>>(), environment)
        };
        let data_dir_args = ["--data-dir", data_dir.to_str().unwrap()];
        assert!(!has_models(&data_dir_args, None));
        assert!(has_models(&[&data_dir_args[..], &["--config=/etc/leadscribe.toml"]].concat(), None));
        for name in ["LEADSCRIBE_CONFIG", "LEADSCRIBE_MODELS_DIR"] {
            assert!(has_models(&data_dir_args, Some((name, temp_dir.path()))), "{name}");
        }
        let data_dir_variable = Some(("LEADSCRIBE_DATA_DIR", data_dir.as_path()));
        for entry in ["models", OPTIONS_FILE] {
            assert!(!has_models(&[], data_dir_variable) && !has_models(&data_dir_args, None));
            match entry {
                OPTIONS_FILE => fs::write(data_dir.join(entry), "").unwrap(),
                _ => fs::create_dir(data_dir.join(entry)).unwrap(),
            }
            assert!(has_models(&[], data_dir_variable) && has_models(&data_dir_args, None), "{entry}");
            match entry {
                OPTIONS_FILE => fs::remove_file(data_dir.join(entry)).unwrap(),
                _ => fs::remove_dir(data_dir.join(entry)).unwrap(),
            }
        }
    }
}

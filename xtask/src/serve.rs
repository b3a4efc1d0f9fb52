//! `cargo xtask build` and `cargo xtask serve`: the program with the panel inside.

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
    Ok(project.program("release"))
}

/// Builds, then replaces this process by `leadscribe serve` with `args`, so that signals and exit code are the
/// program's own.
pub fn serve(project: &Project, mut args: Vec<OsString>) -> Result<()> {
    let program = build(project)?;
    // Elsewhere `--` separates passed-through arguments, as in `cargo xtask serve --demo -- --listen …`; here it isn't
    // needed.
    args.retain(|arg| arg != "--");
    if needs_demo_data(&args, env::var_os("LEADSCRIBE_DATA_DIR").is_some()) {
        // The demo's credentials are created per run, on an empty database.
        let data = project.target.join("demo-data");
        if data.exists() {
            fs::remove_dir_all(&data).with_context(|| format!("can't empty {}", data.display()))?;
        }
        args.extend(["--data-dir".into(), data.into()]);
    }
    let mut command = Command::new(&program);
    let environment = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    if let Some(model) = own_model(&args, environment) {
        let folder = models::folder()?;
        let is_used = if names(&args, "--demo") {
            if let Err(error) = models::ensure(&program, &[&model], &folder) {
                eprintln!("{error:#}\nserving without the model: what is sent waits until it is brought");
            }
            true
        } else {
            // Without a demo the operator provides the model, unless an earlier demo has installed it.
            !has_own_models(&args, environment) && models::has(&program, &model, &folder)?
        };
        if is_used {
            command.env(models::FOLDER, folder);
        }
    }
    let error = command.arg("serve").args(args).exec();
    Err(error).with_context(|| format!("can't start {}", program.display()))
}

/// True if a demo is requested without a data folder.
fn needs_demo_data(args: &[OsString], named_by_environment: bool) -> bool {
    names(args, "--demo") && !names(args, "--data-dir") && !named_by_environment
}

/// Returns the model to look for in this tool's own folder, or `None` if another folder, another recogniser, or a file
/// is named.
fn own_model(args: &[OsString], environment: impl Fn(&str) -> Option<OsString>) -> Option<String> {
    let given = |flag: &str, variable: &str| {
        value(args, flag).or_else(|| environment(variable).and_then(|value| value.into_string().ok()))
    };
    let recognizer = given("--recognizer", "LEADSCRIBE_RECOGNIZER").is_none_or(|name| name == "embedded");
    let model = given("--model", "LEADSCRIBE_MODEL").unwrap_or_else(|| DEMO_MODEL.to_owned());
    let is_file = model.contains('/') || model.ends_with(".bin");
    let wanted = recognizer && !is_file && !names(args, "--models-dir");
    wanted.then_some(model)
}

/// True if the operator has models or may have configured their location, which then takes precedence.
fn has_own_models(args: &[OsString], environment: impl Fn(&str) -> Option<OsString>) -> bool {
    let data = value(args, "--data-dir").map(OsString::from).or_else(|| environment("LEADSCRIBE_DATA_DIR"));
    let data = data.map_or_else(|| PathBuf::from("data"), PathBuf::from);
    names(args, "--config")
        || environment("LEADSCRIBE_CONFIG").is_some()
        || environment(models::FOLDER).is_some()
        || data.join("models").is_dir()
        || [data.as_path(), Path::new("")].iter().any(|folder| folder.join(OPTIONS_FILE).is_file())
}

/// True if `args` contain the flag `name`.
fn names(args: &[OsString], name: &str) -> bool {
    let with_value = format!("{name}=");
    args.iter().filter_map(|arg| arg.to_str()).any(|arg| arg == name || arg.starts_with(&with_value))
}

/// Returns the value of the flag `name`, as the next argument or after `=`.
fn value(args: &[OsString], name: &str) -> Option<String> {
    let mut args = args.iter().filter_map(|arg| arg.to_str());
    while let Some(arg) = args.next() {
        match arg.strip_prefix(name) {
            Some("") => return args.next().map(str::to_owned),
            Some(rest) if rest.starts_with('=') => return Some(rest[1..].to_owned()),
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
        let needs = |args: &[&str], named| needs_demo_data(&args.iter().map(OsString::from).collect::<Vec<_>>(), named);
        assert!(needs(&["--listen", "127.0.0.1:0", "--demo"], false));
        assert!(!needs(&["--listen", "127.0.0.1:0"], false));
        assert!(!needs(&["--demo", "--data-dir", "/srv"], false));
        assert!(!needs(&["--demo", "--data-dir=/srv"], false));
        assert!(!needs(&["--demo"], true));
    }

    #[test]
    fn model_is_found_in_the_folder_of_demos() {
        let model = |args: &[&str]| own_model(&args.iter().map(OsString::from).collect::<Vec<_>>(), |_| None);
        assert_eq!(model(&["--demo"]).as_deref(), Some("base"));
        assert_eq!(model(&["--demo", "--model", "small"]).as_deref(), Some("small"));
        assert_eq!(model(&["--model=base.en", "--demo"]).as_deref(), Some("base.en"));
        assert_eq!(model(&["--data-dir", "kept-demo"]).as_deref(), Some("base"));
        for without in
            [&["--demo", "--model", "/srv/our.bin"][..], &["--demo", "--models-dir=/srv"], &["--models-dir", "/srv"]]
        {
            assert_eq!(model(without), None, "{without:?}");
        }
        let elsewhere = |name: &str| (name == "LEADSCRIBE_RECOGNIZER").then(|| "http".into());
        assert_eq!(own_model(&["--demo".into()], elsewhere), None);
        assert_eq!(own_model(&["--demo".into(), "--recognizer=embedded".into()], elsewhere).as_deref(), Some("base"));
    }

    #[test]
    fn operators_models_take_precedence_over_demo_models() {
        let home = tempfile::tempdir().unwrap();
        let data = home.path().join("data");
        fs::create_dir(&data).unwrap();
        let has = |more: &[&str], variable: Option<(&str, &Path)>| {
            let environment = |name: &str| variable.filter(|(set, _)| *set == name).map(|(_, value)| value.into());
            has_own_models(&more.iter().map(OsString::from).collect::<Vec<_>>(), environment)
        };
        let in_data = ["--data-dir", data.to_str().unwrap()];
        assert!(!has(&in_data, None));
        assert!(has(&[&in_data[..], &["--config=/etc/leadscribe.toml"]].concat(), None));
        for name in ["LEADSCRIBE_CONFIG", "LEADSCRIBE_MODELS_DIR"] {
            assert!(has(&in_data, Some((name, home.path()))), "{name}");
        }
        let named = Some(("LEADSCRIBE_DATA_DIR", data.as_path()));
        for own in ["models", OPTIONS_FILE] {
            assert!(!has(&[], named) && !has(&in_data, None));
            match own {
                OPTIONS_FILE => fs::write(data.join(own), "").unwrap(),
                _ => fs::create_dir(data.join(own)).unwrap(),
            }
            assert!(has(&[], named) && has(&in_data, None), "{own}");
            match own {
                OPTIONS_FILE => fs::remove_file(data.join(own)).unwrap(),
                _ => fs::remove_dir(data.join(own)).unwrap(),
            }
        }
    }
}

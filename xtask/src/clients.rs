//! Clients generated from docs/openapi.json: the packages of `cargo xtask clients`, and those that the tests use.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use duct::cmd;
use serde_json::{Value, json};

use crate::build_stamp::BuildStamp;
use crate::project::{Project, find_program};
use crate::setup::{npm, python};

const DOCUMENT: &str = "docs/openapi.json";

/// Programs that use the generated clients, and the npm packages that generate them.
const SOURCES: &str = "tests/clients";

/// Folder of the generated clients and their programs, in the target directory.
const PROGRAMS_FOLDER: &str = "clients";

/// Folder of the Python environment with the generators, in the target directory.
const PYTHON_FOLDER: &str = "clients-python";

/// Generators of Python clients, and what the clients need.
const PYTHON_PACKAGES: [&str; 7] = [
    "lazy-imports==1.2.0",
    "mypy==2.4.1",
    "openapi-generator-cli==7.26.0",
    "openapi-python-client==0.29.1",
    "pydantic==2.14.4",
    "python-dateutil==2.9.0.post0",
    "urllib3==2.8.0",
];

/// Installed generators.
struct Generators {
    /// Folder with the npm packages and the sources.
    folder: PathBuf,
    /// Folder with Python and its programs.
    python_programs: PathBuf,
}

impl Generators {
    fn ensure(project: &Project) -> Result<Self> {
        Ok(Self {
            folder: npm::ensure(project, SOURCES, PROGRAMS_FOLDER)?,
            python_programs: python::ensure(project, PYTHON_FOLDER, &PYTHON_PACKAGES)?,
        })
    }

    /// Runs a program of an npm package.
    fn run_npm(&self, program: &str, args: &[&str]) -> Result<()> {
        let path = self.folder.join("node_modules/.bin").join(program);
        cmd(path, args).dir(&self.folder).run().with_context(|| format!("{program} failed"))?;
        Ok(())
    }

    /// Runs a program of a Python package.
    fn run_python(&self, program: &str, args: &[&str]) -> Result<()> {
        let path = self.python_programs.join(program);
        // The generators call formatters by name.
        let search_path = std::env::join_paths(
            [self.python_programs.clone()]
                .into_iter()
                .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
        )?;
        cmd(path, args)
            .dir(&self.folder)
            .env("PATH", search_path)
            .env("MYPYPATH", "python:openapi_generator")
            .run()
            .with_context(|| format!("{program} failed"))?;
        Ok(())
    }

    /// Generates the Python package into `folder`.
    fn generate_python(&self, document: &Path, folder: &Path) -> Result<()> {
        let (document, folder) = (document.to_string_lossy(), folder.to_string_lossy());
        self.run_python(
            "openapi-python-client",
            &[
                "generate",
                "--path",
                &document,
                "--output-path",
                &folder,
                "--overwrite",
                "--config",
                "openapi-python-client.yaml",
            ],
        )
    }

    /// Generates the TypeScript sources of the SDK into `folder`.
    fn generate_typescript(&self, document: &Path, folder: &Path) -> Result<()> {
        let (document, folder) = (document.to_string_lossy(), folder.to_string_lossy());
        self.run_npm("openapi-ts", &["--input", &document, "--output", &folder, "--client", "@hey-api/client-fetch"])
    }
}

/// Checks the OpenAPI document, generates clients with every supported generator, and checks the types of the programs
/// that use them.
///
/// The types within generated Python packages are not checked: both generators write some that mypy rejects.
pub fn generate_for_tests(project: &Project) -> Result<()> {
    let generators = Generators::ensure(project)?;
    let folder = generators.folder.clone();
    let stamp = BuildStamp::new(
        project.target_dir.join("clients.stamp"),
        &project.root,
        &[DOCUMENT, SOURCES, "xtask/src/clients.rs"],
        folder.join("hey_api/sdk.gen.ts"),
    )?;
    if stamp.is_up_to_date() {
        println!("the generated clients are up to date");
        return Ok(());
    }
    stamp.remove()?;
    let document = folder.join("openapi.json");
    fs::copy(project.root.join(DOCUMENT), &document).with_context(|| format!("can't copy {DOCUMENT}"))?;
    generators.run_npm("redocly", &["lint", "openapi.json"])?;
    generators.run_npm("spectral", &["lint", "--fail-severity", "warn", "openapi.json"])?;

    generators.run_npm("openapi-typescript", &["openapi.json", "--output", "openapi_typescript/schema.ts"])?;
    generators.generate_typescript(&document, &folder.join("hey_api"))?;
    generators.run_npm("tsc", &[])?;

    generators.generate_python(&document, &folder.join("python"))?;
    let mut programs = vec!["use_openapi_python_client.py"];
    if find_program(&["java"]).is_some() {
        let args = ["generate", "-g", "python", "-i", "openapi.json", "-o", "openapi_generator"];
        generators.run_python("openapi-generator-cli", &args)?;
        programs.push("use_openapi_generator.py");
    } else {
        println!("openapi-generator is skipped: Java is missing");
    }
    generators.run_python("mypy", &[&["--strict", "--follow-imports=silent"], programs.as_slice()].concat())?;
    stamp.write()
}

/// Returns the folder with the programs that use the generated clients.
pub fn programs_dir(project: &Project) -> PathBuf {
    project.target_dir.join(PROGRAMS_FOLDER)
}

/// Returns the folder with Python and its programs.
pub fn python_dir(project: &Project) -> PathBuf {
    python::programs_dir(project, PYTHON_FOLDER)
}

/// Writes the packages clients/python and clients/typescript.
pub fn write_packages(project: &Project) -> Result<()> {
    let generators = Generators::ensure(project)?;
    let document = project.root.join(DOCUMENT);
    let python_package = project.root.join("clients/python");
    generators.generate_python(&document, &python_package)?;
    println!("{}", python_package.display());

    let typescript_package = project.root.join("clients/typescript");
    let sources = typescript_package.join("src");
    generators.generate_typescript(&document, &sources)?;
    let content: Value = serde_json::from_slice(&fs::read(&document)?)?;
    let package = json!({
        "name": "leadscribe-client",
        "version": content["info"]["version"],
        "description": "Client of the Leadscribe API, generated from its OpenAPI document.",
        "license": content["info"]["license"]["identifier"],
        "type": "module",
        "exports": { ".": "./dist/index.js", "./client": "./dist/client.gen.js" },
        "files": ["dist"]
    });
    let compiler_options = json!({
        "include": ["src"],
        "compilerOptions": {
            "strict": true,
            "declaration": true,
            "target": "ES2022",
            "lib": ["ES2022", "DOM", "DOM.Iterable"],
            "module": "NodeNext",
            "types": [],
            "rootDir": "src",
            "outDir": "dist"
        }
    });
    for (name, content) in [("package.json", package), ("tsconfig.json", compiler_options)] {
        fs::write(typescript_package.join(name), format!("{content:#}\n"))?;
    }
    generators.run_npm("tsc", &["--project", &typescript_package.to_string_lossy()])?;
    println!("{}", typescript_package.display());
    Ok(())
}

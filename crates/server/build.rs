//! Builds the pages: `npm ci` and `npm run build` of `web/`, into the target folder.
//!
//! Nothing is written into the repository: the sources are copied beside the output and built there. Without
//! Node, without a network on the first build, or with `NEBEL_WEB=off`, the program is built with one page
//! that says the command to run.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::Command,
};

/// What of `web/` the pages are made from; a change in any of it builds them anew.
const SOURCES: [&str; 9] = [
    "src",
    "public",
    "index.html",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "types/package.json",
    "pack.mjs",
    "vite.config.ts",
];

fn main() {
    // Asked at run time: a build script may have been compiled for another checkout that shares the target folder.
    let folder = |name| PathBuf::from(env::var_os(name).unwrap_or_default());
    let (web, out) = (folder("CARGO_MANIFEST_DIR").join("../../web"), folder("OUT_DIR"));
    println!("cargo::rerun-if-env-changed=NEBEL_WEB");
    println!("cargo::rerun-if-changed=build.rs");
    for source in SOURCES.map(|name| web.join(name)).iter().filter(|path| path.exists()) {
        println!("cargo::rerun-if-changed={}", source.display());
    }
    let pages = out.join("pages");
    if env::var("NEBEL_WEB").is_ok_and(|value| value == "off") {
        without_pages(&pages, "NEBEL_WEB=off was set");
    } else if let Err(cause) = build(&web, &out.join("web"), &pages) {
        println!("cargo::warning=the pages of the web app were not built: {cause}");
        without_pages(&pages, &cause);
    }
}

/// Copies the sources and builds them. The copy keeps its `node_modules` as long as the lock file is the same.
fn build(web: &Path, copy: &Path, pages: &Path) -> Result<(), String> {
    let wrong = |error: io::Error| error.to_string();
    if !web.join("package.json").is_file() {
        return Err("the folder web is missing".to_owned());
    }
    let installed = copy.join("installed");
    let lock = fs::read_to_string(web.join("package-lock.json")).map_err(wrong)?;
    let is_installed = fs::read_to_string(&installed).is_ok_and(|old| old == lock);
    fs::create_dir_all(copy).map_err(wrong)?;
    for name in SOURCES {
        remove(&copy.join(name)).map_err(wrong)?;
        copy_all(&web.join(name), &copy.join(name)).map_err(wrong)?;
    }
    if !is_installed {
        run(copy, pages, &["ci", "--workspaces=false", "--no-audit", "--no-fund", "--loglevel=error"])?;
        fs::write(&installed, lock).map_err(wrong)?;
    }
    remove(pages).map_err(wrong)?;
    run(copy, pages, &["run", "build", "--silent"])?;
    let has_index = pages.join("index.html").is_file();
    if has_index { Ok(()) } else { Err("`npm run build` wrote no index.html".to_owned()) }
}

fn run(folder: &Path, pages: &Path, arguments: &[&str]) -> Result<(), String> {
    let command = format!("npm {}", arguments.join(" "));
    let output = Command::new("npm")
        .args(arguments)
        .current_dir(folder)
        .env("NEBEL_WEB_OUT", pages)
        .output()
        .map_err(|error| format!("`{command}` cannot be run ({error}): is Node installed?"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stderr, output.stdout].concat();
    let said = String::from_utf8_lossy(&said).split_whitespace().collect::<Vec<_>>().join(" ");
    Err(format!("`{command}` failed: {}", said.chars().take(500).collect::<String>()))
}

fn remove(path: &Path) -> io::Result<()> {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn copy_all(from: &Path, to: &Path) -> io::Result<()> {
    if !from.exists() {
        return Ok(());
    }
    if !from.is_dir() {
        fs::create_dir_all(to.parent().unwrap_or(to))?;
        return fs::copy(from, to).map(drop);
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy_all(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

/// The one page of a program that was built without the others.
fn without_pages(pages: &Path, cause: &str) {
    let cause = cause.replace('&', "&amp;").replace('<', "&lt;");
    let page = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Nebel</title>\n\
         <h1>Nebel</h1>\n<p>This program was built without its pages ({cause}).</p>\n\
         <p>Install Node (<a href=\"https://nodejs.org\">nodejs.org</a>) and run, in the folder of the \
         program's source:</p>\n<pre>touch web/package.json &amp;&amp; cargo run --release</pre>\n\
         <p>Until then <code>nebel play --terminal</code> plays in the terminal, and the API is described at \
         <a href=\"/openapi.json\">/openapi.json</a>.</p></html>\n"
    );
    let written = remove(pages)
        .and_then(|()| fs::create_dir_all(pages))
        .and_then(|()| fs::write(pages.join("index.html"), page));
    if let Err(error) = written {
        println!("cargo::error=cannot write {}: {error}", pages.display());
    }
}

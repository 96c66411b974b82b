//! `nebel`, `nebel play`: the web app.

use std::{
    io::{self, Write},
    net::IpAddr,
    path::PathBuf,
    process::{Command, Stdio},
};

use nebel_server::{Config, Server, StartError};
use tokio::runtime;

use super::farm::CredsArg;
use crate::failure::Failure;

/// The web app.
#[derive(clap::Args, Debug)]
pub(crate) struct WebArgs {
    /// The port to listen on; 0 takes any that is free.
    #[arg(long, value_name = "PORT", default_value_t = 8080)]
    port: u16,
    /// The address to listen on; others than 127.0.0.1 can be reached from outside.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: String,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
    /// The folder of games and tables [default: nebel in the user's data directory].
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// The results of the arena to show [default: arena.db in the data folder].
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Show who works on this farm and how far its runs are, with the results (`nats://HOST:4222`).
    #[arg(long, value_name = "URL")]
    farm: Option<String>,
    #[command(flatten)]
    creds: CredsArg,
    /// Show pages from this folder instead of those built in, for work on them.
    #[arg(long, value_name = "DIR", hide = true)]
    pages: Option<PathBuf>,
}

/// Serves until it is told to stop.
pub(crate) fn run(args: &WebArgs) -> Result<(), Failure> {
    let runtime = runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(serve(args))
}

async fn serve(args: &WebArgs) -> Result<(), Failure> {
    let server = Server::bind((args.host.as_str(), args.port), args.config()?).await;
    let server = server.map_err(|error| match error {
        StartError::Listen(cause) => {
            Failure::Run(anyhow::anyhow!("cannot listen on {}:{}: {cause}", args.host, args.port))
        }
        StartError::Data { .. } | StartError::Games { .. } => Failure::BadInput(error.to_string()),
        StartError::Threads(_) => Failure::Run(error.into()),
    })?;
    let page = server.page()?;
    writeln!(io::stdout(), "Nebel is at {page} (stop with Ctrl-C)")?;
    for page in server.pages_for_others().iter().filter(|other| **other != page) {
        writeln!(io::stdout(), "Others in your network open {page}")?;
    }
    io::stdout().flush()?;
    if args.open {
        open_browser(&page);
    }
    Ok(server.run(stopped()).await?)
}

impl WebArgs {
    fn config(&self) -> Result<Config, Failure> {
        let no_home = || Failure::BadInput("--data: needed, for there is no home directory".to_owned());
        let data = self.data.clone().or_else(data_of_user).ok_or_else(no_home)?;
        let mut config = Config::new(&data);
        config.results.clone_from(&self.store);
        config.pages.clone_from(&self.pages);
        config.farm = self.farm.as_deref().map(|url| self.creds.broker(url)).transpose()?;
        // Numbers are answered anyway; a name must be known to be ours.
        config.host = self.host.parse::<IpAddr>().is_err().then(|| self.host.clone());
        Ok(config)
    }
}

/// The folder of this user's games and tables.
pub(crate) fn data_of_user() -> Option<PathBuf> {
    nebel_tablebase::Store::of_user()?.directory().parent().map(PathBuf::from)
}

/// Done when the program is asked to end.
async fn stopped() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupt => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = interrupt.await;
}

/// Asks the desktop to show the page; if it cannot, the address stands on the terminal.
fn open_browser(page: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let _ = Command::new(opener)
        .arg(page)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
}

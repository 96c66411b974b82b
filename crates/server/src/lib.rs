//! The web app: games against the machine and between people, what could be known in them, proofs, tables and
//! results, behind a JSON API and WebSockets.
//!
//! | concept | module |
//! |---|---|
//! | games, their sides and their tasks | [`games`] |
//! | the JSON API, one module a subject | [`api`] |
//! | beliefs as numbers | [`knowledge`] |
//! | whom one can play | [`opponents`] |
//! | what is allowed, how much, how often | [`limits`], [`quota`], [`guard`], [`intake`] |
//! | connections, and who gives way | [`listener`], [`idle_stream`], [`visits`] |
//! | threads for long work; analyses under way; whole games worked through | [`pool`], [`jobs`], [`background`] |
//! | what the strongest player thinks of a game | [`opinion`] |
//! | names and secrets; how others reach the server | [`secret`], [`reach`] |
//! | the pages, embedded | [`pages`] |
//!
//! **Nobody learns what they may not.** The position of a running game is held by the task of its table and by
//! no other type; a side's handler has a seat, which is fed with what that side heard.

mod api;
mod background;
#[cfg(test)]
mod fuzz;
mod games;
mod guard;
mod idle_stream;
mod intake;
mod jobs;
mod knowledge;
mod ladder;
mod limits;
mod listener;
mod opinion;
mod opponents;
mod pages;
mod pool;
mod quota;
mod reach;
mod secret;
mod visits;

use std::{
    fs::{File, TryLockError},
    io,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use nebel_arena::farm::Broker;
use thiserror::Error;
use tokio::{
    net::{TcpListener, ToSocketAddrs},
    sync::Semaphore,
};

pub use crate::limits::ServerLimits;
pub use crate::opponents::{Level, levels};
use crate::{
    background::Background,
    games::{Games, Services, store::Store, thinkers::Thinkers},
    jobs::Jobs,
    pool::Pool,
};

/// Where a server keeps things, and what it allows.
#[derive(Clone, Debug)]
pub struct Config {
    /// The folder of its data, made if it is not there.
    pub data: PathBuf,
    /// The arena's results; `arena.db` in the data folder unless told.
    pub results: Option<PathBuf>,
    /// A farm whose workers and runs the page of results shows.
    pub farm: Option<Broker>,
    /// The endgame tables; `tablebases` in the data folder unless told.
    pub tables: Option<PathBuf>,
    /// Pages from a folder instead of those built in, for work on them.
    pub pages: Option<PathBuf>,
    /// The host it was told to bind to, which requests may name.
    pub host: Option<String>,
    /// The limits.
    pub limits: ServerLimits,
}

impl Config {
    /// A server with its data in this folder.
    pub fn new(data: &Path) -> Config {
        Config {
            data: data.to_owned(),
            results: None,
            farm: None,
            tables: None,
            pages: None,
            host: None,
            limits: ServerLimits::default(),
        }
    }
}

/// Why a server cannot be started.
#[derive(Debug, Error)]
pub enum StartError {
    /// The address cannot be had.
    #[error("cannot listen: {0}")]
    Listen(io::Error),
    /// The data folder cannot be used.
    #[error("{}: {cause}", .folder.display())]
    Data {
        /// The folder.
        folder: PathBuf,
        /// Why not.
        cause: io::Error,
    },
    /// The games cannot be read.
    #[error("{}: {cause}", .file.display())]
    Games {
        /// Their file.
        file: PathBuf,
        /// Why not.
        cause: String,
    },
    /// No threads.
    #[error("cannot start threads: {0}")]
    Threads(io::Error),
}

/// How often analyses are looked for that nobody asks for any more.
const WATCH: Duration = Duration::from_secs(15);
/// How often games are looked for that may be forgotten.
const FORGET: Duration = Duration::from_mins(10);

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    app: App,
    /// Held as long as the server runs: the folder is its own.
    lock: File,
}

/// What all handlers share.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) games: Games,
    pub(crate) jobs: Jobs,
    /// Threads for what somebody waits for.
    pub(crate) analysis: Pool,
    /// Threads for what may take minutes.
    pub(crate) provers: Pool,
    pub(crate) connections: Arc<Semaphore>,
    pub(crate) config: Arc<Config>,
    pub(crate) knowledge: Arc<api::belief::Cache>,
    /// Games worked through for the beliefs of a side.
    pub(crate) studies: Background<api::study::Studied>,
    /// Games that the machine has or forms an opinion of.
    pub(crate) opinions: Background<opinion::Told>,
    pub(crate) begun: Arc<api::games::BegunGames>,
    pub(crate) farm: Arc<api::farm::LastTold>,
    /// The page as other machines open it.
    pub(crate) elsewhere: Arc<[String]>,
}

impl Server {
    /// Restores the games and binds the address.
    pub async fn bind(address: impl ToSocketAddrs, config: Config) -> Result<Server, StartError> {
        let lock =
            lock(&config.data).map_err(|cause| StartError::Data { folder: config.data.clone(), cause })?;
        let limits = Arc::new(config.limits.clone());
        let file = config.data.join("games.db");
        let store = Store::open(&file)
            .map_err(|cause| StartError::Games { file: file.clone(), cause: cause.to_string() })?;
        let pool =
            |name: &str, threads| Pool::new(name, threads, limits.waiting_jobs).map_err(StartError::Threads);
        let thinkers = Thinkers::new(limits.player_threads).map_err(StartError::Threads)?;
        let analysis = pool("analysis", limits.analysis_threads)?;
        let provers = pool("prover", limits.prover_threads)?;
        let listener = TcpListener::bind(address).await.map_err(StartError::Listen)?;
        let services = Services {
            store,
            thinkers,
            analysis: analysis.clone(),
            limits: Arc::clone(&limits),
            practice: Arc::new(Semaphore::new(limits.practice_games)),
        };
        let games = Games::restore(services).await;
        let app = App {
            games,
            jobs: Jobs::new(&limits),
            analysis,
            provers,
            connections: Arc::new(Semaphore::new(limits.connections)),
            config: Arc::new(config),
            knowledge: Arc::default(),
            studies: Background::new(limits.works_an_address),
            opinions: Background::new(limits.works_an_address),
            begun: Arc::new(api::games::BegunGames::new(&limits)),
            farm: Arc::default(),
            elsewhere: listener.local_addr().map(reach::from_elsewhere).unwrap_or_default().into(),
        };
        Ok(Server { listener, app, lock })
    }

    /// The page as it is opened on this machine.
    pub fn page(&self) -> io::Result<String> {
        self.address().map(reach::from_here)
    }

    /// The page as other machines open it; none if they cannot.
    pub fn pages_for_others(&self) -> Vec<String> {
        self.app.elsewhere.to_vec()
    }

    /// Where it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `stop` is done, then writes what is not written.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let games = self.app.games.clone();
        let jobs = self.app.jobs.clone();
        let limits = self.app.config.limits.clone();
        let watch = tokio::spawn(async move {
            let mut watch = tokio::time::interval(WATCH);
            loop {
                watch.tick().await;
                jobs.cancel_abandoned();
            }
        });
        let forgetting = games.clone();
        let forget = tokio::spawn(async move {
            loop {
                tokio::time::sleep(FORGET).await;
                // A disk that fails is said by the thread that writes to it.
                let _ = forgetting.forget().await;
            }
        });
        let router = api::router(self.app);
        // WebSockets may stay open for ever, so tables are closed first, which ends them.
        let stopped = {
            let games = games.clone();
            async move {
                stop.await;
                games.close().await;
            }
        };
        listener::serve(self.listener, router, &limits, stopped).await;
        watch.abort();
        forget.abort();
        games.close().await;
        drop(self.lock);
        Ok(())
    }
}

/// Makes the folder and takes it for this server alone. The system gives it back when the program ends, however it does.
fn lock(folder: &Path) -> io::Result<File> {
    std::fs::create_dir_all(folder)?;
    let file = File::options().create(true).truncate(false).write(true).open(folder.join("server.lock"))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(io::Error::other("another server uses this folder")),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

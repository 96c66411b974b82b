//! Who is there, and how far runs are: everybody answers who is asked.
//!
//! Nothing is stored: a question goes to all workers and collectors, and who does not answer within a second is not there.
//! Runs whose collector is away are seen by their streams.

use std::{
    collections::BTreeMap,
    fmt,
    time::{Duration, Instant},
};

use async_nats::{Client, Subscriber, jetstream::Context};
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::time;

use super::{Broker, FarmError, Notice, PING, UNITS, WORKERS};
use crate::work::queue::Standing;

/// A farm at a moment.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Status {
    /// The workers that answered.
    pub workers: Vec<WorkerStatus>,
    /// The runs on the broker.
    pub runs: Vec<RunStatus>,
}

/// A worker, as it speaks of itself.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// Its name: the machine, the process, and a number.
    pub name: String,
    /// The version of its program.
    pub version: String,
    /// Cores of its machine.
    pub cores: usize,
    /// Units at a time.
    pub jobs: usize,
    /// Units that it is working on.
    pub busy: usize,
    /// Units done since it began.
    pub done: u64,
    /// Units done in the last minute.
    pub per_minute: u64,
    /// Runs that it takes nothing of, and why.
    pub refused: Vec<String>,
}

/// A run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RunStatus {
    /// Its name on the broker.
    pub run: String,
    /// What it is.
    pub title: String,
    /// The kind of its units.
    pub kind: String,
    /// The version of the program that it wants.
    pub version: String,
    /// How far it is; `None` when its collector is away.
    pub standing: Option<Standing>,
    /// Units a minute since the collector began.
    pub per_minute: Option<f64>,
    /// Seconds until its end, if it goes on like this.
    pub seconds_left: Option<f64>,
    /// Units that the broker holds: those that wait, and those that are being done.
    #[serde(default)]
    pub waiting: u64,
    /// Units that are being done.
    #[serde(default)]
    pub in_hand: u64,
    /// Units that are out for the second time or more.
    #[serde(default)]
    pub redelivered: u64,
}

/// What is said to whoever asks.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Answer {
    Worker(WorkerStatus),
    Collector(RunStatus),
}

/// Longer answers are nobody's.
const LONGEST_ANSWER: usize = 64 << 10;
/// More answers than this are not read.
const MOST_ANSWERS: usize = 20_000;

impl RunStatus {
    pub(super) fn of(run: &str, notice: &Notice) -> RunStatus {
        RunStatus {
            run: run.to_owned(),
            title: notice.title.clone(),
            kind: notice.kind.clone(),
            version: notice.version.clone(),
            ..RunStatus::default()
        }
    }

    /// The same as it stands now. `first` is how many units were there when the collector began.
    pub(super) fn at(&self, standing: Standing, first: u64, time: Duration) -> RunStatus {
        let done = standing.done.saturating_sub(first);
        let rate = done as f64 / time.as_secs_f64().max(1e-3);
        let left = standing.of.map(|of| of.saturating_sub(standing.done) as f64);
        RunStatus {
            standing: Some(standing),
            per_minute: Some(60.0 * rate),
            seconds_left: left.filter(|_| done > 0).map(|left| left / rate),
            ..self.clone()
        }
    }
}

/// Answers everybody who asks.
pub(super) async fn answer(client: Client, mut questions: Subscriber, status: impl Fn() -> Answer) {
    while let Some(question) = questions.next().await {
        if let (Some(to), Ok(text)) = (question.reply, serde_json::to_vec(&status())) {
            let _ = client.publish(to, text.into()).await;
        }
    }
}

/// Asks a farm. `patience` is how long answers are waited for.
pub fn ask(broker: &Broker, patience: Duration) -> Result<Status, FarmError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| FarmError::Broker(error.to_string()))?;
    runtime.block_on(asked(broker, patience))
}

/// Asks a farm, in a program that has a runtime.
pub async fn asked(broker: &Broker, patience: Duration) -> Result<Status, FarmError> {
    let context = time::timeout(Duration::from_secs(5), broker.connect("nebel farm status", |_| {})).await;
    let context = match context {
        Ok(Ok(context)) => context,
        Ok(Err(refusal)) => return Err(broker.refused(refusal)),
        Err(_) => {
            return Err(FarmError::Connect { url: broker.shown(), cause: "it does not answer".to_owned() });
        }
    };
    let (mut runs, answers) = tokio::try_join!(listed(&context), answers(&context, patience))?;
    let mut workers = Vec::new();
    for answer in answers {
        match answer {
            Answer::Worker(worker) => workers.push(worker),
            Answer::Collector(told) => {
                let run = runs.entry(told.run.clone()).or_default();
                let RunStatus { waiting, in_hand, redelivered, .. } = *run;
                *run = RunStatus { waiting, in_hand, redelivered, ..told };
            }
        }
    }
    workers.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(Status { workers, runs: runs.into_values().collect() })
}

async fn answers(context: &Context, patience: Duration) -> Result<Vec<Answer>, FarmError> {
    let client = context.client();
    let failed = |error: &dyn fmt::Display| FarmError::Broker(error.to_string());
    let inbox = client.new_inbox();
    let mut replies = client.subscribe(inbox.clone()).await.map_err(|error| failed(&error))?;
    client.publish_with_reply(PING, inbox, "".into()).await.map_err(|error| failed(&error))?;
    let end = Instant::now() + patience;
    let mut answers = Vec::new();
    while answers.len() < MOST_ANSWERS {
        let left = end.saturating_duration_since(Instant::now());
        // Nobody at all is told by the broker at once, with an empty message.
        let Ok(Some(reply)) = time::timeout(left, replies.next()).await else { break };
        if reply.status.is_some() {
            break;
        }
        if reply.payload.len() <= LONGEST_ANSWER {
            answers.extend(serde_json::from_slice::<Answer>(&reply.payload).ok());
        }
    }
    Ok(answers)
}

/// The runs that the broker holds.
async fn listed(context: &Context) -> Result<BTreeMap<String, RunStatus>, FarmError> {
    let mut runs = BTreeMap::new();
    for stream in streams(context).await.map_err(FarmError::Broker)? {
        let Some((run, notice)) = stream.run() else { continue };
        let mut status = RunStatus { waiting: stream.messages, ..RunStatus::of(&run, &notice) };
        let subject = format!("CONSUMER.INFO.{UNITS}{run}.{WORKERS}");
        if let Ok(info) = context.request::<_, _, Value>(subject, &json!({})).await {
            status.in_hand = info["num_ack_pending"].as_u64().unwrap_or(0);
            status.redelivered = info["num_redelivered"].as_u64().unwrap_or(0);
        }
        runs.insert(run, status);
    }
    Ok(runs)
}

/// A stream of units, as the broker lists it.
pub(super) struct Listed {
    name: String,
    description: String,
    messages: u64,
}

impl Listed {
    /// The run and what is told of it, if it is one.
    pub(super) fn run(&self) -> Option<(String, Notice)> {
        let run = self.name.strip_prefix(UNITS)?;
        let is_name = run.len() == 16 && run.bytes().all(|byte| byte.is_ascii_hexdigit());
        Some((run.to_owned(), serde_json::from_str(&self.description).ok()?)).filter(|_| is_name)
    }
}

/// The streams of units on a broker.
pub(super) async fn streams(context: &Context) -> Result<Vec<Listed>, String> {
    let mut listed = Vec::new();
    loop {
        let question = json!({"subject": "nebel.units.>", "offset": listed.len()});
        let page: Value =
            context.request("STREAM.LIST", &question).await.map_err(|error| error.to_string())?;
        if let Some(error) = page.get("error") {
            return Err(error["description"].as_str().unwrap_or("no list of streams").to_owned());
        }
        let streams = page["streams"].as_array().map_or(&[][..], Vec::as_slice);
        listed.extend(streams.iter().map(|stream| Listed {
            name: stream["config"]["name"].as_str().unwrap_or_default().to_owned(),
            description: stream["config"]["description"].as_str().unwrap_or_default().to_owned(),
            messages: stream["state"]["messages"].as_u64().unwrap_or(0),
        }));
        let total = page["total"].as_u64().unwrap_or(0) as usize;
        if streams.is_empty() || listed.len() >= total {
            return Ok(listed);
        }
    }
}

/// The name of this machine.
pub(super) fn host() -> String {
    let name = rustix::system::uname();
    let name: String =
        name.nodename().to_string_lossy().chars().filter(char::is_ascii_graphic).take(60).collect();
    if name.is_empty() { "host".to_owned() } else { name }
}

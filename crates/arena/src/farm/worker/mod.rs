//! A worker: takes units of all runs that are its own kind of program's, does them, and gives signs of life meanwhile.
//!
//! It looks for runs every two seconds and when a collector has news. A run of another version, or of players that play
//! otherwise here, is left alone with a line that says so. Units are asked for as threads become free, and some ahead where
//! they are short, so that nobody waits for the network. A unit is acknowledged when the broker has its result. Told to
//! end, the worker gives back what it holds.

mod runs;

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use async_nats::jetstream::{
    AckKind, Context, Message,
    consumer::PullConsumer,
    context::{PublishError, PublishErrorKind},
    message::PublishMessage,
};
use futures_util::StreamExt;
use tokio::{
    sync::{Notify, oneshot},
    time,
};

use super::{
    BEAT, Broker, FarmError, MOST_HANDINGS, PING, VERSION,
    hands::{Assignment, Hands},
    header, random, result_subject,
    status::{self, Answer, WorkerStatus, host},
};
use crate::work::{Cancel, Kinds, LARGEST_RESULT, LARGEST_UNIT, Trust, UnitError};

/// How a worker works.
#[derive(Clone)]
pub struct WorkerTerms {
    /// Where the farm is.
    pub broker: Broker,
    /// Units at a time.
    pub jobs: usize,
    /// Whether units may start programs and read files.
    pub trust: Trust,
    /// The kinds of unit that it knows.
    pub kinds: Kinds,
    /// Raised when it should end.
    pub stop: Cancel,
    /// Is told what the user should hear, a line at a time.
    pub say: fn(&str),
}

/// Works until it is told to end. Returns how many units were done.
pub fn work(terms: WorkerTerms) -> Result<u64, FarmError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.map_err(|error| FarmError::Broker(error.to_string()))?;
    let name = format!("{}-{}-{:04x}", host(), std::process::id(), random()? as u16);
    let done = runtime.block_on(async {
        let Some(context) = connect(&terms, &name).await? else { return Ok(0) };
        let hands = Hands::new(terms.jobs, &terms.kinds, terms.trust);
        let worker = Arc::new(Worker {
            terms,
            name,
            context,
            hands,
            runs: Mutex::default(),
            refused: Mutex::default(),
            held: Mutex::default(),
            changed: Notify::new(),
            done: AtomicU64::new(0),
            finished: Mutex::default(),
        });
        worker.work().await
    });
    // Threads that still think are not waited for.
    runtime.shutdown_background();
    done
}

/// Waits for a broker that is not there yet; one that does not let us in is an error.
async fn connect(terms: &WorkerTerms, name: &str) -> Result<Option<Context>, FarmError> {
    let mut has_said = false;
    while !terms.stop.is_cancelled() {
        match terms.broker.connect(name, terms.say).await {
            Ok(context) => return Ok(Some(context)),
            Err(refusal) if refusal.is_final => return Err(terms.broker.refused(refusal)),
            Err(refusal) if !has_said => {
                (terms.say)(&format!("{}; waiting for it", terms.broker.refused(refusal)));
                has_said = true;
            }
            Err(_) => {}
        }
        time::sleep(Duration::from_millis(500)).await;
    }
    Ok(None)
}

struct Worker {
    terms: WorkerTerms,
    name: String,
    context: Context,
    hands: Hands,
    runs: Mutex<BTreeMap<String, Arc<Run>>>,
    /// Runs that nothing is taken of, and why.
    refused: Mutex<BTreeMap<String, String>>,
    /// Units in hand, by the run and their number in its stream.
    held: Mutex<BTreeMap<(String, u64), Arc<Held>>>,
    /// Something has become free, or there is a new run.
    changed: Notify,
    done: AtomicU64,
    /// When units were finished in the last minute.
    finished: Mutex<VecDeque<Instant>>,
}

struct Run {
    name: String,
    kind: String,
    consumer: PullConsumer,
    /// Raised when the run is over.
    gone: Cancel,
}

struct Held {
    message: Message,
    cancel: Cancel,
}

/// How long the broker keeps a question for units open.
const OPEN: Duration = Duration::from_secs(1);
/// So much work is asked for ahead.
const AHEAD: f64 = 0.25;
const MOST_AHEAD: usize = 512;
/// Units in one answer.
const BATCH: usize = 256;

impl Worker {
    async fn work(self: Arc<Worker>) -> Result<u64, FarmError> {
        let client = self.context.client();
        let failed = |error: &dyn std::fmt::Display| FarmError::Broker(error.to_string());
        let questions = client.subscribe(PING).await.map_err(|error| failed(&error))?;
        let told = Arc::clone(&self);
        tokio::spawn(status::answer(client.clone(), questions, move || Answer::Worker(told.status())));
        tokio::spawn(Arc::clone(&self).beat());
        tokio::spawn(Arc::clone(&self).look());
        let shown = self.terms.broker.shown();
        (self.terms.say)(&format!(
            "worker {} takes {} units at a time from {shown}",
            self.name, self.terms.jobs
        ));
        while !self.terms.stop.is_cancelled() {
            self.round().await;
        }
        self.give_back().await;
        Ok(self.done.load(Ordering::Relaxed))
    }

    /// Asks for as many units as there is room for.
    async fn round(self: &Arc<Worker>) {
        let room = (self.terms.jobs + self.ahead()).saturating_sub(lock(&self.held).len());
        let mut runs: Vec<Arc<Run>> = lock(&self.runs).values().cloned().collect();
        if room == 0 || runs.is_empty() {
            let _ = time::timeout(Duration::from_millis(100), self.changed.notified()).await;
            return;
        }
        // Another run first every time.
        let turn = self.done.load(Ordering::Relaxed) as usize % runs.len();
        runs.rotate_left(turn);
        let is_only = runs.len() == 1;
        for run in runs {
            match self.fetch(&run, room.min(BATCH), is_only).await {
                Ok(0) => {}
                Ok(_) => return,
                // The run is over, or the broker is away: whoever looks for runs will know.
                Err(_) => time::sleep(Duration::from_millis(100)).await,
            }
        }
        if !is_only {
            let _ = time::timeout(Duration::from_millis(100), self.changed.notified()).await;
        }
    }

    /// Takes units of a run; of the only run, it waits for some.
    async fn fetch(
        self: &Arc<Worker>,
        run: &Arc<Run>,
        room: usize,
        waits: bool,
    ) -> Result<usize, async_nats::Error> {
        let mut units = if waits {
            run.consumer.batch().max_messages(room).expires(OPEN).messages().await?
        } else {
            run.consumer.fetch().max_messages(room).messages().await?
        };
        let mut taken = 0;
        let end = time::sleep(OPEN + Duration::from_millis(500));
        tokio::pin!(end);
        loop {
            let next = tokio::select! {
                next = units.next() => next,
                () = &mut end => None,
                () = self.told_to_end() => None,
            };
            let Some(message) = next else { return Ok(taken) };
            taken += 1;
            self.take(run, message?);
        }
    }

    /// Returns when the worker is to end.
    async fn told_to_end(&self) {
        while !self.terms.stop.is_cancelled() {
            time::sleep(Duration::from_millis(100)).await;
        }
    }

    fn take(self: &Arc<Worker>, run: &Arc<Run>, message: Message) {
        let Ok((sequence, handed)) = message.info().map(|info| (info.stream_sequence, info.delivered)) else {
            return;
        };
        let held = Arc::new(Held { message, cancel: Cancel::default() });
        let key = (run.name.clone(), sequence);
        if lock(&self.held).insert(key.clone(), Arc::clone(&held)).is_some() {
            // The broker missed a sign of life: the same unit again, which is being done.
            return;
        }
        let (worker, run) = (Arc::clone(self), Arc::clone(run));
        tokio::spawn(async move {
            worker.unit(&run, &held, handed).await;
            lock(&worker.held).remove(&key);
            worker.changed.notify_one();
        });
    }

    async fn unit(&self, run: &Run, held: &Held, handed: i64) {
        let number = held.message.subject.rsplit('.').next().and_then(|number| number.parse::<u64>().ok());
        let Some(number) = number else {
            let _ = held.message.ack_with(AckKind::Term).await;
            return;
        };
        let result = if handed > MOST_HANDINGS {
            Err(UnitError::Refused(format!("it was handed out {handed} times without a result")))
        } else if held.message.payload.len() > LARGEST_UNIT {
            Err(UnitError::Refused(format!("it is larger than {LARGEST_UNIT} bytes")))
        } else {
            let (done, result) = oneshot::channel();
            self.hands.assign(Assignment {
                kind: run.kind.clone(),
                payload: held.message.payload.to_vec(),
                cancel: held.cancel.clone(),
                done,
            });
            result.await.unwrap_or(Err(UnitError::Stopped))
        };
        let result = match result {
            Ok(bytes) if bytes.len() > LARGEST_RESULT => {
                Err(UnitError::Refused(format!("its result is larger than {LARGEST_RESULT} bytes")))
            }
            result => result,
        };
        // Whoever stopped it gives it back.
        if result == Err(UnitError::Stopped) {
            return;
        }
        if self.publish(run, number, handed, &result).await {
            let _ = held.message.ack().await;
            self.done.fetch_add(1, Ordering::Relaxed);
            let mut finished = lock(&self.finished);
            finished.push_back(Instant::now());
        }
    }

    /// Publishes a result until the broker has it; gives up when nobody wants it any more.
    async fn publish(
        &self,
        run: &Run,
        number: u64,
        handed: i64,
        result: &Result<Vec<u8>, UnitError>,
    ) -> bool {
        let failed = result.as_ref().err().map(ToString::to_string);
        let payload = result.as_ref().map_or(&[][..], Vec::as_slice);
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.name.as_bytes()).update(b"\0").update(payload);
        let id = format!("{number}-{}", &hasher.finalize().to_hex()[..16]);
        loop {
            let mut message = PublishMessage::build()
                .payload(payload.to_vec().into())
                .message_id(&id)
                .header(header::UNIT, number.to_string())
                .header(header::WORKER, self.name.as_str())
                .header(header::HANDED, handed.to_string());
            if let Some(cause) = &failed {
                message = message.header(header::FAILED, cause.replace(['\r', '\n'], " ").as_str());
            }
            let published: Result<_, PublishError> =
                async { self.context.send_publish(result_subject(&run.name), message).await?.await }.await;
            match published {
                Ok(_) => return true,
                Err(error) if error.kind() == PublishErrorKind::MaxPayloadExceeded => return false,
                Err(_) if run.gone.is_cancelled() || self.terms.stop.is_cancelled() => return false,
                Err(_) => time::sleep(Duration::from_millis(300)).await,
            }
        }
    }

    /// Signs of life for all units in hand.
    async fn beat(self: Arc<Worker>) {
        loop {
            time::sleep(BEAT).await;
            let held: Vec<Arc<Held>> = lock(&self.held).values().cloned().collect();
            for held in held {
                let _ = held.message.ack_with(AckKind::Progress).await;
            }
        }
    }

    async fn give_back(&self) {
        let held: Vec<Arc<Held>> = lock(&self.held).values().cloned().collect();
        for held in held {
            held.cancel.cancel();
            let _ =
                time::timeout(Duration::from_millis(500), held.message.ack_with(AckKind::Nak(None))).await;
        }
        let _ = time::timeout(Duration::from_secs(1), self.context.client().flush()).await;
    }

    /// How many units are asked for before there is a thread for them.
    fn ahead(&self) -> usize {
        let mut finished = lock(&self.finished);
        let now = Instant::now();
        while finished.front().is_some_and(|then| now - *then > Duration::from_mins(1)) {
            finished.pop_front();
        }
        let recent = finished.iter().rev().take_while(|then| now - **then < Duration::from_secs(4)).count();
        ((recent as f64 / 4.0 * AHEAD).round() as usize).min(MOST_AHEAD)
    }

    fn status(&self) -> WorkerStatus {
        let finished = lock(&self.finished);
        let minute = finished.iter().rev().take_while(|then| then.elapsed() < Duration::from_mins(1)).count();
        WorkerStatus {
            name: self.name.clone(),
            version: VERSION.to_owned(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            jobs: self.terms.jobs,
            busy: lock(&self.held).len().min(self.terms.jobs),
            done: self.done.load(Ordering::Relaxed),
            per_minute: minute as u64,
            refused: lock(&self.refused).iter().map(|(run, why)| format!("{run}: {why}")).collect(),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

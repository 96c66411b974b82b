//! The queue that the collector sees: units go to the broker, results come from it.
//!
//! A task pulls results; everything else happens in the caller's thread, which waits for the broker as long as it takes.
//! A broker that is restarted has its streams on disk. One that lost them is given them anew, with all units that are out.

use std::{
    collections::BTreeMap,
    error::Error as _,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use async_nats::jetstream::{
    self, Context, ErrorCode,
    consumer::{AckPolicy, PullConsumer, pull},
    context::{GetStreamErrorKind, PublishErrorKind},
    message::PublishMessage,
    stream::{Config, DiscardPolicy, RetentionPolicy, StorageType},
};
use futures_util::{StreamExt, stream};
use tokio::{runtime::Runtime, sync::mpsc, time};

use super::{
    ACK_WAIT, COLLECTOR, Farm, FarmError, LONGEST_RUN, MOST_BYTES, MOST_HANDINGS, MOST_RESULTS, NEWS, Notice,
    PING, RESULTS, UNITS, WINDOW, WORKERS, collector_subject, header, result_subject, status, unit_subject,
};
use crate::work::{
    LARGEST_RESULT, LARGEST_UNIT, Unit, UnitError,
    queue::{Delivery, Queue, QueueError, Rest, Standing},
};

/// Results that are taken and not settled, at most.
const IN_HAND: usize = 2048;
/// Units that are published at once.
const AT_ONCE: usize = 512;

/// A run on the broker.
pub(super) struct Collector {
    farm: Farm,
    run: String,
    notice: Notice,
    context: Context,
    results: mpsc::Receiver<jetstream::Message>,
    /// Results that were taken, by their number in the stream.
    in_hand: BTreeMap<u64, jetstream::Message>,
    /// Units that were published and have no result yet.
    out: BTreeMap<u64, Vec<u8>>,
    /// No unit is published before the results that wait were taken.
    is_caught_up: bool,
    standing: Arc<Mutex<Told>>,
    /// Dropped last: all tasks end with it.
    runtime: Runtime,
}

/// How far the run is, for those who ask.
#[derive(Clone, Copy, Default)]
struct Told {
    now: Standing,
    /// Units that were there when the collector began.
    first: Option<u64>,
}

impl Collector {
    /// Begins a run on the broker, or goes on with it.
    pub(super) fn begin(farm: &Farm, run: &str, notice: &Notice) -> Result<Collector, FarmError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|error| FarmError::Broker(error.to_string()))?;
        let standing = Arc::new(Mutex::new(Told::default()));
        let (context, results) = runtime.block_on(async {
            let context = farm.broker.connect("nebel collector", farm.say).await;
            let context = context.map_err(|refusal| farm.broker.refused(refusal))?;
            let client = context.client();
            // Only a collector at work answers; where none is, the broker says so at once.
            let asked =
                time::timeout(Duration::from_secs(2), client.request(collector_subject(run), "".into()));
            if matches!(asked.await, Ok(Ok(_))) {
                return Err(FarmError::Collected);
            }
            prepare(&context, run, notice).await?;
            let (sender, results) = mpsc::channel(IN_HAND / 2);
            tokio::spawn(pull(context.clone(), run.to_owned(), sender));
            for subject in [collector_subject(run), PING.to_owned()] {
                let questions = client.subscribe(subject).await;
                let questions = questions.map_err(|error| FarmError::Broker(error.to_string()))?;
                let (run, standing) = (status::RunStatus::of(run, notice), Arc::clone(&standing));
                let begun = Instant::now();
                tokio::spawn(status::answer(client.clone(), questions, move || {
                    let told = *standing.lock().unwrap_or_else(PoisonError::into_inner);
                    status::Answer::Collector(run.at(told.now, told.first.unwrap_or(0), begun.elapsed()))
                }));
            }
            let _ = client.publish(NEWS, "".into()).await;
            Ok((context, results))
        })?;
        Ok(Collector {
            farm: farm.clone(),
            run: run.to_owned(),
            notice: notice.clone(),
            context,
            results,
            in_hand: BTreeMap::new(),
            out: BTreeMap::new(),
            is_caught_up: false,
            standing,
            runtime,
        })
    }

    /// Takes the run off the broker.
    pub(super) fn end(&self) {
        self.runtime.block_on(async {
            for stream in [format!("{UNITS}{}", self.run), format!("{RESULTS}{}", self.run)] {
                // Without it the broker forgets the run by itself, only later.
                let _ = time::timeout(Duration::from_secs(2), self.context.delete_stream(stream)).await;
            }
            let _ = self.context.client().publish(NEWS, "".into()).await;
            let _ = time::timeout(Duration::from_secs(1), self.context.client().flush()).await;
        });
    }

    fn check_stop(&self) -> Result<(), QueueError> {
        if self.farm.stop.is_cancelled() { Err(QueueError::Interrupted) } else { Ok(()) }
    }

    /// Publishes units until the broker has all of them.
    fn publish(&self, mut units: Vec<(u64, Vec<u8>)>) -> Result<(), QueueError> {
        while !units.is_empty() {
            self.check_stop()?;
            let sent = self.runtime.block_on(async {
                let sent = stream::iter(units).map(|(number, payload)| async move {
                    let subject = unit_subject(&self.run, number);
                    let message = PublishMessage::build().payload(payload.clone().into());
                    let published = async { self.context.send_publish(subject, message).await?.await };
                    (number, payload, published.await)
                });
                sent.buffer_unordered(AT_ONCE).collect::<Vec<_>>().await
            });
            units = Vec::new();
            let mut is_lost = false;
            for (number, payload, published) in sent {
                match published {
                    Ok(_) => {}
                    Err(error) if is_there_already(&error) => {}
                    Err(error) if error.kind() == PublishErrorKind::MaxPayloadExceeded => {
                        return Err(QueueError::Gone(format!(
                            "unit {number} is larger than the broker allows"
                        )));
                    }
                    Err(error) => {
                        is_lost |= error.kind() == PublishErrorKind::StreamNotFound;
                        units.push((number, payload));
                    }
                }
            }
            if !units.is_empty() {
                self.runtime.block_on(time::sleep(Duration::from_millis(300)));
                if is_lost {
                    self.restore()?;
                }
            }
        }
        Ok(())
    }

    /// If the broker has lost the run, it gets it anew.
    fn restore(&self) -> Result<(), QueueError> {
        let name = format!("{UNITS}{}", self.run);
        let is_gone = self.runtime.block_on(async {
            let stream = self.context.get_stream(name).await;
            let Err(error) = stream else { return false };
            matches!(error.kind(), GetStreamErrorKind::JetStream(error) if error.error_code() == ErrorCode::STREAM_NOT_FOUND)
        });
        if is_gone {
            (self.farm.say)("the broker has lost the run; it gets it anew");
            let made = self.runtime.block_on(prepare(&self.context, &self.run, &self.notice));
            // A broker that goes away now is asked again by the caller.
            if made.is_ok() {
                self.publish(self.out.iter().map(|(number, payload)| (*number, payload.clone())).collect())?;
            }
        }
        Ok(())
    }
}

impl Queue for Collector {
    fn room(&self) -> usize {
        if self.is_caught_up { WINDOW.saturating_sub(self.out.len()) } else { 0 }
    }

    fn put(&mut self, units: Vec<Unit>) -> Result<(), QueueError> {
        let units: Vec<(u64, Vec<u8>)> = units.into_iter().map(|unit| (unit.number, unit.payload)).collect();
        if let Some((number, _)) = units.iter().find(|(_, payload)| payload.len() > LARGEST_UNIT) {
            return Err(QueueError::Gone(format!("unit {number} is larger than {LARGEST_UNIT} bytes")));
        }
        self.out.extend(units.iter().cloned());
        self.publish(units)
    }

    fn take(&mut self) -> Result<Vec<Delivery>, QueueError> {
        self.check_stop()?;
        let mut deliveries = Vec::new();
        let first = self.runtime.block_on(async { time::timeout(WAIT, self.results.recv()).await });
        let mut next = match first {
            Ok(Some(message)) => Some(message),
            Ok(None) => return Err(QueueError::Gone("the task that pulls results died".to_owned())),
            Err(_) => {
                self.is_caught_up = true;
                None
            }
        };
        while let Some(message) = next.take() {
            if let Some(delivery) = delivery(&message)
                && !self.in_hand.contains_key(&delivery.token)
            {
                self.in_hand.insert(delivery.token, message);
                deliveries.push(delivery);
            }
            if deliveries.len() < IN_HAND / 4 {
                next = self.results.try_recv().ok();
            }
        }
        Ok(deliveries)
    }

    fn settle(&mut self, delivery: Delivery) -> Result<(), QueueError> {
        self.out.remove(&delivery.number);
        if let Some(message) = self.in_hand.remove(&delivery.token) {
            // An acknowledgement that is lost costs a double.
            let _ = self.runtime.block_on(message.ack());
        }
        Ok(())
    }

    fn stop(&mut self) -> Result<Rest, QueueError> {
        self.end();
        Ok(Rest::Nothing)
    }

    fn tell(&mut self, standing: &Standing) {
        let mut told = self.standing.lock().unwrap_or_else(PoisonError::into_inner);
        told.first.get_or_insert(standing.done);
        told.now = *standing;
    }

    fn say(&mut self, text: &str) {
        (self.farm.say)(text);
    }
}

/// How long to wait for results before the caller may look around.
const WAIT: Duration = Duration::from_millis(200);

/// A result as it came. Whoever sends what is none has only made the broker busy.
fn delivery(message: &jetstream::Message) -> Option<Delivery> {
    let text = |name| message.headers.as_ref()?.get(name).map(async_nats::HeaderValue::as_str);
    let token = message.info().ok()?.stream_sequence;
    let failed = text(header::FAILED).map(|cause| UnitError::Refused(cause.chars().take(200).collect()));
    Some(Delivery {
        number: text(header::UNIT).and_then(|number| number.parse().ok()).unwrap_or(u64::MAX),
        worker: Some(text(header::WORKER).unwrap_or("?").chars().take(100).collect()),
        result: failed.map_or_else(|| Ok(message.payload.to_vec()), Err),
        handed: text(header::HANDED).and_then(|handed| handed.parse().ok()).unwrap_or(1),
        token,
    })
}

/// Whether the broker holds the unit already.
fn is_there_already(error: &jetstream::context::PublishError) -> bool {
    error.source().is_some_and(|source| source.to_string().contains("maximum messages per subject exceeded"))
}

/// Makes the streams of a run and their consumers, unless they are there.
async fn prepare(context: &Context, run: &str, notice: &Notice) -> Result<(), FarmError> {
    let failed = |error: &dyn std::fmt::Display| FarmError::Broker(error.to_string());
    let common = Config {
        retention: RetentionPolicy::WorkQueue,
        storage: StorageType::File,
        discard: DiscardPolicy::New,
        max_bytes: MOST_BYTES,
        max_age: LONGEST_RUN,
        duplicate_window: Duration::from_mins(2),
        description: Some(notice.written()?),
        ..Config::default()
    };
    let units = Config {
        name: format!("{UNITS}{run}"),
        subjects: vec![format!("nebel.units.{run}.*")],
        max_messages: 2 * WINDOW as i64,
        max_messages_per_subject: 1,
        discard_new_per_subject: true,
        max_message_size: LARGEST_UNIT as i32,
        ..common.clone()
    };
    let results = Config {
        name: format!("{RESULTS}{run}"),
        subjects: vec![result_subject(run)],
        max_messages: MOST_RESULTS,
        max_message_size: (LARGEST_RESULT + 1024) as i32,
        ..common
    };
    let consumer = |name: &str, pending: i64| pull::Config {
        durable_name: Some(name.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: ACK_WAIT,
        max_ack_pending: pending,
        max_waiting: 8192,
        ..pull::Config::default()
    };
    let workers = pull::Config { max_deliver: 2 * MOST_HANDINGS, ..consumer(WORKERS, 2 * WINDOW as i64) };
    for (stream, consumer) in [(results, consumer(COLLECTOR, IN_HAND as i64)), (units, workers)] {
        let stream = context.get_or_create_stream(stream).await.map_err(|error| failed(&error))?;
        let name = consumer.durable_name.clone().unwrap_or_default();
        stream.get_or_create_consumer(&name, consumer).await.map_err(|error| failed(&error))?;
    }
    Ok(())
}

/// Pulls results as long as somebody takes them, whatever the broker goes through.
async fn pull(context: Context, run: String, results: mpsc::Sender<jetstream::Message>) {
    loop {
        let stream = format!("{RESULTS}{run}");
        let consumer: Result<PullConsumer, _> = context.get_consumer_from_stream(COLLECTOR, stream).await;
        if let Ok(consumer) = consumer {
            // Until something goes wrong.
            while let Ok(mut messages) =
                consumer.batch().max_messages(IN_HAND / 4).expires(Duration::from_secs(2)).messages().await
            {
                let mut is_well = true;
                while let Some(message) = messages.next().await {
                    let Ok(message) = message else {
                        is_well = false;
                        break;
                    };
                    if results.send(message).await.is_err() {
                        return;
                    }
                }
                if !is_well {
                    break;
                }
            }
        }
        if results.is_closed() {
            return;
        }
        time::sleep(Duration::from_millis(300)).await;
    }
}

//! The runs of a farm, as a worker meets them: which it takes units of, and which it leaves alone.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use futures_util::StreamExt;
use tokio::time;

use super::{Run, Worker, lock};
use crate::{
    farm::{NEWS, Notice, UNITS, VERSION, WORKERS, status},
    work::{Cancel, Kinds, Trust},
};

/// How often runs are looked for.
const LOOK: Duration = Duration::from_secs(2);

impl Worker {
    /// Looks for runs.
    pub(super) async fn look(self: Arc<Worker>) {
        let news = self.context.client().subscribe(NEWS).await;
        let mut news = news.ok();
        let mut missing = BTreeMap::<String, u32>::new();
        loop {
            if let Ok(streams) = status::streams(&self.context).await {
                let listed: BTreeMap<String, Notice> =
                    streams.iter().filter_map(status::Listed::run).collect();
                let known: Vec<String> = lock(&self.runs).keys().cloned().collect();
                for run in known {
                    // A broker that is starting may not know all its streams yet.
                    let times = missing.entry(run.clone()).or_default();
                    *times = if listed.contains_key(&run) { 0 } else { *times + 1 };
                    if *times >= 2 {
                        self.drop_run(&run);
                    }
                }
                missing.retain(|_, times| *times > 0);
                lock(&self.refused).retain(|run, _| listed.contains_key(run));
                for (run, notice) in listed {
                    self.meet(run, notice).await;
                }
            }
            let wait = async {
                match &mut news {
                    Some(news) => drop(news.next().await),
                    None => std::future::pending().await,
                }
            };
            // What is missing is soon looked for again.
            let _ = time::timeout(if missing.is_empty() { LOOK } else { LOOK / 8 }, wait).await;
        }
    }

    /// Takes a run on, or says why not.
    async fn meet(&self, name: String, notice: Notice) {
        if lock(&self.runs).contains_key(&name) || lock(&self.refused).contains_key(&name) {
            return;
        }
        let (kinds, trust, title) = (self.terms.kinds.clone(), self.terms.trust, notice.title.clone());
        let kind = notice.kind.clone();
        let judged = tokio::task::spawn_blocking(move || judge(&notice, &kinds, trust)).await;
        if let Err(why) = judged.unwrap_or_else(|_| Err("its players cannot be tried here".to_owned())) {
            (self.terms.say)(&format!("nothing is taken of run {name} ({title}): {why}"));
            lock(&self.refused).insert(name, why);
            return;
        }
        let consumer = self.context.get_consumer_from_stream(WORKERS, format!("{UNITS}{name}")).await;
        // One whose consumer is not made yet is met again.
        if let Ok(consumer) = consumer {
            let run = Run { name: name.clone(), kind, consumer, gone: Cancel::default() };
            lock(&self.runs).insert(name, Arc::new(run));
            self.changed.notify_one();
        }
    }

    /// A run is over: nobody wants its units.
    fn drop_run(&self, name: &str) {
        if let Some(run) = lock(&self.runs).remove(name) {
            run.gone.cancel();
            let held = lock(&self.held);
            held.iter().filter(|((run, _), _)| run == name).for_each(|(_, held)| held.cancel.cancel());
        }
    }
}

/// Whether this program does the units of a run as the one that began it would.
fn judge(notice: &Notice, kinds: &Kinds, trust: Trust) -> Result<(), String> {
    if notice.version != VERSION {
        return Err(format!("it wants version {}, and this is {VERSION}", notice.version));
    }
    let work =
        kinds.get(&notice.kind).ok_or_else(|| format!("units `{}` are not known here", notice.kind))?;
    for (subject, wanted) in &notice.signatures {
        let signature = work.signature(subject, trust).map_err(|error| match trust {
            Trust::Own => error.to_string(),
            Trust::Stranger => format!("{error} (without --allow-exec)"),
        })?;
        if signature != *wanted {
            return Err(format!("`{subject}` plays otherwise here (signature {signature}, not {wanted})"));
        }
    }
    Ok(())
}

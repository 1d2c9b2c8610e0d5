//! The queue's own metrics, under the names that Prometheus shows.

use crate::engine::fixed::{Fixed, short};
use crate::engine::time::SimDuration;
use crate::engine::workqueue::MetricsView;
use crate::engine::workqueue::metrics::Histogram;
use crate::scene::spaced;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub struct MetricsProps {
    /// None: this kind of queue keeps none.
    pub metrics: Option<MetricsView>,
}

#[component]
pub fn Metrics(props: &MetricsProps) -> Html {
    let Some(metrics) = &props.metrics else {
        return html! {
            <p class="empty" data-testid="metrics">
                { "A Go channel has no metrics; you would have to add them yourself. Choose the client-go queue to see what it counts." }
            </p>
        };
    };
    let seconds = |duration: SimDuration| format!("{} s", Fixed::new(duration.0, 9).trimmed());
    html! {
        <table class="metrics" data-testid="metrics" aria-label="Metrics of the work queue">
            <thead>
                <tr><th scope="col">{ "Metric" }</th><th scope="col">{ "Now" }</th><th scope="col">{ "What it tells" }</th></tr>
            </thead>
            <tbody>
                { row("workqueue_depth", plain(metrics.depth.to_string()),
                    "Keys that wait for a worker, those marked dirty in a worker's hand too. If it only grows, the workers cannot keep up.") }
                { row("workqueue_adds_total", plain(metrics.adds_total.to_string()),
                    "Adds that queued a key or set its dirty mark. What merged is not in it.") }
                { row("workqueue_queue_duration_seconds", histogram(&metrics.queue_duration),
                    "From the add to the worker's hand: how old work is when it begins.") }
                { row("workqueue_work_duration_seconds", histogram(&metrics.work_duration),
                    "From the worker's hand to Done: how long a reconcile takes.") }
                { row("workqueue_retries_total", plain(metrics.retries_total.to_string()),
                    "Delayed adds: errors to be tried again, but also each requeue that a success asks for. So it is not zero where all is well.") }
                { row("workqueue_unfinished_work_seconds", plain(seconds(metrics.unfinished_work)),
                    "Age of all work in hand together, refreshed every 500 ms. If it climbs without end, something hangs.") }
                { row("workqueue_longest_running_processor_seconds", plain(seconds(metrics.longest_running_processor)),
                    "Age of the oldest work in hand, refreshed every 500 ms: the one reconcile that is stuck.") }
            </tbody>
        </table>
    }
}

fn row(name: &'static str, value: Html, says: &'static str) -> Html {
    // A long name may be broken after each of its words.
    let words = name
        .split_inclusive('_')
        .map(|word| html! { <>{ word }<wbr /></> });
    html! {
        <tr>
            <th scope="row" class="mono">{ for words }</th>
            <td class="value" data-metric={name}>{ value }</td>
            <td class="says">{ says }</td>
        </tr>
    }
}

fn plain(value: String) -> Html {
    html! { <b class="mono">{ value }</b> }
}

fn histogram(histogram: &Histogram) -> Html {
    let count = histogram.count();
    if count == 0 {
        return html! { <span class="none">{ "none yet" }</span> };
    }
    let sum = histogram.sum();
    let mean = SimDuration::from_nanos(sum.0 / count as i64);
    html! {
        <>
            <b class="mono">{ count }</b>{ " in " }<b class="mono">{ spaced(rounded(sum)) }</b>
            { ", mean " }<b class="mono">{ spaced(rounded(mean)) }</b>
            { bars(histogram) }
        </>
    }
}

/// A duration that fits into a cell: tenths of a millisecond are the smallest.
fn rounded(duration: SimDuration) -> SimDuration {
    const TENTH: i64 = 100_000;
    SimDuration::from_nanos((duration.0 + TENTH / 2) / TENTH * TENTH)
}

/// A bar for each bucket in use, and the same in words.
fn bars(histogram: &Histogram) -> Html {
    let mut below = 0;
    let buckets: Vec<(String, u64)> = histogram
        .cumulative()
        .map(|(bound, total)| {
            let own = total - below;
            below = total;
            (limit(bound), own)
        })
        .filter(|(_, own)| *own > 0)
        .collect();
    let most = buckets.iter().map(|(_, own)| *own).max().unwrap_or(1);
    let rows = buckets.into_iter().map(|(limit, own)| {
        let width = (own * 60).div_ceil(most);
        html! {
            <span class="bucket">
                <span>{ limit }</span>
                <svg width="60" height="6" aria-hidden="true"><rect width={width.to_string()} height="6" rx="1" /></svg>
                <span class="mono">{ own }</span>
            </span>
        }
    });
    html! { <span class="buckets">{ for rows }</span> }
}

/// A bucket's upper bound, in words. The float loop's last bits are not for reading.
fn limit(bound: f64) -> String {
    let nanos = (bound * 1e9).round();
    let shown = |unit: f64| short(nanos / unit, 9);
    match nanos {
        _ if bound.is_infinite() => "longer".to_owned(),
        ..1e3 => format!("≤ {} ns", shown(1.0)),
        ..1e6 => format!("≤ {} µs", shown(1e3)),
        ..1e9 => format!("≤ {} ms", shown(1e6)),
        _ => format!("≤ {} s", shown(1e9)),
    }
}

//! What the page shows before WebAssembly runs, and without it: `static/first-sight.html`, which
//! Trunk puts into `index.html`.
//!
//! It is made from the scenes' data and the run that the page opens with. This test fails when the
//! file is not what they give; `FIRST_SIGHT=write cargo test --test first_sight` writes it anew.

use loopscope::engine::{Knobs, Preset, QueueKind};
use loopscope::frame::{Counters, View};
use loopscope::layout::still;
use loopscope::scene::{
    Beat, CHAPTERS, CONFIG_MAP, CONTROL_LOOP, DEFAULT_SEED, Played, Scene, fill,
};
use loopscope::session::Session;
use std::fmt::Write;
use std::rc::Rc;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/static/first-sight.html");

#[test]
fn the_first_sight_is_what_the_scenes_and_the_layout_give() {
    let made = first_sight();
    if std::env::var("FIRST_SIGHT").as_deref() == Ok("write") {
        std::fs::write(FILE, &made).expect("the file can be written");
    }
    let kept = std::fs::read_to_string(FILE).unwrap_or_default();
    assert!(
        made == kept,
        "static/first-sight.html is out of date: FIRST_SIGHT=write cargo test --test first_sight"
    );
}

#[test]
fn the_first_sight_holds_every_title_and_claim_and_chapter_ones_captions() {
    let (html, knobs) = (first_sight(), Preset::ClientGo.knobs());
    for scene in CONFIG_MAP.scenes {
        assert!(html.contains(&escape(scene.title)) && html.contains(&escape(scene.claim)));
    }
    for scene in CONTROL_LOOP.scenes {
        let captions = scene.beats.iter().map(|beat| beat.caption);
        for text in [scene.title, scene.claim].into_iter().chain(captions) {
            let text = escape(&fill(text, &knobs));
            assert!(html.contains(&text), "not in the first sight: {text}");
        }
    }
}

#[test]
fn the_first_sight_has_no_style_no_script_and_no_foreign_address() {
    let html = first_sight();
    for mark in ["style=", "<script", "http:", "https:", " on"] {
        let found = html
            .split('<')
            .skip(1)
            .filter_map(|tag| tag.split('>').next());
        for tag in found {
            assert!(!tag.contains(mark), "{mark} in <{tag}>");
        }
    }
}

fn first_sight() -> String {
    let session = Session::opening(&CONTROL_LOOP);
    let knobs = session.knobs().clone();
    let mut html = String::from(
        "<!-- Made from the scenes' data: FIRST_SIGHT=write cargo test --test first_sight -->\n\
         <div class=\"app first\">\n",
    );
    header(&mut html);
    tale(&mut html, &session);
    html.push_str("<main class=\"stage\">\n");
    html.push_str(&still(&session.picture().view, &knobs));
    words(&mut html, &knobs);
    html.push_str("</main>\n</div>\n");
    html
}

fn header(html: &mut String) {
    html.push_str(
        "<header class=\"top\"><a class=\"logo\" href=\"./\"><svg class=\"icon\" viewBox=\"0 0 20 20\" aria-hidden=\"true\">\
         <path d=\"M17 6.4A7.6 7.6 0 1 0 17.6 10M17.9 2.9l-.7 4-3.9-.8\"/></svg>Loopscope</a>\n\
         <div class=\"chapters\">",
    );
    for (index, chapter) in CHAPTERS.iter().enumerate() {
        let name = chapter.name;
        let _ = match index {
            0 => write!(html, "<a href=\"./\" aria-current=\"true\">{name}</a>"),
            _ => write!(html, "<a href=\"#chapter-{}\">{name}</a>", index + 1),
        };
    }
    html.push_str("</div>\n<nav aria-label=\"Scenes\"><div class=\"scenes\">");
    for (index, scene) in CONTROL_LOOP.scenes.iter().enumerate() {
        let current = if index == 0 {
            " aria-current=\"step\""
        } else {
            ""
        };
        let (number, tab) = (index + 1, scene.tab);
        let _ = write!(
            html,
            "<a href=\"#scene-{number}\"{current}><b>{number}</b> <span>{tab}</span></a>"
        );
    }
    html.push_str("</div></nav><div class=\"tools\"></div></header>\n");
}

/// The story's column as the page opens with it; the button says that the page is loading.
fn tale(html: &mut String, session: &Session) {
    let scene = CONTROL_LOOP.scenes[0];
    let text = |text: &str| escape(&fill(text, session.knobs()));
    let _ = write!(
        html,
        "<section class=\"tale\"><div class=\"title\"><p class=\"kicker\">Scene 1 of {} · step 1 of {}</p><h1>{}</h1></div>\n\
         <div class=\"cmd\"><code><span class=\"prompt\" aria-hidden=\"true\">$ </span>{}</code>",
        CONTROL_LOOP.scenes.len(),
        session.steps().len(),
        text(scene.title),
        command(scene.command),
    );
    if let Some(note) = scene.note {
        let _ = write!(html, "<span class=\"note\"># {}</span>", text(note));
    }
    let _ = writeln!(
        html,
        "</div>\n<ol class=\"beats\"><li class=\"now\" aria-current=\"step\">{}</li></ol>\n\
         <p class=\"cannot\" id=\"cannot\" role=\"status\" hidden></p>\n\
         <noscript><p class=\"cannot\">This page needs JavaScript and WebAssembly to play. The six scenes of chapter one are here as text, and chapter two in short.</p></noscript>\n\
         <div class=\"nav\"><button type=\"button\" disabled hidden>Back</button>\
         <button type=\"button\" class=\"go\" id=\"loading\" disabled hidden>Loading…</button></div></section>",
        text(scene.beats[0].caption),
    );
}

/// What this is, the six scenes of chapter one as text, and chapter two in short.
fn words(html: &mut String, knobs: &Rc<Knobs>) {
    html.push_str(
        "<article class=\"words\">\n<h2>Loopscope: see a Kubernetes control loop think</h2>\n\
         <p>An interactive visualiser of a Kubernetes controller: a change in the store becomes a watch event, the event a key in a \
         deduplicating work queue, the key one call of Reconcile(), and then all comes to rest. Everything is simulated \
         in your browser: nothing is installed, nothing is sent anywhere.</p>\n",
    );
    let played = CONTROL_LOOP.play(knobs, DEFAULT_SEED);
    for (index, scene) in CONTROL_LOOP.scenes.iter().enumerate() {
        scene_words(html, index, scene, knobs, &played);
    }
    chapter_two(html);
    html.push_str("</article>\n");
}

/// The second chapter in short. `boot.js` knows the address of its first scene.
fn chapter_two(html: &mut String) {
    let chapter = &CONFIG_MAP;
    let _ = write!(
        html,
        "<section id=\"chapter-2\"><h3>Chapter two: {}</h3>\n<p>The same loop with a real informer: it lists, watches, keeps a cache and \
         looks at everything again now and then. Its controller puts one label on every ConfigMap, reads only the cache \
         and writes only to the API server.</p>\n<ol>\n",
        escape(chapter.title),
    );
    for (number, scene) in chapter.scenes.iter().enumerate() {
        let knobs = chapter.knobs(number);
        let text = |text: &str| escape(&fill(text, &knobs));
        let _ = writeln!(
            html,
            "<li><strong>{0}</strong><br>{1}</li>",
            text(scene.title),
            text(scene.claim),
        );
    }
    html.push_str("</ol></section>\n");
}

fn scene_words(html: &mut String, index: usize, scene: &Scene, knobs: &Rc<Knobs>, played: &Played) {
    let text = |text: &str| escape(&fill(text, knobs));
    let _ = write!(
        html,
        "<section id=\"scene-{0}\"><h3>{0}. {1}</h3>\n<p><strong>{2}</strong></p>\n<p><code>$ {3}</code></p>\n",
        index + 1,
        text(scene.title),
        text(scene.claim),
        escape(scene.command),
    );
    let mut list = |lead: Option<String>, told: &dyn Fn(&Beat) -> bool| {
        let captions: Vec<_> = scene.beats.iter().filter(|beat| told(beat)).collect();
        if captions.is_empty() {
            return;
        }
        if let Some(lead) = lead {
            let _ = writeln!(html, "<p>{lead}:</p>");
        }
        html.push_str("<ol>\n");
        for beat in captions {
            let _ = writeln!(html, "<li>{}</li>", text(beat.caption));
        }
        html.push_str("</ol>\n");
    };
    list(None, &|beat| {
        !beat.variant && beat.only != Some(QueueKind::Channel)
    });
    let variant = scene.variant.as_ref().map(|variant| text(variant.title));
    list(variant, &|beat| beat.variant);
    list(Some("With a plain channel".to_owned()), &|beat| {
        !beat.variant && beat.only == Some(QueueKind::Channel)
    });
    let (before, after) = counters(index, played, knobs);
    let _ = writeln!(
        html,
        "<p>In this run: {}, {} merged, {}.</p></section>",
        count(after.events - before.events, "event"),
        after.merged - before.merged,
        count(after.reconciles - before.reconciles, "reconcile"),
    );
}

/// The counters before and after a scene, in the run that the page opens with.
fn counters(scene: usize, played: &Played, knobs: &Knobs) -> (Counters, Counters) {
    let window = played.window(scene);
    let mut view = View::new(knobs.workers);
    let mut before = view.counters;
    for (index, record) in played.records.iter().enumerate().take(window.end) {
        if index == window.start {
            before = view.counters;
        }
        view.apply(record);
    }
    (before, view.counters)
}

/// A command line, broken between its words only.
fn command(command: &str) -> String {
    let words = command.split(' ');
    words
        .map(|word| format!("<span>{}</span> ", escape(word)))
        .collect()
}

fn count(number: u32, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

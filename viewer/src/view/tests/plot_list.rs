//! The key of the list of all that can be plotted.

use flockwork_engine::trace::Measure;

use super::super::plot::PlotSource;
use super::*;

/// The key replaced the plot that a comparison had opened.
#[test]
fn the_key_of_the_plots_opens_and_closes_the_list_and_keeps_them() {
    let test = PlayerTest::new();
    let state = test.at(40);
    let mut ui = Ui::new(SIZE, false);
    let list = &panels::plot_list::PANEL;
    let key = Key::Char('j');
    press(key, &mut ui, &state);
    let first = ui.plots.sources.clone();
    assert!(list.is_open(&ui) && first.len() == 1);
    assert_eq!(press(key, &mut ui, &state), []);
    assert!(!list.is_open(&ui) && ui.plots.sources == first);
    // Neither is a plot replaced that the list does not have.
    let hidden = PlotSource::OfGroup { group: "fox".to_owned(), measure: Measure::Spread };
    let unknown = PlotSource::Value("unknown".to_owned());
    for source in [hidden, unknown] {
        ui.show_plot(Some(source.clone()));
        for is_open in [true, false] {
            press(key, &mut ui, &state);
            assert_eq!(list.is_open(&ui), is_open);
            assert_eq!(ui.plots.sources, std::slice::from_ref(&source));
        }
    }
}

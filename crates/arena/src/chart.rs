//! Line charts as SVG.

use plotters::prelude::*;

/// One line of a chart.
#[derive(Clone, Debug)]
pub struct Line {
    /// What the legend calls it.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
}

const COLOURS: [RGBColor; 6] = [
    RGBColor(31, 119, 180),
    RGBColor(44, 160, 44),
    RGBColor(214, 39, 40),
    RGBColor(148, 103, 189),
    RGBColor(255, 127, 14),
    RGBColor(80, 80, 80),
];

/// Draws lines over common axes. `None` when there is nothing to draw.
pub fn lines(title: &str, horizontal: &str, vertical: &str, lines: &[Line]) -> Option<String> {
    let points = || lines.iter().flat_map(|line| &line.points);
    let right = points().map(|point| point.0).fold(f64::NAN, f64::max);
    let top = points().map(|point| point.1).fold(f64::NAN, f64::max);
    if right.is_nan() || top.is_nan() {
        return None;
    }
    let mut svg = String::new();
    draw(&mut svg, [title, horizontal, vertical], lines, [right.max(1.0), top.max(1e-9) * 1.05]).ok()?;
    Some(svg)
}

fn draw(
    svg: &mut String,
    [title, horizontal, vertical]: [&str; 3],
    lines: &[Line],
    [right, top]: [f64; 2],
) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::with_string(svg, (720, 440)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(50)
        .build_cartesian_2d(0.0..right, 0.0..top)?;
    chart.configure_mesh().x_desc(horizontal).y_desc(vertical).light_line_style(WHITE).draw()?;
    for (index, line) in lines.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        chart
            .draw_series(LineSeries::new(line.points.iter().copied(), colour.stroke_width(2)))?
            .label(&line.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK.mix(0.3)).draw()?;
    area.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_is_an_svg_with_its_lines_and_names() {
        let line = Line { name: "HS with White".to_owned(), points: vec![(1.0, 39.0), (2.0, 38.0)] };
        let svg = lines("Material", "move", "material", &[line]).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert!(svg.contains("HS with White") && svg.contains("polyline"));
        assert!(lines("Nothing", "x", "y", &[]).is_none());
    }
}

//! The frames of a film, for tests. Those of the window include this file.

use gif::{ColorOutput, DecodeOptions};

/// Returns the size of each frame, its delay in hundredths of a second, and all pixels after it.
pub(crate) fn frames(bytes: &[u8]) -> Vec<((u16, u16), u16, Vec<u32>)> {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes).unwrap();
    let across = usize::from(decoder.width());
    let mut shown = vec![0; across * usize::from(decoder.height())];
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        for (index, pixel) in frame.buffer.as_chunks::<4>().0.iter().enumerate() {
            let width = usize::from(frame.width);
            let (x, y) = (index % width, index / width);
            let row = (y + usize::from(frame.top)) * across + x;
            if pixel[3] > 0 {
                shown[row + usize::from(frame.left)] =
                    u32::from_be_bytes([0, pixel[0], pixel[1], pixel[2]]);
            }
        }
        let size = (frame.width, frame.height);
        frames.push((size, frame.delay, shown.clone()));
    }
    frames
}

// Bars of the rate over time: all values pale, and over them the kept ones.

const GAP = 3;

/**
 * @param {HTMLCanvasElement} canvas @param {{width: number, height: number}} size  in pixels of the page
 * @param {{all: Float64Array, kept: Float64Array, palette: Object}} scene
 */
export function drawBars(canvas, {width, height}, {all, kept, palette}) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const bars = Math.min(all.length, Math.floor(width / 2));
  const sums = [all, kept].map((column) => resample(column, bars));
  const highest = sums[0].reduce((most, value) => Math.max(most, value), 0) || 1;
  const step = width / bars;
  sums.forEach((column, i) => {
    context.fillStyle = i === 0 ? palette.quietBar : palette.bar;
    column.forEach((value, bar) => {
      const tall = Math.max(1, value / highest * (height - GAP));
      if (value > 0) context.fillRect(bar * step, height - tall, step + 0.3, tall);
    });
  });
}

/** @return {Float64Array} the column resampled to `count` bars; a bucket across an edge is divided */
export function resample(column, count) {
  const bars = new Float64Array(count);
  const scale = count / column.length;
  column.forEach((value, i) => {
    const from = i * scale;
    const to = from + scale;
    for (let bar = Math.floor(from); bar < Math.min(count, Math.ceil(to - 1e-9)); bar++) {
      bars[bar] += value * (Math.min(to, bar + 1) - Math.max(from, bar)) / scale;
    }
  });
  return bars;
}

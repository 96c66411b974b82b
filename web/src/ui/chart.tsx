// A small line chart in SVG: one or more curves, linear or logarithmic, with a mark that can be moved.

import { useEffect, useRef, useState } from 'preact/hooks';

export interface Curve {
  name: string;
  points: readonly { x: number; y: number }[];
}

interface Props {
  label: string;
  curves: readonly Curve[];
  logarithmic?: boolean;
  /** A value that the chart must show, such as an even score. */
  baseline?: number;
  /** Bounds of x, where the curves do not yet reach them. */
  domain?: [number, number];
  /** Bounds of y, where the values have such. */
  bounds?: [number, number];
  mark?: number;
  /** Places to be marked on the curve, each with a class of its own. */
  marks?: readonly { x: number; name: string }[];
  pick?(x: number): void;
  height?: number;
}

const LEFT = 52;
const RIGHT = 10;
const TOP = 8;
const BOTTOM = 22;

export function Chart({ label, curves, logarithmic = false, baseline, domain, bounds, mark, marks = [], pick, height = 160 }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(480);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(Math.max(200, element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const all = curves.flatMap((curve) => curve.points);
  const xs = domain ?? [Math.min(...all.map(({ x }) => x)), Math.max(...all.map(({ x }) => x))];
  const ys = bounds ?? range(all.map(({ y }) => y).concat(baseline === undefined ? [] : [baseline]), logarithmic);
  const scale = (value: number) => (logarithmic ? Math.log10(Math.max(1, value)) : value);
  const toX = (x: number) => LEFT + ((x - xs[0]) / (xs[1] - xs[0] || 1)) * (width - LEFT - RIGHT);
  const toY = (y: number) => height - BOTTOM - ((scale(y) - scale(ys[0])) / (scale(ys[1]) - scale(ys[0]) || 1)) * (height - TOP - BOTTOM);
  const choose = (event: MouseEvent) => {
    const left = box.current?.getBoundingClientRect().left ?? 0;
    const x = xs[0] + ((event.clientX - left - LEFT) / (width - LEFT - RIGHT)) * (xs[1] - xs[0]);
    pick?.(Math.round(Math.max(xs[0], Math.min(xs[1], x))));
  };
  return (
    <div class="chart" ref={box}>
      <svg width={width} height={height} role="img" aria-label={label} onClick={pick && choose} class={pick ? 'pickable' : ''}>
        {ticks(ys, logarithmic).map((y) => (
          <g key={`y${y}`} class="tick">
            <line x1={LEFT} x2={width - RIGHT} y1={toY(y)} y2={toY(y)} />
            <text x={LEFT - 6} y={toY(y) + 4} text-anchor="end">
              {short(y)}
            </text>
          </g>
        ))}
        {ticks(xs, false).filter(Number.isInteger).map((x) => (
          <text key={`x${x}`} class="tick" x={toX(x)} y={height - 6} text-anchor="middle">
            {x}
          </text>
        ))}
        {baseline !== undefined && <line class="baseline" x1={LEFT} x2={width - RIGHT} y1={toY(baseline)} y2={toY(baseline)} />}
        {curves.map((curve, index) => (
          <g key={curve.name} class={`curve curve-${index}`}>
            <polyline points={curve.points.map(({ x, y }) => `${toX(x).toFixed(1)},${toY(y).toFixed(1)}`).join(' ')} />
            {curve.points.length < 60 && curve.points.map(({ x, y }) => <circle key={x} cx={toX(x)} cy={toY(y)} r={2.2} />)}
          </g>
        ))}
        {marks.map(({ x, name }) => {
          const on = curves[0]?.points.find((point) => point.x === x);
          return on && <circle key={x} class={`turn-mark ${name}`} cx={toX(x)} cy={toY(on.y)} r={4.5} />;
        })}
        {mark !== undefined && <line class="mark" x1={toX(mark)} x2={toX(mark)} y1={TOP} y2={height - BOTTOM} />}
      </svg>
      {curves.length > 1 && (
        <p class="legend">
          {curves.map((curve, index) => (
            <span key={curve.name} class={`curve-${index}`}>
              {curve.name}
            </span>
          ))}
        </p>
      )}
    </div>
  );
}

function range(values: readonly number[], logarithmic: boolean): [number, number] {
  if (values.length === 0) return logarithmic ? [1, 10] : [0, 1];
  const low = Math.min(...values);
  const high = Math.max(...values);
  if (logarithmic) return [1, Math.max(10, 10 ** Math.ceil(Math.log10(high)))];
  const margin = (high - low || Math.abs(high) || 1) * 0.08;
  return [low - margin, high + margin];
}

/** Round values between two bounds: decades, or one, two or five times a power of ten. */
export function ticks([low, high]: readonly [number, number], logarithmic: boolean): number[] {
  const found: number[] = [];
  if (logarithmic) {
    const step = Math.max(1, Math.ceil(Math.log10(high) / 4));
    for (let power = 0; 10 ** power <= high * 1.001; power += step) found.push(10 ** power);
    return found;
  }
  const rough = (high - low || 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => power * factor >= rough) ?? 10);
  for (let index = Math.ceil(low / step); index * step <= high; index++) found.push(Number((index * step).toPrecision(12)));
  return found;
}

const short = (value: number): string => {
  const size = Math.abs(value);
  if (size >= 1e9) return `${value / 1e9}G`;
  if (size >= 1e6) return `${value / 1e6}M`;
  return size >= 1e3 ? `${value / 1e3}k` : String(value);
};

import styles from './scale-bar.module.css';
import { ticksBetween, tickTexts } from './ticks.ts';

type Props = {
  /** Values at the lower and the upper end of the bar. */
  lower: number;
  upper: number;
  /** Color of a share of the bar, from 0 at the lower end to 1. */
  colorAt: (share: number) => string;
  unit: string;
  name: string;
  /** Side of the image. */
  side?: 'left' | 'right';
};

const [height, width, steps, most] = [168, 12, 56, 8] as const;
/** Room for the texts beside and above the bar. */
const [across, above] = [86, 22] as const;

/** Shows which color stands for which value. Saved pictures with drawings include it. */
export function ScaleBar({ lower, upper, colorAt, unit, name, side = 'right' }: Props) {
  const ticks = ticksBetween(lower, upper, most);
  const texts = tickTexts(ticks);
  const left = across - width;
  const step = height / steps;
  const title = [name, unit].filter(Boolean).join(', ');
  return (
    <svg
      className={styles.bar}
      width={across}
      height={height + above + 8}
      role="img"
      aria-label={title}
      data-testid="scale-bar"
      data-side={side}
      data-picture-layer="scale"
    >
      <text x={across} y={12} className={styles.title} textAnchor="end">
        {unit}
      </text>
      {Array.from({ length: steps }, (_, at) => (
        <rect
          key={at}
          x={left}
          y={above + at * step}
          width={width}
          height={step + 0.5}
          fill={colorAt(1 - (at + 0.5) / steps)}
        />
      ))}
      <rect x={left} y={above} width={width} height={height} className={styles.frame} fill="none" />
      {ticks.map((tick, at) => {
        const y = above + height * (1 - (tick - lower) / (upper - lower));
        return (
          <g key={tick}>
            <line x1={left - 4} x2={left} y1={y} y2={y} className={styles.line} />
            <text x={left - 7} y={y + 4} className={styles.text} textAnchor="end">
              {texts[at]}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

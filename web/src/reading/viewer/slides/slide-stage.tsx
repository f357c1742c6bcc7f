import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { isTileLostForGood, type SlidePlace, tileReason } from './load-tile.ts';
import { paintSlide } from './paint-slide.ts';
import { SlideMap } from './slide-map.tsx';
import { distanceOf, lengthText, scaleBarOf } from './slide-scale.ts';
import type { SlideViewState } from './use-slide-view.ts';
import { type Choice, hasHoles, zoomedToTiles } from './slide-tiles.ts';
import { type Point, type Size, type SlideView, toScreen, toSlide, visibleBox } from './slide-view.ts';
import styles from './slide-stage.module.css';
import { useSlideGestures } from './use-slide-gestures.ts';
import { pixelLimit, useSlideTiles } from './use-slide-tiles.ts';
import type { Pyramid } from './slide.ts';

/** Line between two places of the slide, in pixels of its largest level. */
export type Ruler = { from: Point; to: Point };

type Props = {
  place: SlidePlace;
  pyramid: Pyramid;
  choice: Choice;
  /** Name of the picture, such as "Slide". */
  name: string;
  state: SlideViewState;
  /** Whether a drag measures instead of moving the slide. */
  isMeasuring: boolean;
  ruler: Ruler | undefined;
  onRuler: (ruler: Ruler | undefined) => void;
  canvasRef: RefObject<HTMLCanvasElement | null>;
};

/** Returns the size of an element in CSS pixels, and calls `onSize` when it changes. */
const useSizeOf = (element: RefObject<HTMLElement | null>, onSize: (size: Size) => void) => {
  const latest = useRef(onSize);
  useEffect(() => {
    latest.current = onSize;
  });
  useLayoutEffect(() => {
    const box = element.current;
    if (!box) return undefined;
    const measure = () => latest.current({ width: box.clientWidth, height: box.clientHeight });
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(box);
    return () => watcher.disconnect();
  }, [element]);
};

/** Draws a slide at its view, with scale bar, minimap and the states of its tiles. */
export function SlideStage({ place, pyramid, choice, name, state, isMeasuring, ruler, onRuler, canvasRef }: Props) {
  const region = useRef<HTMLDivElement>(null);
  const { view, size, change, fit, turn } = state;
  const ratio = window.devicePixelRatio || 1;
  useSizeOf(region, state.setSize);
  const { store, target, painting, pending, failures } = useSlideTiles(place, { pyramid, view, size, ratio, choice });

  const onDraw = (from: Point, to: Point) =>
    view && onRuler({ from: toSlide(view, size, from), to: toSlide(view, size, to) });
  const { handlers, zoomIn, zoomOut } = useSlideGestures(
    region,
    { pyramid, size, change, fit, turn },
    isMeasuring ? onDraw : undefined,
  );

  useLayoutEffect(() => {
    const canvas = canvasRef.current;
    if (!canvas || !view) return;
    const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    const context = canvas.getContext('2d', { alpha: false });
    if (context) paintSlide(context, { pyramid, view, size, ratio, choice, target, find: store.find });
  }, [canvasRef, store, pyramid, view, size, ratio, choice, target, painting]);

  return (
    <div className={styles.frame}>
      {/* The keys move and zoom the slide. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={region}
        role="region"
        aria-label={name}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className={styles.stage}
        data-measuring={isMeasuring || undefined}
        data-pending={view ? pending : undefined}
        {...handlers}
      >
        <canvas ref={canvasRef} className={styles.canvas} />
        {view && ruler && <RulerLine {...{ pyramid, view, size, ruler }} />}
      </div>
      {view && <ScaleBar pyramid={pyramid} view={view} />}
      {view && <SlideMap {...{ pyramid, view, size, ratio, choice, painting }} find={store.find} onGo={change} />}
      {view && target === undefined && (
        <TooMany onZoom={() => change((now) => zoomedToTiles(now, pyramid, size, { choice, pixels: pixelLimit() }))} />
      )}
      <div className={styles.notes}>
        <Failures errors={failures} onRetry={store.retry} />
        {view && target !== undefined && hasHoles(pyramid, target, choice, visibleBox(view, size)) && (
          <p className={styles.note}>{t`Hatched: not scanned`}</p>
        )}
        {ruler && <p className={styles.note}>{t`Distances are not saved`}</p>}
        {pending > 0 && <p className={styles.note} role="status">{t`Loading tiles…`}</p>}
      </div>
      <ZoomButtons onIn={zoomIn} onOut={zoomOut} />
    </div>
  );
}

/** Buttons over the picture, for touch and mouse. */
function ZoomButtons({ onIn, onOut }: { onIn: () => void; onOut: () => void }) {
  return (
    <div className={styles.zoom}>
      <button type="button" className={styles.button} aria-label={t`Zoom in`} title={t`Zoom in (+)`} onClick={onIn}>
        +
      </button>
      <button type="button" className={styles.button} aria-label={t`Zoom out`} title={t`Zoom out (−)`} onClick={onOut}>
        −
      </button>
    </div>
  );
}

function ScaleBar({ pyramid, view }: { pyramid: Pyramid; view: SlideView }) {
  const bar = scaleBarOf(pyramid, view);
  if (!bar) return <p className={styles.scale}>{t`No scale in the file`}</p>;
  return (
    <div className={styles.scale} data-scale={bar.text}>
      <span>{bar.text}</span>
      <span className={styles.bar} style={{ width: bar.pixels }} />
    </div>
  );
}

function RulerLine({
  pyramid,
  view,
  size,
  ruler,
}: Pick<Props, 'pyramid'> & { view: SlideView; size: Size; ruler: Ruler }) {
  const [from, to] = [toScreen(view, size, ruler.from), toScreen(view, size, ruler.to)];
  const length = distanceOf(pyramid, ruler.from, ruler.to);
  const words = length === undefined ? '' : lengthText(length);
  return (
    <svg className={styles.over} role="img" aria-label={t`Distance ${words}`}>
      {[styles.shadow, styles.line].map((style) => (
        <line key={style} className={style} x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
      ))}
      <text className={styles.length} x={to.x + 10} y={to.y - 8}>
        {words}
      </text>
    </svg>
  );
}

/** Says why nothing is drawn when a slide without small levels is shown whole. */
function TooMany({ onZoom }: { onZoom: () => void }) {
  return (
    <div className={styles.veil} role="status">
      <p>{t`This slide has no small level. Zoom in to load its tiles.`}</p>
      <Button variant="default" onClick={onZoom}>
        {t`Zoom in`}
      </Button>
    </div>
  );
}

function Failures({ errors, onRetry }: { errors: readonly unknown[]; onRetry: () => void }) {
  const reasons = [...new Set(errors.map(tileReason))];
  if (errors.length === 0) return null;
  const count = errors.length;
  const canHelp = errors.some((error) => !isTileLostForGood(error));
  return (
    <div className={styles.failures} role="alert">
      <IconAlertTriangle size={16} stroke={1.6} aria-hidden />
      <span>
        {plural(count, { one: '# tile could not be loaded.', other: '# tiles could not be loaded.' })}{' '}
        {reasons.slice(0, 2).join(' ')} {!canHelp && t`Loading it again cannot help.`}
      </span>
      {canHelp && (
        <Button size="compact-xs" variant="default" onClick={onRetry}>
          {t`Retry`}
        </Button>
      )}
    </div>
  );
}

import { t } from '@lingui/core/macro';
import { type PointerEvent, useLayoutEffect, useRef } from 'react';
import { paintSlide } from './paint-slide.ts';
import { type Choice, smallestTiles } from './slide-tiles.ts';
import { fittedView, screenCorners, type Size, type SlideView, toScreen, toSlide, visibleBox } from './slide-view.ts';
import styles from './slide-stage.module.css';
import type { TileState } from './tile-store.ts';
import type { Pyramid } from './slide.ts';

type Props = {
  pyramid: Pyramid;
  view: SlideView;
  size: Size;
  ratio: number;
  choice: Choice;
  /** Grows with each change of the tiles. */
  painting: number;
  find: (key: string) => TileState<ImageBitmap> | undefined;
  onGo: (next: (view: SlideView) => SlideView) => void;
};

/** Longest side of the minimap in CSS pixels. */
const longest = 150;

/**
 * The whole slide from its smallest level, with a frame around the visible part. A click or drag moves the view. Nothing
 * while the whole slide is visible.
 */
export function SlideMap({ pyramid, view, size, ratio, choice, painting, find, onGo }: Props) {
  const canvasRef = useRef<HTMLCanvasElement>(null);
  const isSideways = Math.abs(Math.sin(view.turn.angle)) > Math.SQRT1_2;
  const [width, height] = isSideways ? [pyramid.height, pyramid.width] : [pyramid.width, pyramid.height];
  const scale = longest / Math.max(width, height);
  const mapSize = { width: Math.max(24, Math.round(width * scale)), height: Math.max(24, Math.round(height * scale)) };
  const whole = fittedView(pyramid, mapSize, view.turn);
  const box = visibleBox(view, size);
  const isWhole = box.left <= 0 && box.top <= 0 && box.right >= pyramid.width && box.bottom >= pyramid.height;
  useLayoutEffect(() => {
    const canvas = canvasRef.current;
    if (!canvas) return;
    canvas.width = Math.round(mapSize.width * ratio);
    canvas.height = Math.round(mapSize.height * ratio);
    const context = canvas.getContext('2d', { alpha: false });
    const [first] = smallestTiles(pyramid, choice);
    if (context)
      paintSlide(context, { pyramid, view: whole, size: mapSize, ratio, choice, target: first?.level, find });
    // oxlint-disable-next-line react/exhaustive-deps
  }, [pyramid, view.turn, ratio, choice, painting, find, mapSize.width, mapSize.height, isWhole]);

  const corners = screenCorners(view, size).map((corner) => toScreen(whole, mapSize, corner));
  const go = (event: PointerEvent<HTMLElement>) => {
    if (event.buttons !== 1) return;
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const { x, y } = toSlide(whole, mapSize, { x: event.clientX - left, y: event.clientY - top });
    onGo((now) => ({ ...now, x, y }));
  };
  if (isWhole) return null;
  return (
    <div
      className={styles.map}
      style={mapSize}
      role="img"
      aria-label={t`Overview map`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture?.(event.pointerId);
        go(event);
      }}
      onPointerMove={go}
    >
      <canvas ref={canvasRef} className={styles.canvas} />
      <svg className={styles.over}>
        <polygon className={styles.visible} points={corners.map(({ x, y }) => `${x},${y}`).join(' ')} />
      </svg>
    </div>
  );
}

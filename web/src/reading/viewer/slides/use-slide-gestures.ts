import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import { movedBy, type Point, type Size, type SlideView, zoomedAt } from './slide-view.ts';
import type { Pyramid } from './slide.ts';

type Moves = {
  pyramid: Pyramid;
  size: Size;
  /** Replaces the view by a function of the current view. */
  change: (next: (view: SlideView) => SlideView) => void;
  fit: () => void;
  turn: () => void;
};

/** Factor of one press of + or −, and of a double click. */
const step = 1.5;
/** Share of the screen that an arrow key moves. */
const stride = 0.2;
/** Zoom of one pixel of the wheel, as an exponent of 2. */
const perWheelPixel = 1 / 250;
const wheelUnits = [1, 20, 400];

const middleOf = ({ width, height }: Size): Point => ({ x: width / 2, y: height / 2 });

const pointIn = (element: Element, { clientX, clientY }: { clientX: number; clientY: number }): Point => {
  const { left, top } = element.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
};

const arrows: Record<string, Point> = {
  ArrowLeft: { x: 1, y: 0 },
  ArrowRight: { x: -1, y: 0 },
  ArrowUp: { x: 0, y: 1 },
  ArrowDown: { x: 0, y: -1 },
};

/** Pans and zooms by mouse, touch, wheel and keys. `onDraw` receives a drag instead of panning while it is given. */
export const useSlideGestures = (
  region: RefObject<HTMLElement | null>,
  { pyramid, size, change, fit, turn }: Moves,
  onDraw: ((from: Point, to: Point) => void) | undefined,
) => {
  const pointers = useRef(new Map<number, Point>());
  const drawn = useRef<Point>(undefined);
  const zoom = (factor: number, at: Point = middleOf(size)) =>
    change((view) => zoomedAt(view, pyramid, size, at, factor));

  const latestZoom = useRef(zoom);
  useEffect(() => {
    latestZoom.current = zoom;
  });
  useEffect(() => {
    const element = region.current;
    if (!element) return undefined;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const pixels = event.deltaY * (wheelUnits[event.deltaMode] ?? 1);
      latestZoom.current(2 ** (-Math.max(-300, Math.min(300, pixels)) * perWheelPixel), pointIn(element, event));
    };
    // React listens passively, and then the page would zoom or scroll.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [region]);

  const release = (event: PointerEvent) => {
    pointers.current.delete(event.pointerId);
    drawn.current = undefined;
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const before = pointers.current.get(event.pointerId);
    if (!before) return;
    const now = pointIn(event.currentTarget, event);
    const [other] = [...pointers.current].flatMap(([id, point]) => (id === event.pointerId ? [] : [point]));
    pointers.current.set(event.pointerId, now);
    if (other) {
      const factor = Math.hypot(now.x - other.x, now.y - other.y) / Math.hypot(before.x - other.x, before.y - other.y);
      const [from, to] = [before, now].map((point) => ({ x: (point.x + other.x) / 2, y: (point.y + other.y) / 2 }));
      if (!from || !to || !Number.isFinite(factor)) return;
      change((view) =>
        zoomedAt(movedBy(view, pyramid, size, { x: to.x - from.x, y: to.y - from.y }), pyramid, size, to, factor),
      );
    } else if (onDraw && drawn.current) onDraw(drawn.current, now);
    else change((view) => movedBy(view, pyramid, size, { x: now.x - before.x, y: now.y - before.y }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = arrows[event.key];
    if (arrow) {
      const by = { x: arrow.x * size.width * stride, y: arrow.y * size.height * stride };
      change((view) => movedBy(view, pyramid, size, by));
    } else if (event.key === '+' || event.key === '=') zoom(step);
    else if (event.key === '-') zoom(1 / step);
    else if (event.key === 'Home') fit();
    else if (event.key === '.') turn();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return {
    zoomIn: () => zoom(step),
    zoomOut: () => zoom(1 / step),
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture?.(event.pointerId);
        const at = pointIn(event.currentTarget, event);
        pointers.current.set(event.pointerId, at);
        drawn.current = pointers.current.size === 1 ? at : undefined;
      },
      onPointerMove,
      onPointerUp: release,
      onPointerCancel: release,
      onDoubleClick: (event: { currentTarget: Element; clientX: number; clientY: number }) => {
        if (!onDraw) zoom(2, pointIn(event.currentTarget, event));
      },
      onKeyDown,
    },
  };
};

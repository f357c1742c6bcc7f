import { useCallback, useMemo, useState } from 'react';
import { fittedView, limitedView, type Size, type SlideView, turnedByQuarter } from './slide-view.ts';
import type { Pyramid } from './slide.ts';

export type SlideViewState = ReturnType<typeof useSlideView>;

/** View of a picture of a slide. It shows the whole picture until the user moves it. */
export const useSlideView = (pyramid: Pyramid) => {
  const [size, setSizeNow] = useState<Size>({ width: 0, height: 0 });
  const [moved, setMoved] = useState<{ pyramid: Pyramid; view: SlideView }>();
  const whole = useMemo(
    () => (size.width > 0 && size.height > 0 ? fittedView(pyramid, size, pyramid.turn) : undefined),
    [pyramid, size],
  );
  const view = whole && moved?.pyramid === pyramid ? moved.view : whole;

  const change = useCallback(
    (next: (view: SlideView) => SlideView) =>
      setMoved((before) => {
        const now = before?.pyramid === pyramid ? before.view : fittedView(pyramid, size, pyramid.turn);
        return { pyramid, view: limitedView(next(now), pyramid, size) };
      }),
    [pyramid, size],
  );

  return {
    view,
    size,
    setSize: (next: Size) =>
      setSizeNow((before) => (before.width === next.width && before.height === next.height ? before : next)),
    change,
    fit: () => change((now) => fittedView(pyramid, size, now.turn)),
    turn: () => change(turnedByQuarter),
  };
};

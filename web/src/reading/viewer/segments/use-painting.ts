import { t } from '@lingui/core/macro';
import { Enums } from '@cornerstonejs/core';
import { type RefObject, useEffect, useMemo, useState } from 'react';
import { errorMessageOf } from '#core/http/api.ts';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import { clear, paintSegments, type SegmentLook } from './paint-segments.ts';
import type { Placed } from './placement.ts';
import { retainCache, prepare, type Prepared, preparedNow, type Wanted } from './prepare-parts.ts';
import { isRetryable, useRetryCount } from './use-retry.ts';
import type { SegmentSet } from './segment-set.ts';
import { type Stack, stackOf } from './image-stack.ts';

export type PlacedSet = Placed & { set: SegmentSet };

/** State of the segments on the drawn image. */
export type Painting =
  | { state: 'there' }
  | { state: 'coming' }
  | { state: 'failed'; reason: string; mayChange: boolean };

type Given = {
  view: View;
  placed: readonly PlacedSet[];
  hidden: ReadonlySet<string>;
  look: SegmentLook;
};

/** Number of images prepared in advance, before and after the current one. */
const ahead = 4;

const wantedOn = (image: number, { placed, hidden }: Given, { targets }: Stack): Wanted[] =>
  placed.flatMap(({ set, placement }) => {
    const seen = new Set(set.regions.flatMap(({ number, key }) => (hidden.has(key) ? [] : [number])));
    const parts = (placement.parts.get(image) ?? []).filter(({ region }) => seen.has(region));
    const target = targets[image];
    return target && parts.length > 0 ? [{ set, parts, target }] : [];
  });

const reasonOf = (error: unknown): string =>
  error instanceof Error && error.name === 'WrongFrame'
    ? error.message
    : errorMessageOf(error, t`The server did not return the pixels.`);

/**
 * Draws the segments together with their image. Segments that are not ready are left out. Segments of the previous
 * image are removed at once.
 */
const paintAlong = (given: Given, canvas: HTMLCanvasElement, tell: (painting: Painting) => void) => {
  const { view, look } = given;
  const stack = stackOf(view.images);
  const numbers = new Map(view.images.map(({ imageId }, index) => [imageId, index]));
  let drawn = -1;
  let ready: readonly Prepared[] | undefined;
  let waiting = new AbortController();

  const lookAhead = async (image: number, signal: AbortSignal) => {
    for (let away = 1; away <= ahead; away += 1) {
      for (const neighbour of [image + away, image - away]) {
        if (signal.aborted) return;
        await prepare(wantedOn(neighbour, given, stack), signal);
      }
    }
  };
  const make = async (image: number, wanted: readonly Wanted[], { signal }: AbortController) => {
    try {
      const made = preparedNow(wanted) ?? (await prepare(wanted, signal));
      if (signal.aborted) return;
      ready = made;
      tell({ state: 'there' });
      put();
      // Ignores errors of images prepared in advance. They appear when the user scrolls to these images.
      await lookAhead(image, signal).catch(() => undefined);
    } catch (error) {
      if (!signal.aborted) tell({ state: 'failed', reason: reasonOf(error), mayChange: isRetryable(error) });
    }
  };
  const put = () => {
    const target = stack.targets[drawn];
    if (ready && target) paintSegments({ canvas, viewport: view.viewport, image: target }, ready, look);
    else clear(canvas);
  };
  const follow = () => {
    const image = numbers.get(view.viewport.getCornerstoneImage()?.imageId ?? '') ?? -1;
    if (image !== drawn) {
      drawn = image;
      waiting.abort();
      waiting = new AbortController();
      const wanted = wantedOn(image, given, stack);
      ready = preparedNow(wanted);
      tell({ state: ready ? 'there' : 'coming' });
      void make(image, wanted, waiting);
    }
    put();
  };

  const { element } = view.viewport;
  element.addEventListener(Enums.Events.IMAGE_RENDERED, follow);
  const resized = new ResizeObserver(put);
  resized.observe(canvas);
  follow();
  return () => {
    element.removeEventListener(Enums.Events.IMAGE_RENDERED, follow);
    resized.disconnect();
    waiting.abort();
  };
};

const isSame = (one: Painting, other: Painting): boolean =>
  one.state === other.state && (one.state !== 'failed' || other.state !== 'failed' || one.reason === other.reason);

/** Keeps a canvas up to date with a view. The arguments must not change between renders. */
export const usePainting = (canvas: RefObject<HTMLCanvasElement | null>, given: Given): Painting => {
  const { view, placed, hidden, look } = given;
  const { style, opacity } = look;
  const [painting, setPainting] = useState<Painting>({ state: 'there' });
  const again = useRetryCount(painting, painting.state === 'failed' && painting.mayChange);
  const all = useMemo(
    () => ({ view, placed, hidden, look: { style, opacity } }),
    [view, placed, hidden, style, opacity],
  );

  useEffect(retainCache, []);
  useEffect(() => {
    if (!canvas.current) return undefined;
    return paintAlong(all, canvas.current, (next) => setPainting((before) => (isSame(before, next) ? before : next)));
  }, [canvas, all, again]);

  return painting;
};

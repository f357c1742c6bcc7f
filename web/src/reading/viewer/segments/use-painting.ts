import { t } from '@lingui/core/macro';
import { Enums } from '@cornerstonejs/core';
import { type RefObject, useEffect, useMemo, useState } from 'react';
import { errorMessageOf } from '#core/http/api.ts';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import { clear, paintSegments, type SegmentLook } from './paint-segments.ts';
import type { Placed } from './placement.ts';
import { retainCache, prepare, type PreparedPart, preparedNow, type SegmentRequest } from './prepare-parts.ts';
import { isRetryable, useRetryCount } from './use-retry.ts';
import type { SegmentSet } from './segment-set.ts';
import { type Stack, stackOf } from './image-stack.ts';

export type PlacedSet = Placed & { set: SegmentSet };

/** State of the segments on the drawn image. */
export type Painting =
  | { state: 'there' }
  | { state: 'coming' }
  | { state: 'failed'; reason: string; mayChange: boolean };

type PaintingInput = {
  view: View;
  placed: readonly PlacedSet[];
  hidden: ReadonlySet<string>;
  look: SegmentLook;
};

/** Number of images prepared in advance, before and after the current one. */
const prefetchCount = 4;

const wantedOn = (image: number, { placed: placedSets, hidden }: PaintingInput, { targets }: Stack): SegmentRequest[] =>
  placedSets.flatMap(({ set, placement }) => {
    const visibleNumbers = new Set(set.regions.flatMap(({ number, key }) => (hidden.has(key) ? [] : [number])));
    const parts = (placement.parts.get(image) ?? []).filter(({ region }) => visibleNumbers.has(region));
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
const paintAlong = (input: PaintingInput, canvas: HTMLCanvasElement, notify: (painting: Painting) => void) => {
  const { view, look } = input;
  const stack = stackOf(view.images);
  const numbers = new Map(view.images.map(({ imageId }, index) => [imageId, index]));
  let drawnIndex = -1;
  let ready: readonly PreparedPart[] | undefined;
  let waiting = new AbortController();

  const lookAhead = async (image: number, signal: AbortSignal) => {
    for (let away = 1; away <= prefetchCount; away += 1) {
      for (const neighbour of [image + away, image - away]) {
        if (signal.aborted) return;
        await prepare(wantedOn(neighbour, input, stack), signal);
      }
    }
  };
  const make = async (image: number, requests: readonly SegmentRequest[], { signal }: AbortController) => {
    try {
      const prepared = preparedNow(requests) ?? (await prepare(requests, signal));
      if (signal.aborted) return;
      ready = prepared;
      notify({ state: 'there' });
      put();
      // Ignores errors of images prepared in advance. They appear when the user scrolls to these images.
      await lookAhead(image, signal).catch(() => undefined);
    } catch (error) {
      if (!signal.aborted) notify({ state: 'failed', reason: reasonOf(error), mayChange: isRetryable(error) });
    }
  };
  const put = () => {
    const target = stack.targets[drawnIndex];
    if (ready && target) paintSegments({ canvas, viewport: view.viewport, image: target }, ready, look);
    else clear(canvas);
  };
  const follow = () => {
    const image = numbers.get(view.viewport.getCornerstoneImage()?.imageId ?? '') ?? -1;
    if (image !== drawnIndex) {
      drawnIndex = image;
      waiting.abort();
      waiting = new AbortController();
      const requests = wantedOn(image, input, stack);
      ready = preparedNow(requests);
      notify({ state: ready ? 'there' : 'coming' });
      void make(image, requests, waiting);
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
export const usePainting = (canvas: RefObject<HTMLCanvasElement | null>, input: PaintingInput): Painting => {
  const { view, placed: placedSets, hidden, look } = input;
  const { style, opacity } = look;
  const [painting, setPainting] = useState<Painting>({ state: 'there' });
  const again = useRetryCount(painting, painting.state === 'failed' && painting.mayChange);
  const all = useMemo(
    () => ({ view, placed: placedSets, hidden, look: { style, opacity } }),
    [view, placedSets, hidden, style, opacity],
  );

  useEffect(retainCache, []);
  useEffect(() => {
    if (!canvas.current) return undefined;
    return paintAlong(all, canvas.current, (next) => setPainting((before) => (isSame(before, next) ? before : next)));
  }, [canvas, all, again]);

  return painting;
};

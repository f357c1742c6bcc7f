import { Enums as CoreEnums, eventTarget, type Types } from '@cornerstonejs/core';
import { annotation, Enums, utilities } from '@cornerstonejs/tools';
import type { EventTypes } from '@cornerstonejs/tools/types';
import type { Measurement } from '@radwork/contract/measurements';
import type { Annotation, ByHand, Drawn } from './drawn-annotation.ts';
import type { Surface } from './drawn-surface.ts';
import { factorIn } from './hand-calibration.ts';
import type { ViewBox } from '#viewer/engine/view-box.ts';

/** A line that is dragged is one act when it has rested so long, in milliseconds. */
const rest = 400;

/** What somebody did to a measurement: null is "not there". */
export type Act = { id: string; before: Drawn | null; after: Drawn | null };

type Keeping = {
  /** What waits to be sent to the server; null: it is taken away. */
  waiting: ReadonlyMap<string, Drawn | null>;
  /** Whether what is drawn is kept at all. */
  isKept: boolean;
};

const { ANNOTATION_COMPLETED, ANNOTATION_MODIFIED, ANNOTATION_REMOVED } = Enums.Events;

/** A handle that was taken hold of and let go of has not moved, but for what screen and patient lose on each other, in mm. */
const still = 0.002;

const isSamePlace = (one: Drawn, other: Drawn): boolean =>
  one.tool === other.tool &&
  one.points.length === other.points.length &&
  one.points.every((point, at) =>
    point.every((part, axis) => Math.abs(part - (other.points[at]?.[axis] ?? NaN)) < still),
  );

/** Whether two say the same but for what was read off, which is worked out from the rest. */
const isSame = (one: Drawn, other: Drawn): boolean =>
  one.label === other.label && isSamePlace(one, other) && isReadAlike(one, other);

/** Whether both are calibrated by hand alike, as far as anything was read off. */
const isReadAlike = (one: Drawn, other: Drawn): boolean =>
  one.values.length === 0 || other.values.length === 0 || factorIn(one.values) === factorIn(other.values);

const setFactor = ({ data }: Annotation, factor: number | null) => {
  Object.assign(data, { byHand: factor } satisfies ByHand);
};

/** Where an image is not on the screen nothing is read off: what lies as before still says what it said. */
const withValuesOf = (before: Drawn | null, after: Drawn): Drawn =>
  before && isSamePlace(before, after) && before.values.length > after.values.length
    ? { ...after, values: before.values }
    : after;

export type MeasurementDrawing = ReturnType<typeof createMeasurementDrawing>;

/**
 * What is drawn on a surface, the images of a study or planes through a series: tells what somebody does there, and
 * shows what the server has. `onAct` is called for each thing they draw, change or take away, and for nothing that is only
 * shown.
 */
export const createMeasurementDrawing = ({ engine }: ViewBox, surface: Surface, onAct: (act: Act) => void) => {
  /** What was drawn when it was last told of or shown. */
  const known = new Map<string, Drawn>();
  const resting = new Map<string, ReturnType<typeof setTimeout>>();
  let isShowing = false;

  const settle = (one: Annotation) => {
    const id = one.annotationUID ?? '';
    clearTimeout(resting.get(id));
    resting.delete(id);
    const drawn = surface.drawnBy(one);
    if (!drawn || !annotation.state.getAnnotation(id)) return;
    const before = known.get(id) ?? null;
    if (before && isSame(before, drawn)) return;
    const after = withValuesOf(before, drawn);
    // It stays as it was read, also when its image is calibrated otherwise.
    setFactor(one, factorIn(after.values) ?? null);
    known.set(id, after);
    onAct({ id, before, after });
  };

  const onChange = (event: Event) => {
    const one = (event as CustomEvent<EventTypes.AnnotationModifiedEventDetail>).detail.annotation;
    const id = one.annotationUID ?? '';
    if (one.isLocked || !surface.holds(one)) return;
    surface.straighten(one);
    // While it is being drawn it is nothing yet.
    if (event.type === ANNOTATION_MODIFIED && !known.has(id)) return;
    clearTimeout(resting.get(id));
    resting.set(
      id,
      setTimeout(() => settle(one), rest),
    );
  };

  const onRemoved = (event: Event) => {
    const one = (event as CustomEvent<EventTypes.AnnotationRemovedEventDetail>).detail.annotation;
    const id = one.annotationUID ?? '';
    clearTimeout(resting.get(id));
    resting.delete(id);
    const before = known.get(id);
    known.delete(id);
    if (!isShowing && before && surface.holds(one)) onAct({ id, before, after: null });
  };

  /** What was worked out before the image was there knows its lengths and not its values, also while it is being drawn. */
  const onImageLoaded = (event: Event) => {
    const { imageId } = (event as Types.EventTypes.ImageLoadedEvent).detail.image;
    for (const one of annotation.state.getAllAnnotations()) {
      if (surface.holds(one) && surface.isReadFrom(one, imageId)) one.data.cachedStats = {};
    }
  };

  const draw = () => {
    if (engine.hasBeenDestroyed) return;
    utilities.triggerAnnotationRenderForViewportIds(engine.getViewports().map(({ id }) => id));
  };

  /** Changes what is drawn without telling of it. */
  const silently = (change: () => void) => {
    isShowing = true;
    try {
      change();
    } finally {
      isShowing = false;
    }
  };

  /** Takes something off the images that is only shown. The library would remember that it was locked for good. */
  const takeOff = (id: string) => {
    annotation.locking.setAnnotationLocked(id, false);
    annotation.state.removeAnnotation(id);
  };

  const put = (id: string, drawn: Drawn | null, isLocked: boolean) => {
    takeOff(id);
    const one = drawn && surface.annotationOf(id, drawn, isLocked);
    if (!one) return;
    annotation.state.addAnnotation(one, '');
    if (isLocked) annotation.locking.setAnnotationLocked(id, true);
    known.set(id, drawn);
  };

  /** Tells at once of what has not rested yet. */
  const settleAll = () => {
    for (const id of resting.keys()) {
      const one = annotation.state.getAnnotation(id);
      if (one) settle(one);
    }
  };

  eventTarget.addEventListener(CoreEnums.Events.IMAGE_LOADED, onImageLoaded);
  eventTarget.addEventListener(ANNOTATION_COMPLETED, onChange);
  eventTarget.addEventListener(ANNOTATION_MODIFIED, onChange);
  eventTarget.addEventListener(ANNOTATION_REMOVED, onRemoved);
  window.addEventListener('pagehide', settleAll);

  return {
    /**
     * Shows what the server has, but for what waits to be sent to it, which is shown as it will be. Of those who keep
     * nothing, what they have drawn themselves stays.
     */
    show: (kept: readonly Measurement[], { waiting, isKept }: Keeping) => {
      const ids = new Set(kept.map(({ id }) => id));
      silently(() => {
        for (const id of known.keys()) {
          const isGone = !ids.has(id) && !waiting.has(id);
          if (isGone && (isKept || annotation.locking.isAnnotationLocked(id))) takeOff(id);
        }
        for (const { id, isMine, ...drawn } of kept) {
          const before = known.get(id);
          if (waiting.has(id) || resting.has(id) || (before && isSame(before, drawn))) continue;
          put(id, drawn, !isMine || !isKept);
        }
        for (const [id, drawn] of waiting) if (!known.has(id)) put(id, drawn, false);
      });
      draw();
    },
    settleAll,
    /** Whether it is drawn here. */
    shows: (id: string) => known.has(id),
    /** Puts a measurement back to what it was. */
    put: (id: string, drawn: Drawn | null) => {
      silently(() => put(id, drawn, false));
      draw();
    },
    relabel: (id: string, label: string) => {
      const one = annotation.state.getAnnotation(id);
      if (!one) return;
      one.data.label = label;
      settle(one);
      draw();
    },
    /**
     * Reads everything again that the reader has drawn on an image and its frames: by a factor or, for null, as the image
     * says itself. What nothing was read off in this window stays. Answers how many say something else now.
     */
    calibrate: (isOfImage: (imageId: string) => boolean, factor: number | null): number => {
      const mine = [...known.keys()].flatMap((id) => annotation.state.getAnnotation(id) ?? []);
      const changing = mine.filter(({ isLocked, metadata, data }) => {
        const imageId = metadata?.referencedImageId ?? '';
        return !isLocked && isOfImage(imageId) && `imageId:${imageId}` in { ...data.cachedStats };
      });
      const factorsOf = () =>
        changing.map(({ annotationUID = '' }) => factorIn(known.get(annotationUID)?.values ?? []));
      const before = factorsOf();
      for (const one of changing) {
        setFactor(one, factor);
        settle(one);
      }
      draw();
      return factorsOf().filter((now, at) => now !== before[at]).length;
    },
    remove: (id: string) => {
      annotation.state.removeAnnotation(id);
      draw();
    },
    /** Tells at once of what has not rested yet, and takes everything off the surface, also what has no end yet. */
    close: () => {
      settleAll();
      eventTarget.removeEventListener(CoreEnums.Events.IMAGE_LOADED, onImageLoaded);
      eventTarget.removeEventListener(ANNOTATION_COMPLETED, onChange);
      eventTarget.removeEventListener(ANNOTATION_MODIFIED, onChange);
      eventTarget.removeEventListener(ANNOTATION_REMOVED, onRemoved);
      window.removeEventListener('pagehide', settleAll);
      const begun = annotation.state.getAllAnnotations().filter(surface.holds);
      for (const id of [...known.keys(), ...begun.map(({ annotationUID = '' }) => annotationUID)]) takeOff(id);
      known.clear();
    },
  };
};

import { Enums as CoreEnums, eventTarget, type Types } from '@cornerstonejs/core';
import { annotation, Enums, utilities } from '@cornerstonejs/tools';
import type { EventTypes } from '@cornerstonejs/tools/types';
import type { Measurement } from '@radwork/contract/reading/measurements';
import type { Annotation, ManualCalibration, Drawing } from './drawn-annotation.ts';
import type { Surface } from './drawing-surface.ts';
import { factorIn } from './manual-calibration.ts';
import type { ViewBox } from '#reading/viewer/engine/stack/view-box.ts';

/** Pause in milliseconds after which a drag counts as one finished change. */
const settlePause = 400;

/** Change of a measurement. Null as `before` or `after` means that the measurement does not exist. */
export type MeasurementChange = { id: string; before: Drawing | null; after: Drawing | null };

type Keeping = {
  /** Unsent drawings by ID; null means deleted. */
  waiting: ReadonlyMap<string, Drawing | null>;
  /** Whether drawings are saved on the server. */
  isKept: boolean;
};

const { ANNOTATION_COMPLETED, ANNOTATION_MODIFIED, ANNOTATION_REMOVED } = Enums.Events;

/** Largest movement of a handle that does not count as a change, in mm. Covers rounding between screen and patient. */
const still = 0.002;

const isSamePlace = (one: Drawing, other: Drawing): boolean =>
  one.tool === other.tool &&
  one.points.length === other.points.length &&
  one.points.every((point, at) =>
    point.every((part, axis) => Math.abs(part - (other.points[at]?.[axis] ?? NaN)) < still),
  );

/** Whether two drawings are equal, ignoring their computed values. */
const isSame = (one: Drawing, other: Drawing): boolean =>
  one.label === other.label && isSamePlace(one, other) && isReadAlike(one, other);

/** Whether two drawings have the same manual calibration. True if one of them has no values. */
const isReadAlike = (one: Drawing, other: Drawing): boolean =>
  one.values.length === 0 || other.values.length === 0 || factorIn(one.values) === factorIn(other.values);

const setFactor = ({ data }: Annotation, factor: number | null) => {
  Object.assign(data, { byHand: factor } satisfies ManualCalibration);
};

/**
 * Keeps the earlier values of a drawing that has not moved. No values can be computed for an image that is not on
 * screen.
 */
const withValuesOf = (before: Drawing | null, after: Drawing): Drawing =>
  before && isSamePlace(before, after) && before.values.length > after.values.length
    ? { ...after, values: before.values }
    : after;

export type MeasurementDrawing = ReturnType<typeof createMeasurementDrawing>;

/**
 * Connects the annotations on a surface with the server. Shows saved drawings, and reports the user's changes with
 * `onAct`. Showing a drawing does not call `onAct`.
 */
export const createMeasurementDrawing = (
  { engine }: ViewBox,
  surface: Surface,
  onAct: (act: MeasurementChange) => void,
) => {
  /** Drawings by ID, as last reported or shown. */
  const known = new Map<string, Drawing>();
  const resting = new Map<string, ReturnType<typeof setTimeout>>();
  let isShowing = false;

  const settle = (one: Annotation) => {
    const id = one.annotationUID ?? '';
    clearTimeout(resting.get(id));
    resting.delete(id);
    const drawing = surface.drawnBy(one);
    if (!drawing || !annotation.state.getAnnotation(id)) return;
    const before = known.get(id) ?? null;
    if (before && isSame(before, drawing)) return;
    const after = withValuesOf(before, drawing);
    // The drawing keeps its own calibration, even if its image gets another one.
    setFactor(one, factorIn(after.values) ?? null);
    known.set(id, after);
    onAct({ id, before, after });
  };

  const onChange = (event: Event) => {
    const one = (event as CustomEvent<EventTypes.AnnotationModifiedEventDetail>).detail.annotation;
    const id = one.annotationUID ?? '';
    if (one.isLocked || !surface.holds(one)) return;
    surface.straighten(one);
    // Ignores a drawing that is not finished.
    if (event.type === ANNOTATION_MODIFIED && !known.has(id)) return;
    clearTimeout(resting.get(id));
    resting.set(
      id,
      setTimeout(() => settle(one), settlePause),
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

  /**
   * Clears values that were computed before the image loaded, because they lack the pixel values of the image. Also
   * applies while the user is still drawing.
   */
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

  /** Runs a change of annotations without reporting it. */
  const silently = (change: () => void) => {
    isShowing = true;
    try {
      change();
    } finally {
      isShowing = false;
    }
  };

  /** Removes an annotation from the screen only. Unlocks it first, because the imaging library never forgets a lock. */
  const takeOff = (id: string) => {
    annotation.locking.setAnnotationLocked(id, false);
    annotation.state.removeAnnotation(id);
  };

  const put = (id: string, drawing: Drawing | null, isLocked: boolean) => {
    takeOff(id);
    const one = drawing && surface.annotationOf(id, drawing, isLocked);
    if (!one) return;
    annotation.state.addAnnotation(one, '');
    if (isLocked) annotation.locking.setAnnotationLocked(id, true);
    known.set(id, drawing);
  };

  /** Reports all pending changes at once. */
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
     * Shows saved drawings with unsent changes applied. If drawings are not saved on the server, the user's own
     * drawings stay on screen.
     */
    show: (saved: readonly Measurement[], { waiting, isKept }: Keeping) => {
      const ids = new Set(saved.map(({ id }) => id));
      silently(() => {
        for (const id of known.keys()) {
          const isGone = !ids.has(id) && !waiting.has(id);
          if (isGone && (isKept || annotation.locking.isAnnotationLocked(id))) takeOff(id);
        }
        for (const { id, isMine, ...drawing } of saved) {
          const before = known.get(id);
          if (waiting.has(id) || resting.has(id) || (before && isSame(before, drawing))) continue;
          put(id, drawing, !isMine || !isKept);
        }
        for (const [id, drawing] of waiting) if (!known.has(id)) put(id, drawing, false);
      });
      draw();
    },
    settleAll,
    /** Whether a drawing is shown on this surface. */
    shows: (id: string) => known.has(id),
    /** Sets a measurement to a given state; null deletes it. */
    put: (id: string, drawing: Drawing | null) => {
      silently(() => put(id, drawing, false));
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
     * Applies a calibration factor to the user's drawings on an image and its frames; null removes the calibration.
     * Drawings whose values are not computed in this window stay unchanged. Returns the number of changed drawings.
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
    /** Reports all pending changes and removes all annotations from the surface, including unfinished ones. */
    close: () => {
      settleAll();
      eventTarget.removeEventListener(CoreEnums.Events.IMAGE_LOADED, onImageLoaded);
      eventTarget.removeEventListener(ANNOTATION_COMPLETED, onChange);
      eventTarget.removeEventListener(ANNOTATION_MODIFIED, onChange);
      eventTarget.removeEventListener(ANNOTATION_REMOVED, onRemoved);
      window.removeEventListener('pagehide', settleAll);
      const onSurface = annotation.state.getAllAnnotations().filter(surface.holds);
      for (const id of [...known.keys(), ...onSurface.map(({ annotationUID = '' }) => annotationUID)]) takeOff(id);
      known.clear();
    },
  };
};

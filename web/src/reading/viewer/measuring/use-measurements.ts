import { t } from '@lingui/core/macro';
import { type Measurement, measurements } from '@radwork/contract/reading/measurements';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { query } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { toast } from '#core/browser/toasts.ts';
import { canTakeBack, createHistory, type RecordedChange } from './measurement-history.ts';
import type { Drawing } from './drawn-annotation.ts';
import { drawnInVolumes, drawnOf } from './drawn-in-volumes.ts';
import { imagesOf, type Surface } from './drawing-surface.ts';
import { learnCalibrations, reasonAgainstCalibrating } from './manual-calibration.ts';
import { type MeasurementChange, createMeasurementDrawing, type MeasurementDrawing } from './measurement-drawing.ts';
import { createMeasurementSaver } from './measurement-saver.ts';
import { tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { instanceOf } from '#reading/viewer/images/header/instance-id.ts';
import { imageIdOf, seriesImages } from '#reading/viewer/images/series/series-loader.ts';
import type { ViewBox } from '#reading/viewer/engine/stack/view-box.ts';

/** Returns the state of the measurements of a study that are drawn on its images. */
export const useMeasurements = (study: StudyDetails, viewBox: ViewBox | undefined) => {
  const surface = useMemo(() => imagesOf(study.studyInstanceUID), [study.studyInstanceUID]);
  return useMeasurementsOn(surface, study, viewBox);
};

/**
 * Returns the state of the measurements of a study. Saves the user's drawings, shows the drawings of other users, and
 * undoes the user's last change on the shown surface. `surface` may be undefined, but must not be a new object at each
 * render.
 */
export const useMeasurementsOn = (surface: Surface | undefined, study: StudyDetails, viewBox: ViewBox | undefined) => {
  const client = useQueryClient();
  const { studyInstanceUID: studyUid } = study;
  const measurementsQuery = query(measurements.ofStudy, { params: { id: study.id } });
  const list = useQuery({ ...measurementsQuery, enabled: may(measurements.ofStudy) });
  const [waiting, setWaiting] = useState({ count: 0, isCutOff: false });
  const [done, setDone] = useState<readonly RecordedChange[]>([]);
  const [acts] = useState(() => createHistory(setDone));
  /** Unsaved drawings in volumes, for users who may not save. */
  const [unkept, setUnkept] = useState<ReadonlyMap<string, Drawing | null>>(new Map());
  const drawing = useRef<MeasurementDrawing>(undefined);

  // Warns only when the tab closes, because navigation in the application loses no drawing.
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: waiting.count > 0 });

  // Sends drawings even after the viewer closes. Each study has its own saver.
  const [keeper] = useState(() => {
    const { queryKey } = measurementsQuery;
    return createMeasurementSaver(study.id, {
      onSaved: (id, saved) => {
        void client.cancelQueries({ queryKey });
        client.setQueryData<Measurement[]>(queryKey, (before = []) => withSaved(before, id, saved));
      },
      onRefused: (id) => {
        // Removes the refused change from the history, because it cannot be undone.
        acts.forget(id);
        void client.invalidateQueries({ queryKey });
      },
      onWaiting: (count, isCutOff) => setWaiting({ count, isCutOff }),
    });
  });

  const onAct = useCallback(
    (act: RecordedChange) => {
      acts.add(act);
      if (may(measurements.save)) keeper.want(act.id, act.after);
      else setUnkept((before) => new Map(before).set(act.id, act.after));
    },
    [acts, keeper],
  );

  useEffect(() => {
    if (!viewBox || !surface) return undefined;
    const mine = createMeasurementDrawing(viewBox, surface, (act) => onAct({ ...act, on: surface.id }));
    drawing.current = mine;
    return () => {
      drawing.current = undefined;
      mine.close();
    };
  }, [viewBox, surface, onAct]);

  // Runs after each fetch, even if the data is unchanged, because a drawing that the server refused may still be on the
  // screen.
  const { data, dataUpdatedAt } = list;
  useEffect(() => {
    if (!data) return;
    keeper.learn(data);
    learnCalibrations(studyUid, data);
    drawing.current?.show(data, { waiting: keeper.waiting, isKept: may(measurements.save) });
  }, [viewBox, surface, data, dataUpdatedAt, keeper, studyUid]);

  const undo = (): Drawing | undefined => {
    drawing.current?.settleAll();
    const last = acts.takeLast(surface?.id);
    if (!last) {
      if (acts.areThere()) toast.info(t`Your last change was on another series. Show that series to undo it.`);
      return undefined;
    }
    drawing.current?.put(last.id, last.before);
    if (may(measurements.save)) keeper.want(last.id, last.before);
    else setUnkept((before) => new Map(before).set(last.id, last.before));
    return last.before ?? last.after ?? undefined;
  };

  const onActHere = (act: MeasurementChange) => onAct({ ...act, on: surface?.id });

  const unsent = may(measurements.save) ? keeper.waiting : unkept;
  const inVolumes = drawnInVolumes(data ?? [], unsent);
  /** Returns a drawing that is not on this surface, for example on an image while planes are shown. */
  const elsewhere = (id: string): Drawing | undefined => {
    if (drawing.current?.shows(id)) return undefined;
    const saved = data?.find((item) => item.id === id);
    return unsent.has(id) ? (unsent.get(id) ?? undefined) : saved && drawnOf(saved);
  };

  return {
    list,
    waiting,
    isKept: may(measurements.save),
    canUndo: canTakeBack(done, surface?.id),
    /** Undoes the last change on the shown surface and returns its drawing. */
    undo,
    /** Measurements in volumes, which lie on no image. */
    inVolumes,
    /** Returns the IDs of the measurements in the order of drawing. A measurement drawn just now may be missing. */
    drawnInOrder: () => acts.inOrder([...(data ?? []).map(({ id }) => id), ...unsent.keys()]),
    /** Records a new, changed or deleted drawing in a volume. */
    drawInVolume: onActHere,
    relabel: (id: string, label: string) => {
      const before = elsewhere(id);
      if (before) onActHere({ id, before, after: { ...before, label } });
      else drawing.current?.relabel(id, label);
    },
    /** Returns the reason why the image of a length cannot be calibrated manually; empty if it can. */
    reasonAgainstCalibrating: (one: Measurement): string => {
      if (!drawing.current?.shows(one.id)) return t`Open the image of this line in the standard viewer first.`;
      const { seriesInstanceUID, sopInstanceUID } = one;
      const images = client.getQueryData(seriesImages(studyUid, seriesInstanceUID).queryKey) ?? [];
      const image = images.find(({ header }) => textOf(header, tag.SOPInstanceUID) === sopInstanceUID);
      const modality = textOf(image?.header ?? {}, tag.Modality);
      return reasonAgainstCalibrating(one, { studyUid, modality }, image?.header);
    },
    /**
     * Applies a calibration factor to the user's drawings on the image of a measurement; null removes the calibration.
     * Returns whether any drawing changed.
     */
    calibrate: ({ seriesInstanceUID, sopInstanceUID }: Measurement, factor: number | null): boolean => {
      if (sopInstanceUID === null) return false;
      const instance = instanceOf(imageIdOf(studyUid, seriesInstanceUID, sopInstanceUID, 1));
      return (drawing.current?.calibrate((imageId) => instanceOf(imageId) === instance, factor) ?? 0) > 0;
    },
    remove: (id: string) => {
      const before = elsewhere(id);
      if (before) onActHere({ id, before, after: null });
      else drawing.current?.remove(id);
    },
  };
};

export type Measurements = ReturnType<typeof useMeasurements>;

const withSaved = (before: readonly Measurement[], id: string, saved: Measurement | undefined): Measurement[] => {
  if (!saved) return before.filter((one) => one.id !== id);
  return before.some((one) => one.id === id) ? before.map((one) => (one.id === id ? saved : one)) : [...before, saved];
};

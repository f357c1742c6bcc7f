import { type Measurement, measurements } from '@radwork/contract/measurements';
import type { StudyDetails } from '@radwork/contract/studies';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { query } from '#core/api.ts';
import { may } from '#core/session.ts';
import { toast } from '#core/toasts.ts';
import { canTakeBack, createActs, type DoneAct } from './acts.ts';
import type { Drawn } from './drawn-annotation.ts';
import { drawnInVolumes, drawnOf } from './drawn-in-volumes.ts';
import { imagesOf, type Surface } from './drawn-surface.ts';
import { learnCalibrations, reasonAgainstCalibrating } from './hand-calibration.ts';
import { type Act, createMeasurementDrawing, type MeasurementDrawing } from './measurement-drawing.ts';
import { createMeasurementKeeper } from './measurement-keeper.ts';
import { tag, textOf } from '#viewer/images/dicom-json.ts';
import { instanceOf } from '#viewer/images/instance-of.ts';
import { imageIdOf, seriesImages } from '#viewer/images/series-loader.ts';
import type { ViewBox } from '#viewer/engine/view-box.ts';

/** What is measured in a study, drawn on its images. */
export const useMeasurements = (study: StudyDetails, viewBox: ViewBox | undefined) => {
  const surface = useMemo(() => imagesOf(study.studyInstanceUID), [study.studyInstanceUID]);
  return useMeasurementsOn(surface, study, viewBox);
};

/**
 * What is measured in a study: it is kept as it is drawn, what others draw appears, and what the reader did last on
 * what is shown can be taken back, one act after the other. It is drawn on a surface, of which there may be none yet; keep it the same between
 * renderings.
 */
export const useMeasurementsOn = (surface: Surface | undefined, study: StudyDetails, viewBox: ViewBox | undefined) => {
  const client = useQueryClient();
  const { studyInstanceUID: studyUid } = study;
  const asked = query(measurements.ofStudy, { params: { id: study.id } });
  const list = useQuery({ ...asked, enabled: may(measurements.ofStudy) });
  const [waiting, setWaiting] = useState({ count: 0, isCutOff: false });
  const [done, setDone] = useState<readonly DoneAct[]>([]);
  const [acts] = useState(() => createActs(setDone));
  /** What those draw in volumes who keep nothing. */
  const [unkept, setUnkept] = useState<ReadonlyMap<string, Drawn | null>>(new Map());
  const drawing = useRef<MeasurementDrawing>(undefined);

  // Going elsewhere in the application loses nothing; closing the tab would.
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: waiting.count > 0 });

  // It goes on sending when the viewer is left; another study has another one.
  const [keeper] = useState(() => {
    const { queryKey } = asked;
    return createMeasurementKeeper(study.id, {
      onKept: (id, kept) => {
        void client.cancelQueries({ queryKey });
        client.setQueryData<Measurement[]>(queryKey, (before = []) => withKept(before, id, kept));
      },
      onRefused: (id) => {
        // What the server did not take cannot be taken back either.
        acts.forget(id);
        void client.invalidateQueries({ queryKey });
      },
      onWaiting: (count, isCutOff) => setWaiting({ count, isCutOff }),
    });
  });

  const onAct = useCallback(
    (act: DoneAct) => {
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

  // Also when it was fetched again and is the same: something that was refused may be drawn.
  const { data, dataUpdatedAt } = list;
  useEffect(() => {
    if (!data) return;
    keeper.learn(data);
    learnCalibrations(studyUid, data);
    drawing.current?.show(data, { waiting: keeper.waiting, isKept: may(measurements.save) });
  }, [viewBox, surface, data, dataUpdatedAt, keeper, studyUid]);

  const undo = (): Drawn | undefined => {
    drawing.current?.settleAll();
    const last = acts.takeLast(surface?.id);
    if (!last) {
      if (acts.areThere()) toast.info('What you did before was on another series: show it to take that back');
      return undefined;
    }
    drawing.current?.put(last.id, last.before);
    if (may(measurements.save)) keeper.want(last.id, last.before);
    else setUnkept((before) => new Map(before).set(last.id, last.before));
    return last.before ?? last.after ?? undefined;
  };

  const onActHere = (act: Act) => onAct({ ...act, on: surface?.id });

  const unsent = may(measurements.save) ? keeper.waiting : unkept;
  const inVolumes = drawnInVolumes(data ?? [], unsent);
  /** What the surface does not show: on images while planes are looked at, on planes while images are. */
  const elsewhere = (id: string): Drawn | undefined => {
    if (drawing.current?.shows(id)) return undefined;
    const kept = data?.find((one) => one.id === id);
    return unsent.has(id) ? (unsent.get(id) ?? undefined) : kept && drawnOf(kept);
  };

  return {
    list,
    waiting,
    isKept: may(measurements.save),
    canUndo: canTakeBack(done, surface?.id),
    /** Takes back what the reader did last on what is shown, and returns what it was done to, wherever that lies. */
    undo,
    /** What is measured on no image. */
    inVolumes,
    /** The ids of what is measured, the first drawn first; what was drawn a moment ago may not be among them yet. */
    drawnInOrder: () => acts.inOrder([...(data ?? []).map(({ id }) => id), ...unsent.keys()]),
    /** Keeps what somebody drew, changed or took away in a volume. */
    drawInVolume: onActHere,
    relabel: (id: string, label: string) => {
      const before = elsewhere(id);
      if (before) onActHere({ id, before, after: { ...before, label } });
      else drawing.current?.relabel(id, label);
    },
    /** Why the image of a length is not calibrated by hand, in words; empty where it may be. */
    reasonAgainstCalibrating: (one: Measurement): string => {
      if (!drawing.current?.shows(one.id)) return 'Open the image of this line in the standard viewer first.';
      const { seriesInstanceUID, sopInstanceUID } = one;
      const images = client.getQueryData(seriesImages(studyUid, seriesInstanceUID).queryKey) ?? [];
      const image = images.find(({ header }) => textOf(header, tag.SOPInstanceUID) === sopInstanceUID);
      const modality = textOf(image?.header ?? {}, tag.Modality);
      return reasonAgainstCalibrating(one, { studyUid, modality }, image?.header);
    },
    /** Reads what the reader has drawn on the image of a measurement by a factor, or as it says itself; tells whether it did. */
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

const withKept = (before: readonly Measurement[], id: string, kept: Measurement | undefined): Measurement[] => {
  if (!kept) return before.filter((one) => one.id !== id);
  return before.some((one) => one.id === id) ? before.map((one) => (one.id === id ? kept : one)) : [...before, kept];
};

import { t } from '@lingui/core/macro';
import type { PriorMeasurement } from '@radwork/contract/reading/lesions';
import type { Measurement, MeasurementTool } from '@radwork/contract/reading/measurements';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { errorMessageOf } from '#core/http/api.ts';
import { toast } from '#core/browser/toasts.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { seriesImages } from '#reading/viewer/images/series/series-loader.ts';
import { offerUndo } from '#ui/feedback/undo-toast.tsx';
import { placeInSeries } from './place-in-series.ts';
import { useLinkLesion, useUnlinkLesion } from './use-lesions.ts';

type SeriesPlace = { studyUid: string; seriesUid: string };

type Options = {
  studyId: string;
  measured: readonly Measurement[] | undefined;
  /** Series of the current study in the current pane. */
  current: SeriesPlace | undefined;
  onShow: (image: SeriesImage, seriesUid: string) => void;
  /** Current tool; undefined if it draws no measurement. */
  tool: MeasurementTool | undefined;
  /** Selects the tool of a measurement. Returns false if the viewer does not have it. */
  onTool: (prior: PriorMeasurement) => boolean;
};

type Pending = {
  prior: PriorMeasurement;
  /** Series in which the user is asked to draw. */
  seriesUid: string;
  /** Measurements that are not the repeated one: drawn before, or refused by the server. */
  knownIds: ReadonlySet<string>;
};

/**
 * Repeats a measurement of a prior: shows its place in the current series and selects its tool. Links the next
 * measurement that the user draws with that tool in that series. `pending` is the measurement to repeat. Another tool,
 * another series or Escape cancels it, because the next measurement would then be of something else. The user can undo
 * the link.
 */
export const useRepeatMeasurement = ({ studyId, measured, current, onShow, tool, onTool }: Options) => {
  const client = useQueryClient();
  const [requested, setPending] = useState<Pending>();
  const [left, setLeft] = useState<Pending>();
  const [note, setNote] = useState('');
  const { mutateAsync: link, isPending: isLinking } = useLinkLesion();
  const { mutate: unlink } = useUnlinkLesion();
  const linked = useRef<string>(undefined);
  // Once the tool or series has changed, the request stays canceled, even if they change back.
  if (requested && requested !== left && !isInPlace(requested, tool, current)) setLeft(requested);
  const isLeft = requested !== undefined && requested === left;
  const pending = isLeft ? undefined : requested;
  const drawnId = pending && drawnFor(pending, measured);

  useEffect(() => {
    if (!pending || drawnId === undefined || linked.current === drawnId) return;
    linked.current = drawnId;
    const { id: priorMeasurementId, label } = pending.prior;
    const params = { id: studyId, measurementId: drawnId };
    link({ params, body: { priorMeasurementId } }).then(
      () => {
        setPending((now) => (now === pending ? undefined : now));
        offerUndo(label ? t`Measurement linked with ${label}` : t`Measurement linked`, () => unlink({ params }));
      },
      // The call has shown the error. The next measurement may be linked.
      () => setPending((now) => (now === pending ? { ...now, knownIds: new Set([...now.knownIds, drawnId]) } : now)),
    );
  }, [pending, drawnId, link, unlink, studyId]);

  useEffect(() => {
    if (isLeft && !isLinking) toast.info(t`Tool or series changed. The measurement is not repeated.`);
  }, [isLeft, isLinking]);

  const isPending = pending !== undefined;
  useEffect(() => {
    if (!isPending) return undefined;
    // Not a shortcut, because Escape has other tasks too, such as removing the unfinished drawing.
    const cancelOnEscape = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && !document.querySelector('[aria-modal="true"]')) setPending(undefined);
    };
    window.addEventListener('keydown', cancelOnEscape);
    return () => window.removeEventListener('keydown', cancelOnEscape);
  }, [isPending]);

  const repeat = async (prior: PriorMeasurement) => {
    if (!current) {
      toast.info(t`Show a series of this study first.`);
      return;
    }
    if (!onTool(prior)) {
      toast.info(t`This viewer does not have the tool of this measurement.`);
      return;
    }
    setPending({ prior, seriesUid: current.seriesUid, knownIds: new Set(measured?.map(({ id }) => id)) });
    try {
      const [images, priorImages] = await Promise.all([
        client.fetchQuery(seriesImages(current.studyUid, current.seriesUid)),
        client.fetchQuery(seriesImages(prior.study.studyInstanceUID, prior.seriesInstanceUID)),
      ]);
      const found = placeInSeries(images, priorImages, prior);
      if (found) onShow(found.image, current.seriesUid);
      setNote(noteOf(found?.by));
    } catch (error) {
      setNote(errorMessageOf(error, t`The place of the lesion could not be loaded. Find it by hand.`));
    }
  };
  return { pending: pending?.prior, note, repeat, cancel: () => setPending(undefined) };
};

const isInPlace = ({ prior, seriesUid }: Pending, tool: Options['tool'], current: Options['current']): boolean =>
  tool === prior.tool && current?.seriesUid === seriesUid;

/** Returns the id of the measurement that the user drew for a pending one. */
const drawnFor = ({ prior, seriesUid, knownIds }: Pending, measured: Options['measured']): string | undefined =>
  measured?.find(
    ({ id, tool, isMine, seriesInstanceUID }) =>
      isMine && tool === prior.tool && seriesInstanceUID === seriesUid && !knownIds.has(id),
  )?.id;

const noteOf = (by: 'POSITION' | 'FRACTION' | undefined): string => {
  if (by === 'POSITION') return t`Same position in the patient.`;
  return by === 'FRACTION'
    ? t`Other frame of reference: same part of the stack. Check the place.`
    : t`The place was not found in this series. Find it by hand.`;
};

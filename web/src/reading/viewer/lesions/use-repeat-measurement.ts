import { t } from '@lingui/core/macro';
import type { PriorMeasurement } from '@radwork/contract/reading/lesions';
import type { Measurement } from '@radwork/contract/reading/measurements';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { errorMessageOf } from '#core/http/api.ts';
import { toast } from '#core/browser/toasts.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { seriesImages } from '#reading/viewer/images/series/series-loader.ts';
import { placeInSeries } from './place-in-series.ts';
import { useLinkLesion } from './use-lesions.ts';

type SeriesPlace = { studyUid: string; seriesUid: string };

type Options = {
  studyId: string;
  measured: readonly Measurement[] | undefined;
  /** Series of the current study in the current pane. */
  current: SeriesPlace | undefined;
  onShow: (image: SeriesImage, seriesUid: string) => void;
  onTool: (prior: PriorMeasurement) => void;
};

type Pending = { prior: PriorMeasurement; knownIds: ReadonlySet<string> };

/**
 * Repeats a measurement of a prior: shows its place in the current series, takes its tool in hand, and links the next
 * measurement of that tool that the user draws. `pending` is the measurement that waits for it.
 */
export const useRepeatMeasurement = ({ studyId, measured, current, onShow, onTool }: Options) => {
  const client = useQueryClient();
  const [pending, setPending] = useState<Pending>();
  const [note, setNote] = useState('');
  const link = useLinkLesion();
  const linked = useRef<string>(undefined);

  const drawn =
    pending &&
    measured?.find(({ id, tool, isMine }) => isMine && tool === pending.prior.tool && !pending.knownIds.has(id));
  const { mutate } = link;
  useEffect(() => {
    if (!pending || !drawn || linked.current === drawn.id) return;
    linked.current = drawn.id;
    mutate(
      { params: { id: studyId, measurementId: drawn.id }, body: { priorMeasurementId: pending.prior.id } },
      { onSuccess: () => setPending(undefined) },
    );
  }, [pending, drawn, mutate, studyId]);

  const repeat = async (prior: PriorMeasurement) => {
    if (!current) {
      toast.info(t`Show a series of this study first.`);
      return;
    }
    setPending({ prior, knownIds: new Set(measured?.map(({ id }) => id)) });
    onTool(prior);
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

const noteOf = (by: 'POSITION' | 'FRACTION' | undefined): string => {
  if (by === 'POSITION') return t`Same position in the patient.`;
  return by === 'FRACTION'
    ? t`Other frame of reference: same part of the stack. Check the place.`
    : t`The place was not found in this series. Find it by hand.`;
};

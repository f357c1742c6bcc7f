import { t } from '@lingui/core/macro';
import { useEffect, useMemo, useState } from 'react';
import type { ViewBox } from '#reading/viewer/engine/stack/view-box.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { type Arrival, loadVolume, makeVolume, releaseVolume, type Volume, VolumeTooLarge } from './volume.ts';

/** Loading state of the volume of a series. Missing slices are black, so the viewer must report them. */
export type VolumeLoad =
  | { state: 'making' }
  | { state: 'refused'; reason: string }
  | { state: 'here'; volume: Volume; arrival: Arrival; isComplete: boolean };

const settledIn = ({ loaded, failed }: Arrival): number => loaded + failed.length;

/**
 * Volume of a series on a view box, loaded while in use. `retry` rebuilds it to load missing slices. `images` needs a
 * stable identity.
 */
export const useVolume = (viewBox: ViewBox, images: readonly SeriesImage[]): [VolumeLoad, retry: () => void] => {
  const [attempt, setAttempt] = useState(0);
  /** Current request. Answers to earlier requests are ignored from the same rendering on. */
  const asked = useMemo(() => ({ viewBox, images, attempt }), [viewBox, images, attempt]);
  const [answer, setAnswer] = useState<{ to: object; load: VolumeLoad }>();

  useEffect(() => {
    const setLoad = (load: VolumeLoad) => setAnswer({ to: asked, load });
    let isWanted = true;
    let release = () => {};
    const open = async () => {
      const volume = await makeVolume(viewBox, images);
      if (!isWanted) {
        releaseVolume(volume);
        return;
      }
      const onArrival = (arrival: Arrival) =>
        setLoad({ state: 'here', volume, arrival, isComplete: settledIn(arrival) === arrival.total });
      onArrival({ loaded: 0, total: images.length, failed: [] });
      const stop = loadVolume(volume, onArrival);
      release = () => {
        stop();
        // React cleans up from the outside in, so the viewports must be removed first.
        queueMicrotask(() => releaseVolume(volume));
      };
    };
    open().catch((error: unknown) => {
      const words = error instanceof VolumeTooLarge ? error.message : t`The images do not form a volume.`;
      if (isWanted) setLoad({ state: 'refused', reason: words });
    });
    return () => {
      isWanted = false;
      release();
    };
  }, [viewBox, images, asked]);

  return [answer?.to === asked ? answer.load : { state: 'making' }, () => setAttempt((before) => before + 1)];
};

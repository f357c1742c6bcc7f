import { t } from '@lingui/core/macro';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ViewBox } from '#reading/viewer/engine/stack/view-box.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { namesOf } from './volume-fitness.ts';
import { type Arrival, loadVolume, makeVolume, releaseVolume, type Volume, VolumeTooLarge } from './volume.ts';

/** State of loading the volume of a series. The viewer must report missing slices, which planes hatch. */
export type VolumeLoad =
  | { state: 'making' }
  | { state: 'refused'; reason: string }
  | { state: 'here'; volume: Volume; arrival: Arrival; isComplete: boolean };

const settledIn = ({ loaded, failed }: Arrival): number => loaded + failed.length;

/**
 * Loads the volume of a series on a view box while in use. `retry` rebuilds the volume to load missing slices. `images`
 * must not change between renders.
 */
export const useVolume = (viewBox: ViewBox, images: readonly SeriesImage[]): [VolumeLoad, retry: () => void] => {
  const [attempt, setAttempt] = useState(0);
  /** Images whose volume was built again for their large values. */
  const wide = useRef<readonly SeriesImage[]>(undefined);
  /** Identifies the current request. Results of earlier requests are ignored as soon as the arguments change. */
  const request = useMemo(() => ({ viewBox, images, attempt }), [viewBox, images, attempt]);
  const [answer, setAnswer] = useState<{ to: object; load: VolumeLoad }>();

  useEffect(() => {
    const setLoad = (load: VolumeLoad) => setAnswer({ to: request, load });
    let isWanted = true;
    let release = () => {};
    /** Builds the volume once more, with a type for values that the loaded image has. */
    const onBeyond = (image: SeriesImage) => {
      if (!isWanted) return;
      if (wide.current === images) {
        const names = namesOf([image]);
        setLoad({ state: 'refused', reason: t`Values are too large for a volume: ${names}.` });
        return;
      }
      wide.current = images;
      setAttempt((before) => before + 1);
    };
    const open = async () => {
      const volume = await makeVolume(viewBox, images);
      if (!isWanted) {
        releaseVolume(volume);
        return;
      }
      const onArrival = (arrival: Arrival) =>
        setLoad({ state: 'here', volume, arrival, isComplete: settledIn(arrival) === arrival.total });
      onArrival({ loaded: 0, total: images.length, failed: [] });
      const stop = loadVolume(volume, onArrival, onBeyond);
      release = () => {
        stop();
        // Waits, because React unmounts the outer component first, but the viewports inside it must be removed before
        // the volume.
        queueMicrotask(() => releaseVolume(volume));
      };
    };
    open().catch((error: unknown) => {
      const words =
        error instanceof VolumeTooLarge
          ? error.message
          : t`The volume could not be built. Reload the page to try again.`;
      if (isWanted) setLoad({ state: 'refused', reason: words });
    });
    return () => {
      isWanted = false;
      release();
    };
  }, [viewBox, images, request]);

  return [answer?.to === request ? answer.load : { state: 'making' }, () => setAttempt((before) => before + 1)];
};

import { annotation } from '@cornerstonejs/tools';
import type { Measurement } from '@radwork/contract/reading/measurements';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { reasonNotDrawn, seriesOf } from './plane-surface.ts';
import { showMeasurement } from './show-measurement.ts';
import type { MprState } from './use-mpr-state.ts';

/** Shows and selects a measurement. A measurement named in the address is shown once, as soon as the planes exist. */
export const useShowMeasurement = (
  { all, areThere, enter }: MprState,
  measurements: readonly Measurement[] | undefined,
) => {
  const measurementId = useSearch({ strict: false, select: ({ measurement }) => measurement });
  /** The measurement in the address that was shown last, and the planes on which it was shown. */
  const led = useRef<{ to: string; planes: typeof all }>(undefined);

  const show = (one: Measurement) => {
    annotation.selection.setAnnotationSelected(one.id);
    const plane = showMeasurement(all, one);
    if (plane) enter(plane.orientation);
  };

  useEffect(() => {
    const volume = areThere ? all[0]?.volumes[0] : undefined;
    const one = measurements?.find(({ id }) => id === measurementId);
    if (!volume || !one || one.seriesInstanceUID !== seriesOf(volume) || reasonNotDrawn(one, volume)) return;
    if (led.current?.to === one.id && led.current.planes === all) return;
    led.current = { to: one.id, planes: all };
    annotation.selection.setAnnotationSelected(one.id);
    const plane = showMeasurement(all, one);
    if (plane) enter(plane.orientation);
  }, [all, areThere, enter, measurements, measurementId]);

  return show;
};

import { useMemo } from 'react';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { OutlinesOver } from '#reading/viewer/report-outlines/outline-layer.tsx';
import { useOutlinedReports } from '#reading/viewer/report-outlines/study-outlines.ts';
import type { Shown } from './matrix-layer.tsx';
import { byInstance, outlinesOnPlane } from './outlines-on-plane.ts';
import type { PlaneLayersShown } from './use-plane-layers.ts';

type Props = Shown & {
  layers: PlaneLayersShown;
  images: readonly SeriesImage[];
  /** Thickness of the slab in mm. It shows all outlines in it. */
  thickness: number;
  width: number;
};

/** Draws the outlines of the structured reports of a study that lie in a plane. The user can hide them. */
export function ReportLayer({ layers, images, slice, toScreen, thickness, width }: Props) {
  const reports = useOutlinedReports(layers.study);
  const own = useMemo(() => byInstance(images), [images]);
  const placed = reports.map((report) => ({
    report,
    outlines: outlinesOnPlane(slice, own, report.outlines, thickness / 2),
  }));
  return <OutlinesOver placed={placed} toScreen={toScreen} width={width} />;
}

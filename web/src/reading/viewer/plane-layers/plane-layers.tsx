import { t } from '@lingui/core/macro';
import { useMemo } from 'react';
import { loadOnDemand } from '#ui/feedback/on-demand.tsx';
import { tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { planeSlice } from '#reading/viewer/volumes/plane-slice.ts';
import type { Plane } from '#reading/viewer/volumes/plane-viewport.tsx';
import { type DrawnView, useDrawnView } from '#reading/viewer/volumes/use-drawn-view.ts';
import { NotDrawn } from './not-drawn.tsx';
import styles from './plane-layers.module.css';
import type { PlaneLayersShown } from './use-plane-layers.ts';

const DoseOverImage = loadOnDemand(
  async () => (await import('#reading/viewer/dose/dose-over-image.tsx')).DoseOverImage,
);
const ContourLayer = loadOnDemand(async () => (await import('./contour-layer.tsx')).ContourLayer);
const ReportLayer = loadOnDemand(async () => (await import('./report-layer.tsx')).ReportLayer);

type Props = {
  plane: Plane;
  layers: PlaneLayersShown;
  /** Thickness of the slab in mm. 0 is a single plane. */
  thickness?: number;
  /** Side for the scale of the dose. Another scale may stand on the right. */
  scaleSide?: 'left' | 'right';
};

/** Draws the layers of a study over a plane through its volume: dose, structure sets and outlines of reports. */
export function PlaneLayers({ plane, ...props }: Props) {
  const view = useDrawnView(plane);
  return view ? <OnView {...props} plane={plane} view={view} /> : null;
}

/** Identifies the geometry of a view. A new window draws the same geometry again. */
const keyOf = ({ toPatient, right, down, scale, width, height }: DrawnView): string =>
  JSON.stringify([toPatient(0, 0), right, down, scale, width, height]);

function OnView({ plane, view, layers, thickness = 0, scaleSide = 'right' }: Props & { view: DrawnView }) {
  const { images } = plane.volumes[0];
  const [image] = images;
  const frameOfReference = image ? textOf(image.header, tag.FrameOfReferenceUID) : '';
  const key = keyOf(view);
  // The view is a new object after each drawing. Its geometry identifies it.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const { slice, toScreen } = useMemo(() => planeSlice(view, frameOfReference), [key, frameOfReference]);
  if (!image) return null;
  return (
    <>
      {layers.dose.isOn && (
        <DoseOverImage
          {...{ image, slice, toScreen, scaleSide }}
          display={layers.dose}
          isScaleHidden={false}
          outside={t`This plane lies outside the dose`}
          note={thickness > 0 ? t`The dose is that of the middle plane` : ''}
          waiting={<p className={styles.waiting}>{t`Loading dose…`}</p>}
        />
      )}
      {layers.segments.isOn && (
        <ContourLayer
          {...{ layers, images, slice, toScreen }}
          waiting={<p className={styles.waiting}>{t`Loading segments…`}</p>}
        />
      )}
      <NotDrawn layers={layers} />
      {layers.hasReports && <ReportLayer {...{ layers, images, slice, toScreen, thickness }} width={view.width} />}
    </>
  );
}

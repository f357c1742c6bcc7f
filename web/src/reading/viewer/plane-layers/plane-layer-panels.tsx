import { loadOnDemand } from '#ui/feedback/on-demand.tsx';
import { planeLayerKeys, type PlaneLayersShown } from './use-plane-layers.ts';

const DosePanel = loadOnDemand(async () => (await import('#reading/viewer/dose/dose-panel.tsx')).DosePanel);

const SegmentPanel = loadOnDemand(
  async () => (await import('#reading/viewer/segments/segment-panel.tsx')).SegmentPanel,
);

/** Panels of the layers over planes, beside the measurements. */
export function PlaneLayerPanels({ layers: { study, dose, segments } }: { layers: PlaneLayersShown }) {
  return (
    <>
      {segments.hasAny && (
        <SegmentPanel study={study} display={segments} current={undefined} keys={planeLayerKeys.segments} />
      )}
      {dose.hasAny && <DosePanel study={study} display={dose} keys={planeLayerKeys.dose} />}
    </>
  );
}

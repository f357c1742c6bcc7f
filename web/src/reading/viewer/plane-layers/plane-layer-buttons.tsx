import { t } from '@lingui/core/macro';
import { IconLayersIntersect, IconRadioactive } from '@tabler/icons-react';
import { ToolbarButton } from '#reading/viewer/shell/toolbar-button.tsx';
import { planeLayerKeys, type PlaneLayersShown } from './use-plane-layers.ts';

/** Toolbar buttons of the layers over planes. A study without a layer has no button for it. */
export function PlaneLayerButtons({ layers: { dose, segments } }: { layers: PlaneLayersShown }) {
  return (
    <>
      {segments.hasAny && (
        <ToolbarButton
          label={t`Segments`}
          keys={planeLayerKeys.segments}
          icon={IconLayersIntersect}
          isPressed={segments.isOn}
          onClick={segments.toggle}
        />
      )}
      {dose.hasAny && (
        <ToolbarButton
          label={t`Dose`}
          keys={planeLayerKeys.dose}
          icon={IconRadioactive}
          isPressed={dose.isOn}
          onClick={dose.toggle}
        />
      )}
    </>
  );
}

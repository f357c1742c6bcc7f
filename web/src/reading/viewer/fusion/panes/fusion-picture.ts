import { t } from '@lingui/core/macro';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { screenAxes } from '#reading/viewer/engine/stack/screen-axes.ts';
import { windowText } from '#reading/viewer/images/gray/gray-window.ts';
import { edgesOfPlane, sliceLocation } from '#reading/viewer/images/geometry/orientation.ts';
import type { CaptureResult } from '#reading/viewer/pictures/picture.ts';
import { takePlanePicture } from '#reading/viewer/pictures/capture-on-demand.ts';
import type { FusionPair } from '#reading/viewer/fusion/pet/fusion-pairs.ts';
import { windowsOf } from '#reading/viewer/fusion/fusion-state.ts';
import { labelOf } from './pane-names.ts';
import { type PetScale, petWindowText } from '#reading/viewer/fusion/pet/pet-scale.ts';
import { coloursLabels } from '#reading/viewer/fusion/pet/color-maps.ts';
import { viewText } from './projection-rotation.ts';
import type { Fusion } from '#reading/viewer/fusion/use-fusion.ts';
import type { LinkedPlanes } from './use-linked-planes.ts';

type ShownFusion = {
  study: StudyDetails;
  pair: FusionPair | undefined;
  scale: PetScale | undefined;
  fusion: Fusion;
  linked: LinkedPlanes;
};

/** Captures the pane of a fusion that was touched last as a picture. */
export const takeFusionPicture = async ({
  study,
  pair,
  scale,
  fusion,
  linked,
}: ShownFusion): Promise<CaptureResult> => {
  const { pane } = fusion;
  const plane = linked.planes[pane];
  if (!pair || !scale || !plane) return t`There is no image to save.`;
  const direction = viewText(fusion.degrees);
  const hasAnatomy = pane === 'anatomy' || pane === 'fused';
  const windows = windowsOf(pair, scale, fusion.windows);
  const modalities = { anatomy: pair.anatomy.series.modality, uptake: pair.uptake.series.modality };
  return takePlanePicture(plane, () => {
    const screen = screenAxes(plane.viewport);
    const { clientWidth, clientHeight } = plane.viewport.element;
    const position = plane.viewport.canvasToWorld([clientWidth / 2, clientHeight / 2]);
    const place = screen ? sliceLocation({ position, along: screen.right, down: screen.down }) : '';
    return {
      study,
      series: [...(hasAnatomy ? [pair.anatomy.series] : []), ...(pane === 'anatomy' ? [] : [pair.uptake.series])],
      name: labelOf(pane, modalities),
      edges: screen && edgesOfPlane(screen.right, screen.down),
      facts: [
        pane === 'projection' ? t`Maximum, ${direction}` : place,
        hasAnatomy ? windowText(windows.anatomy, false) : '',
        pane === 'anatomy' ? '' : petWindowText(windows.uptake, scale),
        pane === 'fused' ? `${coloursLabels[fusion.colours]} ${fusion.opacity}%` : '',
      ],
    };
  });
};

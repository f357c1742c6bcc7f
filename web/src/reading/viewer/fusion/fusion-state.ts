import { densityUnit } from '#reading/viewer/images/values/density-unit.ts';
import type { GrayRange } from '#reading/viewer/images/gray/gray-window.ts';
import type { Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import { presetsFor, type WindowPreset } from '#reading/viewer/images/values/window-presets.ts';
import type { Measurements } from '#reading/viewer/measuring/use-measurements.ts';
import type { ViewBox } from '#reading/viewer/engine/stack/view-box.ts';
import type { Volume } from '#reading/viewer/volumes/volume.ts';
import { tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import type { FusionPair } from './pet/fusion-pairs.ts';
import type { PaneName } from './panes/pane-names.ts';
import { firstPetWindow, type PetScale } from './pet/pet-scale.ts';
import type { Fusion } from './use-fusion.ts';
import type { PlaneLayersShown } from '#reading/viewer/plane-layers/use-plane-layers.ts';
import type { LinkedPlanes } from './panes/use-linked-planes.ts';
import type { VoxelGrid } from './pet/voxel-grid.ts';

/** One of the two series of a fusion, as a volume. */
export type Layer = { volume: Volume; voxels: VoxelGrid; isComplete: boolean };

/** State shared by all panes of a fusion. */
export type FusionState = {
  viewBox: ViewBox;
  pair: FusionPair;
  scale: PetScale;
  fusion: Fusion;
  linked: LinkedPlanes;
  layers: PlaneLayersShown;
  measured: Measurements;
  /** Patient ID as stored in the archive. */
  patientId: string;
  anatomy: Layer;
  uptake: Layer;
  windows: { anatomy: GrayRange; uptake: GrayRange };
  /** Position of the pointer in the patient, and the pane that contains the pointer. */
  hover: { pane: PaneName; point: Vector } | undefined;
  onHover: (hover: FusionState['hover']) => void;
};

/** Returns the window presets for the CT or MR of a pair. */
export const anatomyPresets = ({ anatomy: { series, images } }: FusionPair): WindowPreset[] => {
  const header = images[0]?.header ?? {};
  const numbers = { lower: 0, upper: 1000 };
  return presetsFor({ modality: series.modality, header, isUptake: false, isColor: false, numbers });
};

/** Returns the current windows, or the defaults of the pair. */
export const windowsOf = (pair: FusionPair, scale: PetScale, windows: Fusion['windows']): FusionState['windows'] => ({
  anatomy: windows.anatomy ?? anatomyPresets(pair)[0]?.range ?? { lower: -160, upper: 239 },
  uptake: windows.uptake ?? firstPetWindow(scale),
});

/** Formats a value of the CT or MR with its unit. */
export const anatomyText = (value: number, { anatomy: { series, images } }: FusionPair): string => {
  const unit = series.modality === 'CT' ? densityUnit(images[0]?.header ?? {}) : '';
  return `${Math.round(value)} ${unit}`.trim();
};

/** Returns the frame of reference of both series. */
export const frameOfReferenceOf = ({ uptake: { images } }: FusionPair): string =>
  textOf(images[0]?.header ?? {}, tag.FrameOfReferenceUID);

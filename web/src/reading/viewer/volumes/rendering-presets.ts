import { t } from '@lingui/core/macro';

/** Preset for volume rendering: label, and name in the imaging library. */
export type RenderingPreset = { label: string; name: string };

const byModality: Record<string, readonly [RenderingPreset, ...RenderingPreset[]]> = {
  CT: [
    { label: t`Bone`, name: 'CT-Bone' },
    { label: t`Soft tissue`, name: 'CT-Soft-Tissue' },
    { label: t`Vessels`, name: 'CT-Chest-Vessels' },
    { label: t`Lung`, name: 'CT-Lung' },
    { label: t`Muscle`, name: 'CT-Muscle' },
  ],
  MR: [
    { label: t`Standard`, name: 'MR-Default' },
    { label: t`Angiography`, name: 'MR-Angio' },
    { label: t`Brain, T2`, name: 'MR-T2-Brain' },
    { label: t`Projection`, name: 'MR-MIP' },
  ],
};

/**
 * Returns the presets for a modality, at least one. Their values are Hounsfield units for CT, and signal intensities
 * otherwise.
 */
export const renderingPresetsFor = (modality: string): readonly [RenderingPreset, ...RenderingPreset[]] =>
  byModality[modality] ?? [{ label: t`Projection`, name: 'MR-MIP' }];

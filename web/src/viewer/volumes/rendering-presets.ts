/** Rendering preset: label, and name in the library. */
export type RenderingPreset = { label: string; name: string };

const byModality: Record<string, readonly [RenderingPreset, ...RenderingPreset[]]> = {
  CT: [
    { label: 'Bone', name: 'CT-Bone' },
    { label: 'Soft tissue', name: 'CT-Soft-Tissue' },
    { label: 'Vessels', name: 'CT-Chest-Vessels' },
    { label: 'Lung', name: 'CT-Lung' },
    { label: 'Muscle', name: 'CT-Muscle' },
  ],
  MR: [
    { label: 'Usual', name: 'MR-Default' },
    { label: 'Angiography', name: 'MR-Angio' },
    { label: 'Brain, T2', name: 'MR-T2-Brain' },
    { label: 'Projection', name: 'MR-MIP' },
  ],
};

/** Presets for a modality, at least one. Their values are Hounsfield units for CT, signal otherwise. */
export const renderingPresetsFor = (modality: string): readonly [RenderingPreset, ...RenderingPreset[]] =>
  byModality[modality] ?? [{ label: 'Projection', name: 'MR-MIP' }];

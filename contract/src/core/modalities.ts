import { t } from './translate.ts';

/**
 * The 32 modality codes on screens. XR is not a DICOM code, but users expect it. As a filter, it means any plain
 * radiograph.
 */
export const modalities = [
  'CR',
  'CT',
  'MR',
  'XR',
  'US',
  'PT',
  'NM',
  'DX',
  'MG',
  'RF',
  'XA',
  'IO',
  'PX',
  'ES',
  'GM',
  'SM',
  'XC',
  'OT',
  'ECG',
  'HD',
  'EPS',
  'IVUS',
  'OCT',
  'OP',
  'OPT',
  'RTIMAGE',
  'RTDOSE',
  'RTSTRUCT',
  'RTPLAN',
  'SR',
  'SEG',
  'BMD',
] as const;

/** Returns the modality codes that the filter value `modality` includes. */
export const modalitiesMatching = (modality: string): string[] => (modality === 'XR' ? ['XR', 'CR', 'DX'] : [modality]);

/** Modalities of series that describe other series. They never decide the main modality. */
const derived = new Set(['SR', 'PR', 'KO', 'SEG', 'DOC']);

/** Whether a series was acquired, not derived from another series. */
export const isAcquisition = (modality: string): boolean => !derived.has(modality);

/** Returns the main modality of a study: that of its first acquired series. */
export const mainModality = (inSeriesOrder: readonly string[]): string =>
  inSeriesOrder.find(isAcquisition) ?? inSeriesOrder[0] ?? 'OT';

/** Returns the viewer for a study: ultrasound only if all series with images are ultrasound. */
export const viewerOf = (studyModalities: readonly string[]): 'usviewer' | 'viewer' => {
  const images = studyModalities.filter(isAcquisition);
  return images.length > 0 && images.every((modality) => modality === 'US') ? 'usviewer' : 'viewer';
};

/** Returns the reason why a study cannot be fused (PET/CT). Undefined if it can. */
export const fusionRefusal = (studyModalities: readonly string[]): string | undefined => {
  const functional = studyModalities.some((modality) => modality === 'PT' || modality === 'NM');
  const anatomical = studyModalities.some((modality) => modality === 'CT' || modality === 'MR');
  return functional && anatomical ? undefined : t`Fusion needs a PT or NM series and a CT or MR series`;
};

/** The 32 codes that the screens offer. XR is no DICOM term but people ask for it: as a filter it means any plain film. */
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

/** The modality codes that a filter on `modality` finds. */
export const modalitiesMatching = (modality: string): string[] => (modality === 'XR' ? ['XR', 'CR', 'DX'] : [modality]);

/** Series of these modalities describe other series; they never name what a study is. */
const derived = new Set(['SR', 'PR', 'KO', 'SEG', 'DOC']);

/** Whether a series of this modality is an examination itself, and not about another series. */
export const isAcquisition = (modality: string): boolean => !derived.has(modality);

/** The one modality that stands for a study: that of its first series which is an acquisition (C19). */
export const mainModality = (inSeriesOrder: readonly string[]): string =>
  inSeriesOrder.find(isAcquisition) ?? inSeriesOrder[0] ?? 'OT';

/** The viewer that opens a study: ultrasound only when every image series is ultrasound. */
export const viewerOf = (studyModalities: readonly string[]): 'usviewer' | 'viewer' => {
  const images = studyModalities.filter(isAcquisition);
  return images.length > 0 && images.every((modality) => modality === 'US') ? 'usviewer' : 'viewer';
};

/** Whether PET/CT fusion makes sense for a study; otherwise the reason why not, in words for the user. */
export const fusionRefusal = (studyModalities: readonly string[]): string | undefined => {
  const functional = studyModalities.some((modality) => modality === 'PT' || modality === 'NM');
  const anatomical = studyModalities.some((modality) => modality === 'CT' || modality === 'MR');
  return functional && anatomical ? undefined : 'Fusion needs a PT or NM series and a CT or MR series';
};

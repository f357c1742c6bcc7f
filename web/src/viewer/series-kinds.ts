/** Series that describe other series or hold no pictures, and what they are called (PS3.3 §C.7.3.1.1.1). */
const notPictures: Record<string, string> = {
  SR: 'Structured report',
  PR: 'Presentation state',
  KO: 'Key image notes',
  DOC: 'Document',
  SEG: 'Segmentation',
  REG: 'Registration',
  RTSTRUCT: 'Contours for radiotherapy',
  RTPLAN: 'Radiotherapy plan',
  RTRECORD: 'Radiotherapy record',
  ECG: 'Electrocardiogram',
  HD: 'Haemodynamic curves',
  EPS: 'Electrophysiology curves',
  RESP: 'Respiration curves',
  AU: 'Sound',
};

/** Why a series is not shown as pictures, in words; undefined when it may be. */
export const reasonNotShown = (modality: string): string | undefined => {
  const kind = notPictures[modality];
  return kind && `${kind}: not shown here`;
};

export const isShowable = ({ modality }: { modality: string }): boolean => reasonNotShown(modality) === undefined;

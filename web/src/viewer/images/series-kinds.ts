/** Series that describe other series or hold no pictures, and what they are called (PS3.3 §C.7.3.1.1.1). */
const notPictures: Record<string, string> = {
  SR: 'Structured report',
  PR: 'Presentation state',
  KO: 'Key image notes',
  DOC: 'Document',
  M3D: '3D model',
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

/** Those that are shown over other images, from the list beside them. */
const overlays = new Set(['SEG', 'RTSTRUCT']);

/** Why a series is not shown as pictures, in words; undefined when it may be. */
export const reasonNotShown = (modality: string): string | undefined => {
  const kind = notPictures[modality];
  if (modality === 'PR') return `${kind}: chosen above the images that it is for`;
  if (overlays.has(modality)) return `${kind}: see the list (K)`;
  return kind && `${kind}: not shown here`;
};

/** Series that are read rather than looked at, or handed over as a file. */
const documents = new Set(['SR', 'KO', 'DOC', 'M3D']);

export const isDocuments = ({ modality }: { modality: string }): boolean => documents.has(modality);

/** Whether the standard viewer shows what is no pictures: as a document to be read, or over the images that it is for. */
export const isInStandardViewer = (one: { modality: string }): boolean =>
  isDocuments(one) || overlays.has(one.modality) || one.modality === 'PR';

/** What a series without pictures is called. */
export const kindInWords = (modality: string): string => notPictures[modality] ?? 'Document';

/** Whether a series is shown as pictures. */
export const isShowable = ({ modality }: { modality: string }): boolean => reasonNotShown(modality) === undefined;

import { t } from '@lingui/core/macro';
/** Modalities of series without images, with their names (PS3.3 §C.7.3.1.1.1). */
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

/** Modalities shown as overlays on other images, selected in a list. */
const overlays = new Set(['SEG', 'RTSTRUCT']);

/** Explains why a series is not shown as images; undefined if it is. */
export const reasonNotShown = (modality: string): string | undefined => {
  const kind = notPictures[modality];
  if (modality === 'PR') return `${kind}: chosen above the images that it is for`;
  if (overlays.has(modality)) return `${kind}: see the list (K)`;
  return kind && `${kind}: not shown here`;
};

/** Modalities to be read as documents, or downloaded as files. */
const documents = new Set(['SR', 'KO', 'DOC', 'M3D']);

export const isDocuments = ({ modality }: { modality: string }): boolean => documents.has(modality);

/** Whether the standard viewer shows a series without images: as a document, or as an overlay. */
export const isInStandardViewer = (one: { modality: string }): boolean =>
  isDocuments(one) || overlays.has(one.modality) || one.modality === 'PR';

/** Name of a series without images. */
export const kindInWords = (modality: string): string => notPictures[modality] ?? t`Document`;

/** Whether a series is shown as images. */
export const isShowable = ({ modality }: { modality: string }): boolean => reasonNotShown(modality) === undefined;

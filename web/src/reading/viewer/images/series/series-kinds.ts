import { t } from '@lingui/core/macro';

/** Modalities of series without images, with their names (PS3.3 §C.7.3.1.1.1). */
const notPictures: Record<string, string> = {
  SR: t`Structured report`,
  PR: t`Presentation state`,
  KO: t`Key image notes`,
  DOC: t`Document`,
  M3D: t`3D model`,
  SEG: t`Segmentation`,
  REG: t`Registration`,
  RTSTRUCT: t`Radiotherapy contours`,
  RTPLAN: t`Radiotherapy plan`,
  RTRECORD: t`Radiotherapy record`,
  ECG: t`Electrocardiogram`,
  HD: t`Hemodynamic curves`,
  EPS: t`Electrophysiology curves`,
  RESP: t`Respiration curves`,
  AU: t`Audio`,
};

/** Modalities that are shown over other images. The user selects them in a list. */
const overlays = new Set(['SEG', 'RTSTRUCT']);

/** Returns the reason why a series is not shown as images. Undefined if it is. */
export const reasonNotShown = (modality: string): string | undefined => {
  const kind = notPictures[modality];
  if (kind === undefined) return undefined;
  if (modality === 'PR') return t`${kind}: select it above the images`;
  return overlays.has(modality) ? t`${kind}: press K for the list` : t`${kind}: not shown here`;
};

/** Modalities that are shown as documents or offered as files. */
const documents = new Set(['SR', 'KO', 'DOC', 'M3D']);

export const isDocuments = ({ modality }: { modality: string }): boolean => documents.has(modality);

/** Whether the standard viewer shows a series without images: as a document, or over other images. */
export const isInStandardViewer = (one: { modality: string }): boolean =>
  isDocuments(one) || overlays.has(one.modality) || one.modality === 'PR';

/** Returns the name of a series without images. */
export const seriesKindLabel = (modality: string): string => notPictures[modality] ?? t`Document`;

/** Whether a series is shown as images. */
export const isShowable = ({ modality }: { modality: string }): boolean => reasonNotShown(modality) === undefined;

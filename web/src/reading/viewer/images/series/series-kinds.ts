import { t } from '@lingui/core/macro';
import type { SeriesSummary } from '@radwork/contract/imaging/study-rows';

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

/** Properties of a series that tell its kind. If the counts of its contents are missing, the modality decides. */
type Kind = Pick<SeriesSummary, 'modality' | 'contents'>;

/** Explains why a series is not shown as images; undefined if it is. */
export const reasonNotShown = ({ modality, contents }: Kind): string | undefined => {
  if (contents && contents.images > 0) return undefined;
  const kind = notPictures[modality] ?? (contents && t`Data without images`);
  if (kind === undefined) return undefined;
  if (modality === 'PR') return t`${kind}: select it above the images`;
  return overlays.has(modality) ? t`${kind}: press K for the list` : t`${kind}: not shown here`;
};

/** Modalities that are shown as documents or offered as files. */
const documents = new Set(['SR', 'KO', 'DOC', 'M3D']);

/** Number of documents and videos. */
const readable = ({ documents: read, videos = 0 }: NonNullable<Kind['contents']>): number => read + videos;

export const slideLabel = t`Slide`;

/** Whether a series has a slide, which is shown by tiles and has no list of images. */
export const hasSlide = ({ contents }: Kind): boolean => (contents?.slides ?? 0) > 0;

/**
 * Whether a series has no images but something to read, to play or to download: reports, documents, videos and slides
 * of any modality, and objects that no viewer draws.
 */
export const isDocuments = ({ modality, contents }: Kind): boolean => {
  if (!contents) return documents.has(modality);
  if (contents.images > 0) return false;
  return (
    readable(contents) > 0 ||
    hasSlide({ modality, contents }) ||
    (contents.others > 0 && !overlays.has(modality) && modality !== 'PR')
  );
};

/** Whether a series of images or of a slide also has something to read or to download. */
export const hasDocumentsBeside = (one: Kind): boolean =>
  one.contents !== undefined &&
  (one.contents.images > 0 || hasSlide(one)) &&
  readable(one.contents) + one.contents.others > 0;

/** Whether the standard viewer shows a series without images: as a document, or as an overlay. */
export const isInStandardViewer = (one: Kind): boolean =>
  isDocuments(one) || (!isShowable(one) && (overlays.has(one.modality) || one.modality === 'PR'));

const isOnlyVideos = (contents: Kind['contents']): boolean =>
  contents !== undefined && (contents.videos ?? 0) > 0 && contents.documents + contents.others === 0;

/** Returns the name of a series without images, or of the documents in a series with images. */
export const seriesKindLabel = ({ modality, contents }: Kind): string => {
  if (contents && hasSlide({ modality, contents }) && readable(contents) + contents.others === 0) return slideLabel;
  if (isOnlyVideos(contents)) return t`Video`;
  // A modality may name the device: a PDF of an ECG is a document.
  if (contents && contents.documents > 0 && !documents.has(modality)) return t`Document`;
  return notPictures[modality] ?? (contents && contents.documents === 0 ? t`Data without images` : t`Document`);
};

/** Whether a series is shown as images. */
export const isShowable = (one: Kind): boolean => reasonNotShown(one) === undefined;

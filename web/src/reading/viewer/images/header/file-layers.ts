import { type OverlayPlane, overlayPlanesOf } from '@radwork/dicom/overlay-planes';
import { hasColorTables, isSupplemented } from '@radwork/dicom/supplemental-palette';
import { type DicomJson, itemsOf, numberOf, tag, textOf } from './dicom-json.ts';

/** The layers of a file that are drawn over its image, and the number of those that cannot be drawn. */
export type FileLayers = {
  planes: readonly OverlayPlane[];
  undrawnPlanes: number;
  /** Whether the highest values are shown in color (PS3.3 §C.7.6.19). */
  isSupplemented: boolean;
  /** Whether color tables of a grayscale image are not used, because the file does not ask for them. */
  hasUnusedColors: boolean;
  hasShutter: boolean;
};

/** Implicit, explicit and deflated little endian, big endian, and RLE keep every bit of a cell (PS3.5 §A). */
const wholeCells = /^1\.2\.840\.10008\.1\.2(\.1|\.1\.99|\.2|\.5)?$/;

/** The base64 text of an empty plane is all "A". */
const isEmpty = (header: DicomJson, { group, isInPixels }: OverlayPlane): boolean => {
  const { InlineBinary, BulkDataURI } = header[`${group}3000`] ?? {};
  return !isInPixels && BulkDataURI === undefined && !/[^A=]/.test(InlineBinary ?? '');
};

const shutterGroups = (header: DicomJson): DicomJson[] =>
  [tag.PerFrameFunctionalGroupsSequence, tag.SharedFunctionalGroupsSequence].flatMap((groups) =>
    itemsOf(header, groups).flatMap((group) => itemsOf(group, tag.FrameDisplayShutterSequence)),
  );

const hasShutter = (header: DicomJson): boolean =>
  [header, ...shutterGroups(header)].some((item) => textOf(item, tag.ShutterShape) !== '');

const read = (header: DicomJson): FileLayers => {
  const areCellsWhole =
    wholeCells.test(textOf(header, tag.AvailableTransferSyntaxUID)) && numberOf(header, tag.BitsAllocated) !== 1;
  const all = overlayPlanesOf(header).filter(({ plane }) => !isEmpty(header, plane));
  const planes = all.flatMap(({ plane, isReadable }) =>
    isReadable && (!plane.isInPixels || areCellsWhole) ? [plane] : [],
  );
  return {
    planes,
    undrawnPlanes: all.length - planes.length,
    isSupplemented: isSupplemented(header),
    hasUnusedColors: hasColorTables(header) && !isSupplemented(header),
    hasShutter: hasShutter(header),
  };
};

const known = new WeakMap<DicomJson, FileLayers>();

/** Returns the layers that a file lays over its image: overlay planes, shutters and colors (PS3.3 §C.9.2, C.7.6.11). */
export const fileLayersOf = (header: DicomJson): FileLayers => {
  const layers = known.get(header) ?? read(header);
  known.set(header, layers);
  return layers;
};

/** Whether an image has overlay planes or shutters, which the user can hide. */
export const hasHideableLayers = (header: DicomJson): boolean => {
  const { planes, hasShutter: isShuttered } = fileLayersOf(header);
  return planes.length > 0 || isShuttered;
};

/** Whether a file lays anything over its image. */
export const hasFileLayers = (header: DicomJson): boolean =>
  hasHideableLayers(header) || fileLayersOf(header).isSupplemented;

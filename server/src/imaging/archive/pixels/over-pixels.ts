import { type DicomElement, type DicomJson, numberOf } from '@radwork/dicom/dataset';
import { bitmapShutterOf, shutterColorOf, shutterItemOf, shuttersOf } from '@radwork/dicom/display-shutter';
import { isOnFrame, overlayPlanesOf, type PlaneBits, planeBitsOf } from '@radwork/dicom/overlay-planes';
import type { Codec } from '@radwork/dicom/transfer-syntax';
import type { ReadBulk } from './image-description.ts';
import type { OverPixels } from './pixel-format.ts';

/** Codecs that keep every bit of a cell. Others store only the bits of the pixels, or fill the rest with the sign. */
const wholeCells: readonly Codec[] = ['none', 'deflate', 'rle'];

/**
 * Returns the shutters and overlay planes of one frame (from 0) of an image (PS3.3 §C.7.6.11, C.9.2). Undefined for an
 * image without any, as for most.
 */
export const overPixelsOf = async (
  metadata: DicomJson,
  frame: number,
  codec: Codec,
  readBulk: ReadBulk,
): Promise<OverPixels | undefined> => {
  const item = shutterItemOf(metadata, frame);
  const shutters = shuttersOf(item);
  const planes = overlayPlanesOf(metadata).flatMap(({ plane, isReadable }) =>
    isReadable && isOnFrame(plane, frame + 1) ? [plane] : [],
  );
  if (shutters.length === 0 && planes.length === 0) return undefined;
  const withData = await Promise.all(
    planes
      .filter(({ isInPixels }) => !isInPixels)
      .map(async (plane): Promise<PlaneBits[]> => {
        const data = await bytesOf(metadata[`${plane.group}3000`], readBulk);
        return data ? [planeBitsOf(plane, data, frame + 1)] : [];
      }),
  );
  const areCellsWhole = wholeCells.includes(codec) && numberOf(metadata, 'BitsAllocated') !== 1;
  return {
    shutters,
    shutterColor: shutterColorOf(item),
    shutterGroup: bitmapShutterOf(item, metadata)?.group,
    planes: withData.flat(),
    planesInPixels: areCellsWhole ? planes.filter(({ isInPixels }) => isInPixels) : [],
  };
};

const bytesOf = async (element: DicomElement | undefined, readBulk: ReadBulk): Promise<Uint8Array | undefined> => {
  if (element?.InlineBinary) return Buffer.from(element.InlineBinary, 'base64');
  return element?.BulkDataURI ? readBulk(element.BulkDataURI) : undefined;
};

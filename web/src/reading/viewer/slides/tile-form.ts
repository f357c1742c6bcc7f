import { type DicomJson, itemsOf, numberOf, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import type { TileForm } from './slide.ts';

const jpegBaseline = '1.2.840.10008.1.2.4.50';
const littleEndian = ['1.2.840.10008.1.2', '1.2.840.10008.1.2.1'];

/**
 * Returns how the frames of an instance become pixels. Browsers decode baseline JPEG exactly as other programs do, and
 * uncompressed RGB needs no decoder. The server draws all others.
 */
export const formOf = (header: DicomJson): TileForm => {
  const syntax = textOf(header, tag.AvailableTransferSyntaxUID);
  const is8Bit = numberOf(header, tag.BitsAllocated) === 8;
  const isColor = numberOf(header, tag.SamplesPerPixel) === 3;
  const colors = textOf(header, tag.PhotometricInterpretation);
  if (!is8Bit || !isColor) return 'rendered';
  if (syntax === jpegBaseline && (colors.startsWith('YBR_FULL') || colors === 'RGB')) return 'jpeg';
  const isInterleaved = (numberOf(header, tag.PlanarConfiguration) ?? 0) === 0;
  return littleEndian.includes(syntax) && colors === 'RGB' && isInterleaved ? 'rgb' : 'rendered';
};

/**
 * Returns the whole range of stored values as a window, for a gray header without a window. A window computed for each tile
 * would show the noise of an empty tile like staining.
 */
export const grayWindowOf = (header: DicomJson): string | undefined => {
  const [shared = {}] = itemsOf(header, tag.SharedFunctionalGroupsSequence);
  const [lookup = {}] = itemsOf(shared, tag.FrameVOILUTSequence);
  const hasWindow = [header, lookup].some((item) => numberOf(item, tag.WindowCenter) !== undefined);
  if (numberOf(header, tag.SamplesPerPixel) !== 1 || hasWindow) return undefined;
  const most = 2 ** (numberOf(header, tag.BitsStored) ?? 8) - 1;
  return `${most / 2},${most},linear-exact`;
};

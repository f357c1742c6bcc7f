import { numberOf, valuesOf, type DicomJson } from './dataset.ts';

/** VL Whole Slide Microscopy Image Storage (PS3.4 §B.5). */
export const wholeSlideStorage = '1.2.840.10008.5.1.4.1.1.77.1.6';

/** Returns the columns and rows of the only tile of an image that are not padding. Undefined without padding. */
export const singleTileSize = (header: DicomJson): { columns: number; rows: number } | undefined => {
  const [tileColumns = 0, tileRows = 0] = [numberOf(header, 'Columns'), numberOf(header, 'Rows')];
  const columns = Math.min(numberOf(header, 'TotalPixelMatrixColumns') ?? tileColumns, tileColumns);
  const rows = Math.min(numberOf(header, 'TotalPixelMatrixRows') ?? tileRows, tileRows);
  const isPadded = columns > 0 && rows > 0 && (columns < tileColumns || rows < tileRows);
  return isPadded && (numberOf(header, 'NumberOfFrames') ?? 1) === 1 ? { columns, rows } : undefined;
};

/** Kinds of images of a slide by their third value of ImageType, the best one to represent the slide first. */
const kinds = ['THUMBNAIL', 'VOLUME', 'OVERVIEW', 'LABEL'];

/**
 * Returns how well an image represents its slide; lower is better. A small image of the whole tissue is best. A label
 * shows the name of the patient and no tissue (PS3.3 §C.8.12.4.1.1).
 */
export const slideRank = (header: DicomJson): number => {
  const value = valuesOf(header, 'ImageType')[2];
  const kind = kinds.indexOf(typeof value === 'string' ? value : 'VOLUME');
  const frames = numberOf(header, 'NumberOfFrames') ?? 1;
  // One tile of a large level shows little, so an overview is better.
  const isPart = kinds[kind] === 'VOLUME' && frames > 4;
  return isPart ? kinds.length - 1.5 : kind === -1 ? kinds.length : kind;
};

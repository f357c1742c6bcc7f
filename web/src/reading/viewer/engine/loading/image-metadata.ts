import { metaData } from '@cornerstonejs/metadata';
import { asDecoded } from '#reading/viewer/images/header/browser-decoding.ts';
import { type DicomJson, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { shapeOfImage } from '#reading/viewer/images/geometry/pixel-shape.ts';
import { withOffsetsFromFirst } from '#reading/viewer/images/geometry/image-plane.ts';
import { instanceOf } from '#reading/viewer/images/header/instance-id.ts';
import { withReadableGroups } from '#reading/viewer/images/header/readable-groups.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { forgetTables } from '#reading/viewer/images/gray/lookup-tables.ts';
import { uptakeOf } from '#reading/viewer/images/values/uptake-scaling.ts';
import { withUsableDetector } from '#reading/viewer/images/header/usable-detector.ts';
import { withUsableScale } from '#reading/viewer/images/header/usable-scale.ts';

/**
 * Turns a header whose presentation LUT inverts the grays (PS3.3 §C.11.6) into MONOCHROME1. Both show the lowest value
 * as white. A header with both is inverted once.
 */
const asShown = (header: DicomJson): DicomJson =>
  textOf(header, tag.PresentationLUTShape) === 'INVERSE' &&
  textOf(header, tag.PhotometricInterpretation) === 'MONOCHROME2'
    ? { ...header, [tag.PhotometricInterpretation]: { vr: 'CS', Value: ['MONOCHROME1'] } }
    : header;

const colors: readonly string[] = [
  tag.RedPaletteColorLookupTableData,
  tag.GreenPaletteColorLookupTableData,
  tag.BluePaletteColorLookupTableData,
];

/**
 * Removes the palette tables from a header. The imaging library gets the tables separately, and throws for tables
 * stored outside the header.
 */
const withoutColors = (header: DicomJson): DicomJson =>
  Object.fromEntries(Object.entries(header).filter(([attribute]) => !colors.includes(attribute)));

/** Gives the metadata of an instance to the imaging library before a frame loads. Replaces earlier metadata. */
const describe = ({ imageId, header }: SeriesImage) => {
  metaData.clearQuery('naturalized', instanceOf(imageId));
  const corrected = withUsableDetector(withOffsetsFromFirst(withReadableGroups(asDecoded(header))));
  metaData.addMetaData('naturalized', imageId, { dicomwebJson: withUsableScale(withoutColors(asShown(corrected))) });
};

/**
 * Gives the metadata of all instances of a series to the imaging library. The library derives the metadata of later
 * frames from the first frame.
 */
export const describeImages = (images: readonly SeriesImage[]) => {
  for (const image of images) if (image.frame === 1) describe(image);
};

/**
 * Metadata that the imaging library (5.14.0) stores for a frame besides the header. It has no function to remove an
 * image.
 */
const frameMetadataKeys = ['instance', 'imagePlaneModule', 'frameImageIds', 'baseImageId'];

/** Removes the metadata of images from the imaging library. They must be described again before they are shown. */
export const undescribeImages = (imageIds: Iterable<string>) => {
  forgetTables(imageIds);
  for (const imageId of imageIds) {
    metaData.clearQuery('naturalized', instanceOf(imageId));
    for (const key of frameMetadataKeys) metaData.clearQuery(key, imageId);
  }
};

/**
 * Axes of an image without a position. The imaging library then uses rows as its first axis and columns as its second.
 */
const ofItsOwn = { along: [1, 0, 0], down: [0, 1, 0] } as const;

/** Largest rounding difference between two values for the same direction. */
const sameDirection = 1e-6;

/**
 * Whether the imaging library orients an image as its header says. If not, screen directions do not match directions in
 * the patient.
 */
export const isLaidAsKnown = ({ imageId, plane }: Pick<SeriesImage, 'imageId' | 'plane'>): boolean => {
  const laid: Partial<Record<'rowCosines' | 'columnCosines', number[]>> =
    metaData.get('imagePlaneModule', imageId) ?? {};
  const { along, down } = plane ?? ofItsOwn;
  const known = [...along, ...down];
  const fileCosines = [...(laid.rowCosines ?? []), ...(laid.columnCosines ?? [])];
  return (
    fileCosines.length === known.length &&
    known.every((part, index) => Math.abs(part - (fileCosines[index] ?? Number.NaN)) < sameDirection)
  );
};

const beforeTheLibrary = 10_000;

/**
 * Gives our SUV factor to the imaging library instead of its own (docs/decisions/0040-suv.md), so that all viewers
 * agree. Pixels without a factor keep the unit of the file.
 */
export const provideUptake = () =>
  metaData.addTypedProvider(
    'scalingModule',
    (next, imageId, data, options) => {
      const known = uptakeOf(imageId);
      if (!known) return next(imageId, data, options);
      return known.factor === undefined ? undefined : { suvbw: known.factor };
    },
    { priority: beforeTheLibrary, isDefault: false },
  );

/**
 * Gives the shape of pixels without a size to the imaging library, so that it draws their proportions. The library
 * still knows that their size is unknown, and measures in pixels: in shorter sides of a pixel.
 */
export const provideShapes = () =>
  metaData.addTypedProvider(
    'imagePlaneModule',
    (next, imageId, data, options) => {
      const plane = next(imageId, data, options);
      const shape = shapeOfImage(imageId);
      if (!plane || !shape) return plane;
      const { tall, wide } = shape;
      // Changes the object, because some of its properties would not be copied.
      return Object.assign(plane, { rowPixelSpacing: tall, columnPixelSpacing: wide, pixelSpacing: [tall, wide] });
    },
    { priority: beforeTheLibrary, isDefault: false },
  );

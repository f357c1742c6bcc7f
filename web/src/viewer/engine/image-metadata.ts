import { metaData } from '@cornerstonejs/metadata';
import { asDecoded } from '#viewer/images/browser-decoding.ts';
import { type DicomJson, tag, textOf } from '#viewer/images/dicom-json.ts';
import { withOffsetsFromFirst } from '#viewer/images/image-plane.ts';
import { instanceOf } from '#viewer/images/instance-of.ts';
import { withReadableGroups } from '#viewer/images/readable-groups.ts';
import type { SeriesImage } from '#viewer/images/series-loader.ts';
import { forgetTables } from '#viewer/images/lookup-tables.ts';
import { uptakeOf } from '#viewer/images/uptake-scaling.ts';
import { withUsableDetector } from '#viewer/images/usable-detector.ts';
import { withUsableScale } from '#viewer/images/usable-scale.ts';

/**
 * The header of an image as its greys are meant: those that are to be turned over in the end (PS3.3 §C.11.6) have their
 * lowest value white, which is what MONOCHROME1 says. An image that says both says it once.
 */
const asShown = (header: DicomJson): DicomJson =>
  textOf(header, tag.PresentationLUTShape) === 'INVERSE' &&
  textOf(header, tag.PhotometricInterpretation) === 'MONOCHROME2'
    ? { ...header, [tag.PhotometricInterpretation]: { vr: 'CS', Value: ['MONOCHROME1'] } }
    : header;

const colours: readonly string[] = [
  tag.RedPaletteColorLookupTableData,
  tag.GreenPaletteColorLookupTableData,
  tag.BluePaletteColorLookupTableData,
];

/** Without the tables of a palette: it is given them as they are read by us, and throws at those that stand elsewhere. */
const withoutColours = (header: DicomJson): DicomJson =>
  Object.fromEntries(Object.entries(header).filter(([attribute]) => !colours.includes(attribute)));

/** Tells the imaging library what it must know of an instance before it loads a frame. What it knew is replaced. */
const describe = ({ imageId, header }: SeriesImage) => {
  metaData.clearQuery('naturalized', instanceOf(imageId));
  const placed = withUsableDetector(withOffsetsFromFirst(withReadableGroups(asDecoded(header))));
  metaData.addMetaData('naturalized', imageId, { dicomwebJson: withUsableScale(withoutColours(asShown(placed))) });
};

/** The same for all instances of a series; their other frames resolve from the first. */
export const describeImages = (images: readonly SeriesImage[]) => {
  for (const image of images) if (image.frame === 1) describe(image);
};

/** What the library keeps of a frame besides the header, as of 5.14.0. It knows no way to forget an image. */
const keptOfFrames = ['instance', 'imagePlaneModule', 'frameImageIds', 'baseImageId'];

/** Has the imaging library forget what it was told of images. Nothing may be shown of them until they are described again. */
export const undescribeImages = (imageIds: Iterable<string>) => {
  forgetTables(imageIds);
  for (const imageId of imageIds) {
    metaData.clearQuery('naturalized', instanceOf(imageId));
    for (const kept of keptOfFrames) metaData.clearQuery(kept, imageId);
  }
};

/** The axes of a picture that the header places nowhere: its rows and columns are the library's first and second. */
const ofItsOwn = { along: [1, 0, 0], down: [0, 1, 0] } as const;

/** By how much two numbers of one direction differ that are written once. */
const sameDirection = 1e-6;

/**
 * Whether the imaging library lays an image as our reading of its header does. Where it does not, what it says of the
 * directions of the screen is not said of the patient.
 */
export const isLaidAsKnown = ({ imageId, plane }: Pick<SeriesImage, 'imageId' | 'plane'>): boolean => {
  const laid: Partial<Record<'rowCosines' | 'columnCosines', number[]>> =
    metaData.get('imagePlaneModule', imageId) ?? {};
  const { along, down } = plane ?? ofItsOwn;
  const known = [...along, ...down];
  const theirs = [...(laid.rowCosines ?? []), ...(laid.columnCosines ?? [])];
  return (
    theirs.length === known.length &&
    known.every((part, index) => Math.abs(part - (theirs[index] ?? Number.NaN)) < sameDirection)
  );
};

const beforeTheLibrary = 10_000;

/**
 * Has the imaging library scale PET by our factor instead of its own (docs/decisions/0040-suv.md): all viewers say the
 * same, and pixels without a factor stay in the unit of the file.
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

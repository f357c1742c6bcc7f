import { type Measurement, type MeasuredValue, measurementToolLabels } from '@radwork/contract/reading/measurements';
import type { DicomJson } from '@radwork/dicom/dataset';
import { textOf } from '@radwork/dicom/dataset';
import type { Elements } from '@radwork/dicom/part10';
import { uidFrom } from '@radwork/dicom/uid';
import { type Code, dcm, sct } from '#imaging/study-documents/codes.ts';
import {
  codeItem,
  container,
  imageItem,
  type ImageReference,
  numberItem,
  shapeInSpace,
  shapeOnImage,
  textItem,
  uidItem,
} from '#imaging/study-documents/content-items.ts';
import { observerItems } from '#imaging/study-documents/study-document.ts';
import { conceptOf, derivationOf, scaleMethod, unitOf } from './concepts.ts';
import { axesOfSphere, closed, type DrawnShape, drawnShapes } from './drawn-shapes.ts';
import { imageGrid, onGrid, type Point } from '@radwork/dicom/image-grid';

/** An image with measurements, and the stored header of the image. */
export type MeasuredImage = { sopClassUid: string; seriesInstanceUid: string; modality: string; header: DicomJson };

export type Measured = Omit<Measurement, 'isMine'>;

/** The images and series with measurements, as far as they are in the archive. */
export type MeasuredSources = {
  /** By SOP Instance UID. */
  images: ReadonlyMap<string, MeasuredImage>;
  /** By Series Instance UID. For measurements on planes through a volume. */
  modalities: ReadonlyMap<string, string>;
};

/**
 * The position of a measurement. `shape` writes a shape as a content item, or returns undefined when the shape does not
 * fit.
 */
type Place = {
  modality: string;
  shape: (shape: DrawnShape, relationship: 'CONTAINS' | 'INFERRED FROM', name: Code) => Elements | undefined;
  /**
   * The reference to the image, for values without a shape. Undefined if the measurement is on no image of the archive.
   */
  image: Elements | undefined;
};

const regionName = dcm('111030', 'Image Region');
const sourceName = dcm('121112', 'Source of Measurement');

/**
 * Places a measurement on an image, in columns and rows. A shape that does not fit the header of the image is not
 * written.
 */
const placeOnImage = (one: Measured, image: MeasuredImage, sopInstanceUid: string): Place => {
  const { sopClassUid, modality, header } = image;
  const frame = one.frame ?? 1;
  const hasFrames = textOf(header, 'NumberOfFrames') !== undefined;
  const reference: ImageReference = { sopClassUid, sopInstanceUid, frame: hasFrames ? frame : undefined };
  const grid = imageGrid(header, frame);
  return {
    modality,
    shape: ({ form, points }, relationship, name) => {
      // A sphere cannot be drawn as a shape on a single image.
      const pixels = form === 'SPHERE' ? undefined : onGrid(form === 'OUTLINE' ? closed(points) : points, grid);
      if (!pixels || pixels.length === 0) return undefined;
      const type = form === 'POINT' || form === 'ELLIPSE' ? form : 'POLYLINE';
      const selectedFrom = [imageItem({ relationship: 'SELECTED FROM' }, reference)];
      return shapeOnImage({ relationship, name, items: selectedFrom }, type, pixels.flat());
    },
    image: imageItem({ relationship: 'INFERRED FROM', name: sourceName }, reference),
  };
};

const typesInSpace = { POINT: 'POINT', LINE: 'POLYLINE', OUTLINE: 'POLYGON', ELLIPSE: 'ELLIPSE', SPHERE: 'ELLIPSOID' };

const pointsInSpace = ({ form, points }: DrawnShape): readonly Point[] => {
  if (form === 'SPHERE') return axesOfSphere(points);
  return form === 'OUTLINE' ? closed(points) : points;
};

/** Places a measurement in patient coordinates, without an image. */
const placeInSpace = (frameOfReferenceUid: string, modality: string): Place => ({
  modality,
  shape: (shape, relationship, name) => {
    const points = pointsInSpace(shape);
    if (points.length === 0) return undefined;
    return shapeInSpace({ relationship, name }, typesInSpace[shape.form], points.flat(), frameOfReferenceUid);
  },
  image: undefined,
});

const placeOf = (one: Measured, { images, modalities }: MeasuredSources): Place => {
  const isBall = one.tool === 'SPHERE';
  if (one.frameOfReferenceUID && (isBall || one.sopInstanceUID === null)) {
    return placeInSpace(one.frameOfReferenceUID, modalities.get(one.seriesInstanceUID) ?? '');
  }
  const image = one.sopInstanceUID === null ? undefined : images.get(one.sopInstanceUID);
  if (image && one.sopInstanceUID !== null) return placeOnImage(one, image, one.sopInstanceUID);
  return { modality: '', shape: () => undefined, image: undefined };
};

const valueItem = (one: Measured, value: MeasuredValue, modality: string, sources: readonly Elements[]): Elements => {
  const derivation = derivationOf(value);
  const modifiers = [
    ...(derivation
      ? [codeItem({ relationship: 'HAS CONCEPT MOD', name: dcm('121401', 'Derivation') }, derivation)]
      : []),
    ...(value.scale
      ? [
          codeItem(
            { relationship: 'HAS CONCEPT MOD', name: sct('370129005', 'Measurement Method') },
            scaleMethod(value.scale),
          ),
        ]
      : []),
  ];
  const name = conceptOf(value, one, modality);
  return numberItem({ relationship: 'CONTAINS', name, items: [...modifiers, ...sources] }, value.value, unitOf(value));
};

/** Returns the lines from which a value is read. For a bidirectional measurement, only the axis of the value. */
const linesOf = (one: Measured, { quantity }: MeasuredValue, lines: readonly DrawnShape[]): readonly DrawnShape[] => {
  if (one.tool !== 'BIDIRECTIONAL') return lines;
  return quantity === 'SHORT_AXIS' ? lines.slice(1, 2) : lines.slice(0, 1);
};

const present = (item: Elements | undefined): item is Elements => item !== undefined;

/** Writes the context of the group: the name and UID by which it is tracked over time, and its observer. */
const contextOf = (one: Measured, number: number, isOfSeveral: boolean): Elements[] => {
  const relationship = 'HAS OBS CONTEXT';
  return [
    textItem(
      { relationship, name: dcm('112039', 'Tracking Identifier') },
      one.label || `${measurementToolLabels[one.tool]} ${number}`,
    ),
    uidItem({ relationship, name: dcm('112040', 'Tracking Unique Identifier') }, trackingUid(one.id)),
    ...(isOfSeveral ? observerItems(one.author.name) : []),
  ];
};

/** Returns the same UID for the same measurement in every report. */
export const trackingUid = (measurementId: string): string => uidFrom('measurement', measurementId);

/**
 * Text of the comment for a measurement whose position cannot be written, so that readers do not guess the position.
 */
const withoutPlace =
  'The location of this measurement is not available. Its image was deleted or does not match the coordinates.';

/**
 * Writes one measurement as a group. A region contains its values (PS3.16 TID 1410, for a sphere TID 1411). Values that
 * are read from lines or points use TID 1501. `number` distinguishes groups without a label. `isOfSeveral`: whether the
 * report has several observers.
 */
export const measurementGroup = (
  one: Measured,
  number: number,
  sources: MeasuredSources,
  isOfSeveral: boolean,
): Elements => {
  const place = placeOf(one, sources);
  const { region, lines } = drawnShapes(one.tool, one.points);
  const regionItem = region && place.shape(region, 'CONTAINS', regionName);
  const sourcesOf = (value: MeasuredValue): Elements[] => {
    if (regionItem) return [];
    const shapes = linesOf(one, value, lines).map((shape) => place.shape(shape, 'INFERRED FROM', sourceName));
    const complete = shapes.every(present) ? shapes.filter(present) : [];
    return complete.length > 0 ? complete : [place.image].filter(present);
  };
  const hasPlace = regionItem !== undefined || lines.some((shape) => place.shape(shape, 'INFERRED FROM', sourceName));
  const template = one.tool === 'SPHERE' ? '1411' : '1410';
  const items = [
    ...contextOf(one, number, isOfSeveral),
    ...(regionItem ? [regionItem] : []),
    ...one.values.map((value) => valueItem(one, value, place.modality, sourcesOf(value))),
    ...(hasPlace ? [] : [textItem({ relationship: 'CONTAINS', name: dcm('121106', 'Comment') }, withoutPlace)]),
  ];
  const group = { relationship: 'CONTAINS', name: dcm('125007', 'Measurement Group'), items } as const;
  return { ...container(group, regionItem ? template : '1501'), ObservationDateTime: dateTime(one.updatedDate) };
};

/** Formats a moment in UTC as DICOM DT (PS3.5 §6.2). */
const dateTime = (moment: string): string => `${new Date(moment).toISOString().replaceAll(/[-:T]|\.\d+Z/g, '')}+0000`;

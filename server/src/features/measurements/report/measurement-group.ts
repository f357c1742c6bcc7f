import { type Measurement, type MeasuredValue, measurementToolLabels } from '@radwork/contract/measurements';
import type { DicomJson } from '@radwork/dicom/dataset';
import { textOf } from '@radwork/dicom/dataset';
import type { Elements } from '@radwork/dicom/part10';
import { uidFrom } from '@radwork/dicom/uid';
import { type Code, dcm, sct } from '#features/study-documents/codes.ts';
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
} from '#features/study-documents/content-items.ts';
import { observerItems } from '#features/study-documents/study-document.ts';
import { conceptOf, derivationOf, scaleMethod, unitOf } from './concepts.ts';
import { axesOfSphere, closed, type DrawnShape, drawnShapes } from './drawn-shapes.ts';
import { imageGrid, onGrid, type Point } from '@radwork/dicom/image-grid';

/** An image on which is measured, by the header that the archive has of it. */
export type MeasuredImage = { sopClassUid: string; seriesInstanceUid: string; modality: string; header: DicomJson };

export type Measured = Omit<Measurement, 'isMine'>;

/** What was measured in, as far as the archive has it. */
export type MeasuredSources = {
  /** By SOP Instance UID. */
  images: ReadonlyMap<string, MeasuredImage>;
  /** By Series Instance UID, of series whose volumes were cut. */
  modalities: ReadonlyMap<string, string>;
};

/** One shape as items of the report, under what it is the purpose or the content of. */
type Place = {
  modality: string;
  shape: (drawn: DrawnShape, relationship: 'CONTAINS' | 'INFERRED FROM', name: Code) => Elements | undefined;
  /** What stands where no shape can be said. */
  image: Elements | undefined;
};

const regionName = dcm('111030', 'Image Region');
const sourceName = dcm('121112', 'Source of Measurement');

/** What is measured lies on an image: in its columns and rows, and nowhere when they do not fit its header. */
const placeOnImage = (one: Measured, image: MeasuredImage, sopInstanceUid: string): Place => {
  const { sopClassUid, modality, header } = image;
  const frame = one.frame ?? 1;
  const hasFrames = textOf(header, 'NumberOfFrames') !== undefined;
  const reference: ImageReference = { sopClassUid, sopInstanceUid, frame: hasFrames ? frame : undefined };
  const grid = imageGrid(header, frame);
  return {
    modality,
    shape: ({ form, points }, relationship, name) => {
      // A ball is no circle: on one image it cannot be said.
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

/** What is measured lies in the patient, on no image. */
const placeInSpace = (frameOfReferenceUid: string, modality: string): Place => ({
  modality,
  shape: (drawn, relationship, name) => {
    const points = pointsInSpace(drawn);
    if (points.length === 0) return undefined;
    return shapeInSpace({ relationship, name }, typesInSpace[drawn.form], points.flat(), frameOfReferenceUid);
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

/** Which of the lines a value is read off: of a long and a short axis one each, else all of them. */
const linesOf = (one: Measured, { quantity }: MeasuredValue, lines: readonly DrawnShape[]): readonly DrawnShape[] => {
  if (one.tool !== 'BIDIRECTIONAL') return lines;
  return quantity === 'SHORT_AXIS' ? lines.slice(1, 2) : lines.slice(0, 1);
};

const present = (item: Elements | undefined): item is Elements => item !== undefined;

/** What the group says of itself: by which name and UID it is followed over time, and who measured. */
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

/** The same for the same measurement, in every report about it. */
export const trackingUid = (measurementId: string): string => uidFrom('measurement', measurementId);

/** What is not said is not to be guessed either. */
const withoutPlace =
  'Where this was measured cannot be said here: its image has left the archive or does not fit the coordinates.';

/**
 * One measurement: a region with what is in it (PS3.16 TID 1410, of a ball 1411), or numbers that are read off lines and
 * points (TID 1501). `number` tells those without a label apart; `isOfSeveral`: the report has more than one observer.
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
    const whole = shapes.every(present) ? shapes.filter(present) : [];
    return whole.length > 0 ? whole : [place.image].filter(present);
  };
  const isPlaced = regionItem !== undefined || lines.some((shape) => place.shape(shape, 'INFERRED FROM', sourceName));
  const template = one.tool === 'SPHERE' ? '1411' : '1410';
  const items = [
    ...contextOf(one, number, isOfSeveral),
    ...(regionItem ? [regionItem] : []),
    ...one.values.map((value) => valueItem(one, value, place.modality, sourcesOf(value))),
    ...(isPlaced ? [] : [textItem({ relationship: 'CONTAINS', name: dcm('121106', 'Comment') }, withoutPlace)]),
  ];
  const group = { relationship: 'CONTAINS', name: dcm('125007', 'Measurement Group'), items } as const;
  return { ...container(group, regionItem ? template : '1501'), ObservationDateTime: dateTime(one.updatedDate) };
};

/** A moment as DICOM writes it, in UTC (PS3.5 §6.2, DT). */
const dateTime = (moment: string): string => `${new Date(moment).toISOString().replaceAll(/[-:T]|\.\d+Z/g, '')}+0000`;

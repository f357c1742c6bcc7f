import type { Elements } from '@radwork/dicom/part10';
import type { Code } from './codes.ts';

/** Relationship of a content item to its parent (PS3.3 §C.17.3.2.4). */
type Relationship = 'CONTAINS' | 'HAS OBS CONTEXT' | 'HAS CONCEPT MOD' | 'INFERRED FROM' | 'SELECTED FROM';

type ItemFields = { relationship: Relationship; name?: Code; items?: readonly Elements[] };

const item = (valueType: string, { relationship, name, items = [] }: ItemFields, more: Elements): Elements => ({
  RelationshipType: relationship,
  ValueType: valueType,
  ...(name && { ConceptNameCodeSequence: [name] }),
  ...more,
  ...(items.length > 0 && { ContentSequence: items }),
});

/** Creates a container item, optionally with its template of PS3.16. */
export const container = (fields: ItemFields, template?: string): Elements =>
  item('CONTAINER', fields, {
    ContinuityOfContent: 'SEPARATE',
    ...(template !== undefined && { ContentTemplateSequence: [templateOf(template)] }),
  });

export const templateOf = (identifier: string): Elements => ({
  MappingResource: 'DCMR',
  MappingResourceUID: '1.2.840.10008.8.1.1',
  TemplateIdentifier: identifier,
});

export const textItem = (fields: ItemFields, text: string): Elements => item('TEXT', fields, { TextValue: text });
export const uidItem = (fields: ItemFields, uid: string): Elements => item('UIDREF', fields, { UID: uid });
export const nameItem = (fields: ItemFields, name: string): Elements => item('PNAME', fields, { PersonName: name });
export const codeItem = (fields: ItemFields, value: Code): Elements =>
  item('CODE', fields, { ConceptCodeSequence: [value] });

/**
 * Creates a number item. The floating-point value keeps digits for which the decimal of 16 characters has no room
 * (PS3.3 §C.18.1).
 */
export const numberItem = (fields: ItemFields, value: number, unit: Code): Elements =>
  item('NUM', fields, {
    MeasuredValueSequence: [{ NumericValue: value, FloatingPointValue: value, MeasurementUnitsCodeSequence: [unit] }],
  });

/** An image in the archive, or one of its frames. */
export type ImageReference = { sopClassUid: string; sopInstanceUid: string; frame: number | undefined };

export const imageItem = (fields: ItemFields, { sopClassUid, sopInstanceUid, frame }: ImageReference): Elements =>
  item('IMAGE', fields, {
    ReferencedSOPSequence: [
      {
        ReferencedSOPClassUID: sopClassUid,
        ReferencedSOPInstanceUID: sopInstanceUid,
        ...(frame !== undefined && { ReferencedFrameNumber: frame }),
      },
    ],
  });

/**
 * Creates a shape on an image. Columns and rows are counted from the outer corner of the first pixel (PS3.3 §C.18.6).
 */
export const shapeOnImage = (fields: ItemFields, type: string, coordinates: readonly number[]): Elements =>
  item('SCOORD', fields, { GraphicType: type, GraphicData: coordinates });

/** Creates a shape in space, in mm within a frame of reference (PS3.3 §C.18.9). */
export const shapeInSpace = (
  fields: ItemFields,
  type: string,
  coordinates: readonly number[],
  frameOfReferenceUid: string,
): Elements =>
  item('SCOORD3D', fields, {
    GraphicType: type,
    GraphicData: coordinates,
    ReferencedFrameOfReferenceUID: frameOfReferenceUid,
  });

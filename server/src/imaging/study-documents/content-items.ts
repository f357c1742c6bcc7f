import type { Elements } from '@radwork/dicom/part10';
import type { Code } from './codes.ts';

/** Relationship of a content item to its parent (PS3.3 §C.17.3.2.4). */
type Relationship = 'CONTAINS' | 'HAS OBS CONTEXT' | 'HAS CONCEPT MOD' | 'INFERRED FROM' | 'SELECTED FROM';

type Named = { relationship: Relationship; name?: Code; items?: readonly Elements[] };

const item = (valueType: string, { relationship, name, items = [] }: Named, more: Elements): Elements => ({
  RelationshipType: relationship,
  ValueType: valueType,
  ...(name && { ConceptNameCodeSequence: [name] }),
  ...more,
  ...(items.length > 0 && { ContentSequence: items }),
});

/** Creates a container item, optionally with its template of PS3.16. */
export const container = (named: Named, template?: string): Elements =>
  item('CONTAINER', named, {
    ContinuityOfContent: 'SEPARATE',
    ...(template !== undefined && { ContentTemplateSequence: [templateOf(template)] }),
  });

export const templateOf = (identifier: string): Elements => ({
  MappingResource: 'DCMR',
  MappingResourceUID: '1.2.840.10008.8.1.1',
  TemplateIdentifier: identifier,
});

export const textItem = (named: Named, text: string): Elements => item('TEXT', named, { TextValue: text });
export const uidItem = (named: Named, uid: string): Elements => item('UIDREF', named, { UID: uid });
export const nameItem = (named: Named, name: string): Elements => item('PNAME', named, { PersonName: name });
export const codeItem = (named: Named, value: Code): Elements => item('CODE', named, { ConceptCodeSequence: [value] });

/**
 * Creates a number item. The floating-point value keeps digits for which the decimal of 16 characters has no room
 * (PS3.3 §C.18.1).
 */
export const numberItem = (named: Named, value: number, unit: Code): Elements =>
  item('NUM', named, {
    MeasuredValueSequence: [{ NumericValue: value, FloatingPointValue: value, MeasurementUnitsCodeSequence: [unit] }],
  });

/** An image in the archive, or one of its frames. */
export type ImageReference = { sopClassUid: string; sopInstanceUid: string; frame: number | undefined };

export const imageItem = (named: Named, { sopClassUid, sopInstanceUid, frame }: ImageReference): Elements =>
  item('IMAGE', named, {
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
export const shapeOnImage = (named: Named, type: string, coordinates: readonly number[]): Elements =>
  item('SCOORD', named, { GraphicType: type, GraphicData: coordinates });

/** Creates a shape in space, in mm within a frame of reference (PS3.3 §C.18.9). */
export const shapeInSpace = (
  named: Named,
  type: string,
  coordinates: readonly number[],
  frameOfReferenceUid: string,
): Elements =>
  item('SCOORD3D', named, {
    GraphicType: type,
    GraphicData: coordinates,
    ReferencedFrameOfReferenceUID: frameOfReferenceUid,
  });

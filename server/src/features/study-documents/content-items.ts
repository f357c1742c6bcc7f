import type { Elements } from '@radwork/dicom/part10';
import type { Code } from './codes.ts';

/** How an item of a report's tree stands to the one above it (PS3.3 §C.17.3.2.4). */
type Relationship = 'CONTAINS' | 'HAS OBS CONTEXT' | 'HAS CONCEPT MOD' | 'INFERRED FROM' | 'SELECTED FROM';

type Named = { relationship: Relationship; name?: Code; items?: readonly Elements[] };

const item = (valueType: string, { relationship, name, items = [] }: Named, more: Elements): Elements => ({
  RelationshipType: relationship,
  ValueType: valueType,
  ...(name && { ConceptNameCodeSequence: [name] }),
  ...more,
  ...(items.length > 0 && { ContentSequence: items }),
});

/** A group of items, and the template of PS3.16 that it keeps to. */
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

/** A number, to the last digit beside its decimal form of 16 characters (PS3.3 §C.18.1). */
export const numberItem = (named: Named, value: number, unit: Code): Elements =>
  item('NUM', named, {
    MeasuredValueSequence: [{ NumericValue: value, FloatingPointValue: value, MeasurementUnitsCodeSequence: [unit] }],
  });

/** An image of the archive, or one frame of it. */
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

/** A shape on an image, in columns and rows from the outer corner of its first pixel (PS3.3 §C.18.6). */
export const shapeOnImage = (named: Named, type: string, coordinates: readonly number[]): Elements =>
  item('SCOORD', named, { GraphicType: type, GraphicData: coordinates });

/** A shape in the patient, in mm of a frame of reference (PS3.3 §C.18.9). */
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

import { type Elements, writePart10 } from '@radwork/dicom/part10';
import { explicitLittleEndian } from '@radwork/dicom/transfer-syntax';
import { newUid } from '@radwork/dicom/uid';
import { coded, dicomCode } from './sr-content.ts';
import type { Code } from './study.ts';

const keyObjectSelection = '1.2.840.10008.5.1.4.1.1.88.59';
const ctImage = '1.2.840.10008.5.1.4.1.1.2';

type Named = { StudyInstanceUID: string; SeriesInstanceUID: string; SOPInstanceUID: string };

type Note = {
  /** Code value of the title, such as '113001' (PS3.16 CID 7010). */
  title: string;
  reason?: Code;
  comment?: string;
  images: readonly Named[];
};

/**
 * Creates a rejection note as scanners and archives send it: a Key Object Selection with a title of PS3.16 CID 7010 (IHE
 * RAD TF-2 §4.66). `elements` are those of patient, study and series.
 */
export const rejectionNote = ({ title, reason, comment, images }: Note, elements: Elements): Buffer =>
  writePart10({
    transferSyntaxUID: explicitLittleEndian.uid,
    dataset: {
      SOPClassUID: keyObjectSelection,
      SOPInstanceUID: newUid(),
      SeriesInstanceUID: newUid(),
      Modality: 'KO',
      ...elements,
      ValueType: 'CONTAINER',
      ConceptNameCodeSequence: [dicomCode(title, `Title ${title}`)],
      ContinuityOfContent: 'SEPARATE',
      CurrentRequestedProcedureEvidenceSequence: images.map(evidence),
      ContentSequence: [
        ...(reason ? [coded('HAS CONCEPT MOD', dicomCode('113011', 'Document Title Modifier'), reason)] : []),
        ...(comment === undefined ? [] : [description(comment)]),
        ...images.map(({ SOPInstanceUID }) => imageItem(SOPInstanceUID)),
      ],
    },
  });

const evidence = ({ StudyInstanceUID, SeriesInstanceUID, SOPInstanceUID }: Named): Elements => ({
  StudyInstanceUID,
  ReferencedSeriesSequence: [{ SeriesInstanceUID, ReferencedSOPSequence: [reference(SOPInstanceUID)] }],
});

const reference = (ReferencedSOPInstanceUID: string): Elements => ({
  ReferencedSOPClassUID: ctImage,
  ReferencedSOPInstanceUID,
});

const description = (TextValue: string): Elements => ({
  RelationshipType: 'CONTAINS',
  ValueType: 'TEXT',
  ConceptNameCodeSequence: [dicomCode('113012', 'Key Object Description')],
  TextValue,
});

const imageItem = (uid: string): Elements => ({
  RelationshipType: 'CONTAINS',
  ValueType: 'IMAGE',
  ReferencedSOPSequence: [reference(uid)],
});

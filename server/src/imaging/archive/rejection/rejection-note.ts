import { type RejectionTitle, rejectionTitles } from '@radwork/contract/imaging/rejections';
import { type DicomJson, itemsOf, textOf } from '@radwork/dicom/dataset';

/** Key Object Selection Document (PS3.4 §B.5). */
export const keyObjectSelection = '1.2.840.10008.5.1.4.1.1.88.59';

export type NamedImage = { studyInstanceUID: string; seriesInstanceUID: string; sopInstanceUID: string };

/** Content of a rejection note: its reason, and the images that it names, of any study. */
export type RejectionNote = {
  title: RejectionTitle;
  reasonCode: string;
  reasonMeaning: string;
  comment: string;
  images: NamedImage[];
};

const longest = 500;

/**
 * Reads a rejection note from the header of a Key Object Selection (PS3.16 TID 2010, IHE RAD TF-2 §4.66). Returns
 * undefined for a document with another title. The reason for quality (PS3.16 CID 7011) modifies the title. The images
 * are those of the evidence, which must list each referenced image (PS3.3 §C.17.6.2).
 */
export const rejectionNote = (header: DicomJson): RejectionNote | undefined => {
  const title = codeOf(header, 'ConceptNameCodeSequence');
  const known = rejectionTitles.find((one) => one === title?.value && title.scheme === 'DCM');
  if (!known) return undefined;
  const items = itemsOf(header, 'ContentSequence');
  const contentNamed = (value: string) =>
    items.find((item) => codeOf(item, 'ConceptNameCodeSequence')?.value === value);
  const modifier = contentNamed(documentTitleModifier);
  const reason = modifier && codeOf(modifier, 'ConceptCodeSequence');
  const description = contentNamed(keyObjectDescription);
  return {
    title: known,
    reasonCode: reason?.value ?? '',
    reasonMeaning: reason?.meaning.slice(0, longest) ?? '',
    comment: (description && textOf(description, 'TextValue')?.trim().slice(0, longest)) ?? '',
    images: itemsOf(header, 'CurrentRequestedProcedureEvidenceSequence').flatMap(imagesOfStudy),
  };
};

/** Codes of DCM (PS3.16 TID 2010). */
const documentTitleModifier = '113011';
const keyObjectDescription = '113012';

const codeOf = (item: DicomJson, sequence: string) => {
  const [code] = itemsOf(item, sequence);
  if (!code) return undefined;
  const text = (keyword: string) => textOf(code, keyword)?.trim() ?? '';
  return { value: text('CodeValue'), scheme: text('CodingSchemeDesignator'), meaning: text('CodeMeaning') };
};

const imagesOfStudy = (study: DicomJson): NamedImage[] =>
  itemsOf(study, 'ReferencedSeriesSequence').flatMap((series) =>
    itemsOf(series, 'ReferencedSOPSequence').flatMap((image) => {
      const sopInstanceUID = textOf(image, 'ReferencedSOPInstanceUID')?.trim();
      if (!sopInstanceUID) return [];
      return {
        studyInstanceUID: textOf(study, 'StudyInstanceUID')?.trim() ?? '',
        seriesInstanceUID: textOf(series, 'SeriesInstanceUID')?.trim() ?? '',
        sopInstanceUID,
      };
    }),
  );

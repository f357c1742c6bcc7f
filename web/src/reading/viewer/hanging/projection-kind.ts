import { type DicomJson, itemsOf, numberOf, tag, textOf, textsOf } from '#reading/viewer/images/header/dicom-json.ts';
import { projectionName, projectionOf } from './projection.ts';

/**
 * Storage SOP classes of raw data, for files without PresentationIntentType (PS3.4 §B.5): DX, MG, intra-oral and
 * projections of tomosynthesis.
 */
const forProcessing = new Set([
  '1.2.840.10008.5.1.4.1.1.1.1.1',
  '1.2.840.10008.5.1.4.1.1.1.2.1',
  '1.2.840.10008.5.1.4.1.1.1.3.1',
  '1.2.840.10008.5.1.4.1.1.13.1.5',
]);

/** Breast Tomosynthesis Image Storage (PS3.4 §B.5). */
const tomosynthesis = '1.2.840.10008.5.1.4.1.1.13.1.3';

/** Breast Projection X-Ray Image Storage, for presentation and for processing: the exposures of a tomosynthesis. */
const projections = new Set(['1.2.840.10008.5.1.4.1.1.13.1.4', '1.2.840.10008.5.1.4.1.1.13.1.5']);

/** Whether an object holds the exposures from which a tomosynthesis was computed. They are no view of the breast. */
export const isProjections = (header: DicomJson): boolean => projections.has(textOf(header, tag.SOPClassUID));

/** Whether a mammogram is a tomosynthesis, by SOP class or because it has several frames. */
export const isTomosynthesis = (header: DicomJson, numberOfFrames: number): boolean =>
  textOf(header, tag.SOPClassUID) === tomosynthesis || (numberOfFrames > 1 && !isProjections(header));

/** Whether an image is raw data of the detector, meant for processing and not for reading (PS3.3 §C.8.11.1.1.1). */
export const isForProcessing = (header: DicomJson): boolean => {
  const intent = textOf(header, tag.PresentationIntentType).toUpperCase();
  return intent === '' ? forProcessing.has(textOf(header, tag.SOPClassUID)) : intent === 'FOR PROCESSING';
};

/** Magnified and spot views by SRT and SNOMED CT code (PS3.16 CID 4015). */
const detailOfCode: Record<string, 'magnification' | 'spot'> = {
  'R-102D6': 'magnification',
  '399163009': 'magnification',
  'R-102D7': 'spot',
  '399055006': 'spot',
};

/** Factor above which an image is magnified. A contact view has about 1.05, because the breast lies above the detector. */
const magnified = 1.3;

/** A view of a part of the breast: '' for a view of the whole breast. */
export type Detail = 'magnification' | 'spot' | 'modified' | 'partial' | '';

/**
 * Returns whether a mammogram is a magnification, spot, otherwise modified or partial view (PS3.3 §C.8.11.7). Some
 * devices write only the magnification factor or the paddle. Some write the view modifier outside of the view code.
 */
export const detailOf = (header: DicomJson): Detail => {
  const views = itemsOf(header, tag.ViewCodeSequence);
  const modifiers = [header, ...views].flatMap((one) => itemsOf(one, tag.ViewModifierCodeSequence));
  const coded = modifiers.map((modifier) => detailOfCode[textOf(modifier, tag.CodeValue)] ?? meaningOf(modifier));
  const paddle = textOf(header, tag.PaddleDescription);
  const factor = numberOf(header, tag.EstimatedRadiographicMagnificationFactor) ?? 1;
  if (coded.includes('magnification') || factor > magnified || /\bmag/i.test(paddle)) return 'magnification';
  if (coded.includes('spot') || /spot/i.test(paddle)) return 'spot';
  if (modifiers.length > 0) return 'modified';
  return textOf(header, tag.PartialView).toUpperCase() === 'YES' ? 'partial' : '';
};

const meaningOf = (modifier: DicomJson): 'magnification' | 'spot' | undefined => {
  const meaning = textOf(modifier, tag.CodeMeaning);
  if (/magnif/i.test(meaning)) return 'magnification';
  return /spot/i.test(meaning) ? 'spot' : undefined;
};

/** Whether a 2D image was computed from tomosynthesis (PS3.3 §C.8.11.7.1.4, "GENERATED_2D"). */
export const isSynthetic = (header: DicomJson): boolean =>
  textsOf(header, tag.ImageType).some((value) => /GENERATED_2D|TOMOSYNTHESIS|C-?VIEW/i.test(value));

/** Whether a file is a capture of a screen or a result, such as marks of a CAD program, instead of a view. */
export const isSecondary = (header: DicomJson): boolean => textsOf(header, tag.ImageType)[1] === 'SECONDARY';

/** Rank of a mammogram for its view. The mammogram with the lowest rank hangs first. */
export const rankOfProjection = (header: DicomJson): number =>
  100 * Number(isForProcessing(header)) +
  60 * Number(isProjections(header)) +
  { magnification: 40, spot: 40, modified: 20, partial: 10, '': 0 }[detailOf(header)] +
  5 * Number(isSecondary(header)) +
  Number(isSynthetic(header));

/** Role of a view in a saved layout: "R CC", "L MLO spot", "R CC raw". Never text of the file. */
export const roleOfProjection = (header: DicomJson, isTomosynthesis: boolean): string =>
  [
    projectionName(projectionOf(header)).slice(0, 20),
    detailOf(header),
    isTomosynthesis && 'tomo',
    isForProcessing(header) && 'raw',
  ]
    .filter(Boolean)
    .join(' ');

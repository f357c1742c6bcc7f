import { type DicomJson, itemsOf, numberOf, textOf } from '@radwork/dicom/dataset';

/** Dose of a study as far as its files state it: mGy·cm, mGy and mSv. */
export type Dose = {
  totalDoseLengthProduct: number | undefined;
  ctdiVol: number | undefined;
  effectiveDose: number | undefined;
};

/** Codes of the radiation dose report (PS3.16 TID 10011 to 10013), scheme DCM. */
const doseLengthProductTotal = '113813';
const meanCtdiVol = '113830';
const effectiveDose = '113839';

const conceptOf = (item: DicomJson): string | undefined => {
  const [name] = itemsOf(item, 'ConceptNameCodeSequence');
  return name && textOf(name, 'CodingSchemeDesignator') === 'DCM' ? textOf(name, 'CodeValue') : undefined;
};

/** Returns every number with a concept in a report, at any depth. The reader limits the depth. */
const measured = (report: DicomJson, concept: string): number[] =>
  itemsOf(report, 'ContentSequence').flatMap((item) => {
    const [value] = conceptOf(item) === concept ? itemsOf(item, 'MeasuredValueSequence') : [];
    const number = value && numberOf(value, 'NumericValue');
    return [...(isDose(number) ? [number] : []), ...measured(item, concept)];
  });

const isDose = (value: number | undefined): value is number => value !== undefined && value >= 0;

/** Uses reduce, since a report may have more values than a call allows arguments. */
const largest = (values: number[]): number | undefined =>
  values.reduce<number | undefined>((most, value) => Math.max(most ?? value, value), undefined);

/**
 * Returns the dose in a file. A dose report has its total dose length product, highest mean CTDIvol and effective dose.
 * A CT image has its own CTDIvol (0018,9345), for scanners without a dose report.
 */
export const doseOf = (dataset: DicomJson): Dose => {
  const ofImage = numberOf(dataset, 'CTDIvol');
  return {
    totalDoseLengthProduct: largest(measured(dataset, doseLengthProductTotal)),
    ctdiVol: largest([...measured(dataset, meanCtdiVol), ...(isDose(ofImage) ? [ofImage] : [])]),
    effectiveDose: largest(measured(dataset, effectiveDose)),
  };
};

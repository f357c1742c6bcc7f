import { type DicomJson, itemsOf, numberOf, textOf } from '@radwork/dicom/dataset';

/** Dose of a study, as stated in its files: mGy·cm, mGy and mSv. */
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

/** Returns all numbers with this concept in a report, at any depth. The parser limits the depth. */
const measured = (report: DicomJson, concept: string): number[] =>
  itemsOf(report, 'ContentSequence').flatMap((item) => {
    const [value] = conceptOf(item) === concept ? itemsOf(item, 'MeasuredValueSequence') : [];
    const number = value && numberOf(value, 'NumericValue');
    return [...(isDose(number) ? [number] : []), ...measured(item, concept)];
  });

const isDose = (value: number | undefined): value is number => value !== undefined && value >= 0;

/** Uses reduce, because a report may have more values than a function call allows arguments. */
const largest = (values: number[]): number | undefined =>
  values.reduce<number | undefined>((most, value) => Math.max(most ?? value, value), undefined);

/**
 * Returns the dose stated in a file. From a dose report: the total dose length product, the highest mean CTDIvol and
 * the effective dose. From a CT image: its CTDIvol (0018,9345), because some scanners write no dose report.
 */
export const doseOf = (dataset: DicomJson): Dose => {
  const ofImage = numberOf(dataset, 'CTDIvol');
  return {
    totalDoseLengthProduct: largest(measured(dataset, doseLengthProductTotal)),
    ctdiVol: largest([...measured(dataset, meanCtdiVol), ...(isDose(ofImage) ? [ofImage] : [])]),
    effectiveDose: largest(measured(dataset, effectiveDose)),
  };
};

import { type DicomJson, tag, textOf } from './dicom-json.ts';
import { instanceOf } from './instance-of.ts';

/** The defined terms that people write otherwise; US is "unspecified". */
const written: Record<string, string> = { US: '', MGML: 'mg/ml', PCT: '%', HU_MOD: 'HU modified' };

/**
 * In which unit the numbers of a CT are: Hounsfield units unless it says otherwise, as maps of iodine or of the effective
 * atomic number do (PS3.3 §C.11.1.1.2). Empty where it says that they have none.
 */
export const densityUnit = (header: DicomJson): string => {
  const type = textOf(header, tag.RescaleType);
  if (type === '' || type === 'HU') return 'HU';
  return written[type] ?? type;
};

const otherUnits = new Map<string, string>();

/** Remembers a CT whose numbers are no Hounsfield units. */
export const learnDensity = (imageId: string, header: DicomJson) => {
  const unit = densityUnit(header);
  if (unit !== 'HU') otherUnits.set(instanceOf(imageId), unit);
};

/** The unit that a value of an image has: the imaging library calls the numbers of every CT Hounsfield units. */
export const unitOnImage = (unit: string, imageId: string): string =>
  unit === 'HU' ? (otherUnits.get(instanceOf(imageId)) ?? unit) : unit;

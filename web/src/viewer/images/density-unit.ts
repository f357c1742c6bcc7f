import { type DicomJson, itemsOf, numbersOf, tag, textOf } from './dicom-json.ts';
import { modalityTableItem } from './lookup-tables.ts';
import { instanceOf } from './instance-of.ts';
import { printedUnit } from './pet-unit.ts';

/** The defined terms that people write otherwise; US is "unspecified". */
const written: Record<string, string> = { US: '', MGML: 'mg/ml', PCT: '%', HU_MOD: 'HU modified', OD: '10⁻³ OD' };

/** Secondary captures (PS3.4 §B.5): pictures of a screen, under whatever modality the screen belongs to. */
const captures = ['1.2.840.10008.5.1.4.1.1.7', ...[1, 2, 3, 4].map((end) => `1.2.840.10008.5.1.4.1.1.7.${end}`)];

/** Where a header says what its stored numbers become: at the top, or in enhanced images by frame. */
const transformationsOf = (header: DicomJson): DicomJson[] => {
  const [frame = {}] = itemsOf(header, tag.PerFrameFunctionalGroupsSequence);
  const [shared = {}] = itemsOf(header, tag.SharedFunctionalGroupsSequence);
  return [header, ...[frame, shared].flatMap((group) => itemsOf(group, tag.PixelValueTransformationSequence))];
};

/** The unit of values that a table makes (PS3.3 §C.11.1.1.2); undefined where none does. They are HU only if it says so. */
const tableUnit = (header: DicomJson): string | undefined => {
  const item = modalityTableItem(header);
  const type = item && textOf(item, tag.ModalityLUTType);
  return type === undefined ? undefined : (written[type] ?? type);
};

/**
 * In which unit the numbers of a CT are: Hounsfield units unless it says otherwise, as maps of iodine or of the effective
 * atomic number do (PS3.3 §C.11.1.1.2). Empty where it says that they have none, and for the greys of a captured screen.
 */
export const densityUnit = (header: DicomJson): string => {
  const ofTable = tableUnit(header);
  if (ofTable !== undefined) return ofTable;
  const transformations = transformationsOf(header);
  const type = transformations.map((one) => textOf(one, tag.RescaleType)).find((text) => text !== '');
  if (type !== undefined && type !== 'HU') return written[type] ?? type;
  const isRescaled = type === 'HU' || transformations.some((one) => numbersOf(one, tag.RescaleIntercept).length > 0);
  return isRescaled || !captures.includes(textOf(header, tag.SOPClassUID)) ? 'HU' : '';
};

/**
 * Whether the windows for Hounsfield units mean something on a CT: not on a map of iodine nor on a captured screen. Units
 * that are "unspecified" are what some scanners call theirs.
 */
export const isInHounsfield = (header: DicomJson): boolean => {
  const unit = densityUnit(header);
  return /^(hu|hounsfield)/i.test(unit) || (unit === '' && !captures.includes(textOf(header, tag.SOPClassUID)));
};

const otherUnits = new Map<string, string>();
const unitsOfTables = new Map<string, string>();

/** Remembers a CT whose numbers are no Hounsfield units, and any image whose values a table makes. */
export const learnDensity = (imageId: string, header: DicomJson) => {
  const [unit, ofTable] = [densityUnit(header), tableUnit(header)];
  if (unit !== 'HU') otherUnits.set(instanceOf(imageId), unit);
  if (ofTable !== undefined) unitsOfTables.set(instanceOf(imageId), ofTable);
};

/**
 * The unit that a value of an image has: the imaging library calls those of every CT Hounsfield units, those of a PET by the
 * code of its file, and others nothing.
 */
export const unitOnImage = (unit: string, imageId: string): string => {
  const instance = instanceOf(imageId);
  const ofPet = printedUnit(unit);
  if (ofPet !== undefined) return ofPet;
  if (unit === '') return unitsOfTables.get(instance) ?? unit;
  return unit === 'HU' ? (unitsOfTables.get(instance) ?? otherUnits.get(instance) ?? unit) : unit;
};

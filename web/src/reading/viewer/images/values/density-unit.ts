import { type DicomJson, itemsOf, numbersOf, type Tag, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { modalityTableItem } from '#reading/viewer/images/gray/lookup-tables.ts';
import { instanceOf } from '#reading/viewer/images/header/instance-id.ts';
import { printedUnit } from './pet-unit.ts';

/** Units that are shown in another form than stored. US means "unspecified". */
const unitNames: Record<string, string> = { US: '', MGML: 'mg/ml', PCT: '%', HU_MOD: 'HU modified', OD: '10⁻³ OD' };

/** Secondary captures (PS3.4 §B.5): images of a screen, stored with any modality. */
const captures = ['1.2.840.10008.5.1.4.1.1.7', ...[1, 2, 3, 4].map((end) => `1.2.840.10008.5.1.4.1.1.7.${end}`)];

/** Returns the items that define the rescale: the header, or the groups of the frames in enhanced images. */
const transformationsOf = (header: DicomJson): DicomJson[] => {
  const [frame = {}] = itemsOf(header, tag.PerFrameFunctionalGroupsSequence);
  const [shared = {}] = itemsOf(header, tag.SharedFunctionalGroupsSequence);
  return [header, ...[frame, shared].flatMap((group) => itemsOf(group, tag.PixelValueTransformationSequence))];
};

/**
 * Returns the unit of the values after a modality LUT (PS3.3 §C.11.1.1.2). Undefined if the image has no modality LUT.
 * The unit is HU only if the LUT names it.
 */
const tableUnit = (header: DicomJson): string | undefined => {
  const item = modalityTableItem(header);
  const type = item && textOf(item, tag.ModalityLUTType);
  return type === undefined ? undefined : (unitNames[type] ?? type);
};

/** Whether an attribute has a value that is not a number. The values of the image are then shown as stored. */
const isUnreadable = (item: DicomJson, attribute: Tag): boolean =>
  textOf(item, attribute) !== '' && numbersOf(item, attribute).length === 0;

/**
 * Returns the unit of CT values: Hounsfield units unless the header names another unit. Iodine maps and maps of the
 * effective atomic number name another unit (PS3.3 §C.11.1.1.2). Empty for an unspecified unit, an unreadable rescale
 * and captured screens.
 */
export const densityUnit = (header: DicomJson): string => {
  const ofTable = tableUnit(header);
  if (ofTable !== undefined) return ofTable;
  const transformations = transformationsOf(header);
  const rescales = [tag.RescaleSlope, tag.RescaleIntercept];
  if (transformations.some((transformation) => rescales.some((attribute) => isUnreadable(transformation, attribute))))
    return '';
  const type = transformations
    .map((transformation) => textOf(transformation, tag.RescaleType))
    .find((text) => text !== '');
  if (type !== undefined && type !== 'HU') return unitNames[type] ?? type;
  const isRescaled =
    type === 'HU' ||
    transformations.some((transformation) => numbersOf(transformation, tag.RescaleIntercept).length > 0);
  return isRescaled || !captures.includes(textOf(header, tag.SOPClassUID)) ? 'HU' : '';
};

/**
 * Whether Hounsfield windows suit a CT. False for iodine maps and captured screens. Some scanners declare Hounsfield
 * units as "unspecified".
 */
export const isInHounsfield = (header: DicomJson): boolean => {
  const unit = densityUnit(header);
  return /^(hu|hounsfield)/i.test(unit) || (unit === '' && !captures.includes(textOf(header, tag.SOPClassUID)));
};

const otherUnits = new Map<string, string>();
const unitsOfTables = new Map<string, string>();

/** Records the unit of a CT that is not in HU, and of any image with a modality LUT. */
export const learnDensity = (imageId: string, header: DicomJson) => {
  const [unit, ofTable] = [densityUnit(header), tableUnit(header)];
  if (unit !== 'HU') otherUnits.set(instanceOf(imageId), unit);
  if (ofTable !== undefined) unitsOfTables.set(instanceOf(imageId), ofTable);
};

/**
 * Corrects the unit that the imaging library gives to a value. The library uses HU for every CT, the code in the file
 * for PET, and no unit for other images.
 */
export const unitOnImage = (unit: string, imageId: string): string => {
  const instance = instanceOf(imageId);
  const ofPet = printedUnit(unit);
  if (ofPet !== undefined) return ofPet;
  if (unit === '') return unitsOfTables.get(instance) ?? unit;
  return unit === 'HU' ? (unitsOfTables.get(instance) ?? otherUnits.get(instance) ?? unit) : unit;
};

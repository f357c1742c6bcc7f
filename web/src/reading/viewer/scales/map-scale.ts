import { t } from '@lingui/core/macro';
import { type DicomJson, itemsOf, numberOf, type Tag, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';

/** Parametric Map Storage and RT Dose Storage (PS3.4 §B.5). */
const parametricMap = '1.2.840.10008.5.1.4.1.1.30';
const dose = '1.2.840.10008.5.1.4.1.1.481.2';

/** Meaning of the stored values of a map: value = `slope` x stored value + `intercept`, in `unit`. */
export type MapScale = { slope: number; intercept: number; unit: string; name: string };

/** Returns the item of a functional group for a frame (from 1), or the shared one (PS3.3 §C.7.6.16). */
const itemsOfFrame = (header: DicomJson, frame: number, group: Tag): readonly DicomJson[] => {
  const ofFrame = itemsOf(header, tag.PerFrameFunctionalGroupsSequence)[frame - 1];
  const [ofAll] = itemsOf(header, tag.SharedFunctionalGroupsSequence);
  const [own, shared] = [ofFrame, ofAll].map((item) => (item ? itemsOf(item, group) : []));
  return own?.length ? own : shared?.length ? shared : itemsOf(header, group);
};

const superscripts: Record<string, string> = { 2: '²', 3: '³' };

/**
 * Returns a UCUM code for the screen, with exponents as on paper. "1" is no unit, and braces only annotate (UCUM §12).
 */
const unitOf = (item: DicomJson): string => {
  const [units = {}] = itemsOf(item, tag.MeasurementUnitsCodeSequence);
  const [code, meaning] = [textOf(units, tag.CodeValue), textOf(units, tag.CodeMeaning)];
  if (code === '1' || /^\{no units\}$/i.test(code)) return '';
  if (code === '' || code.startsWith('{')) return meaning;
  return code.replaceAll(/(?<=[A-Za-z])[23](?!\d)/g, (exponent) => superscripts[exponent] ?? exponent);
};

const lineOf = (item: DicomJson): string =>
  `${numberOf(item, tag.RealWorldValueSlope)} ${numberOf(item, tag.RealWorldValueIntercept) ?? 0}`;

/** Returns the real world values of a parametric map (PS3.3 §C.7.6.16.2.11). A mapping by a table is not linear. */
const realWorld = (header: DicomJson, frame: number): MapScale | undefined => {
  const all = itemsOfFrame(header, frame, tag.RealWorldValueMappingSequence);
  const items = all.filter((item) => numberOf(item, tag.RealWorldValueSlope));
  // If several mappings share a unit, each applies only to a part of the values, so there is no single scale.
  if (items.some((one) => items.some((other) => unitOf(one) === unitOf(other) && lineOf(one) !== lineOf(other)))) {
    return undefined;
  }
  for (const item of items) {
    const slope = numberOf(item, tag.RealWorldValueSlope);
    const name = textOf(item, tag.LUTLabel) || textOf(item, tag.LUTExplanation);
    if (slope) return { slope, intercept: numberOf(item, tag.RealWorldValueIntercept) ?? 0, unit: unitOf(item), name };
  }
  return undefined;
};

/** Returns the unit of a dose. A relative dose has none (PS3.3 §C.8.8.3). */
export const doseUnit = (header: DicomJson): string => (textOf(header, tag.DoseUnits) === 'GY' ? 'Gy' : '');

export const isParametricMap = (header: DicomJson): boolean => textOf(header, tag.SOPClassUID) === parametricMap;

export const isDose = (header: DicomJson): boolean => textOf(header, tag.SOPClassUID) === dose;

/** Whether a scale belongs beside an image, because its values are no grays but quantities. */
export const isMap = (header: DicomJson): boolean => isParametricMap(header) || isDose(header);

/** Returns the scale of a frame of a map, from stored values. Undefined without a linear scale. */
export const mapScaleOf = (header: DicomJson, frame: number): MapScale | undefined => {
  if (isParametricMap(header)) return realWorld(header, frame);
  const slope = isDose(header) ? numberOf(header, tag.DoseGridScaling) : undefined;
  return slope ? { slope, intercept: 0, unit: doseUnit(header), name: t`Dose` } : undefined;
};

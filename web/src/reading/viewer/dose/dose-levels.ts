import { t } from '@lingui/core/macro';
import { ticksBetween } from '#reading/viewer/scales/ticks.ts';

/** Value that is 100 percent, or absolute levels. */
export type DoseReference = 'prescription' | 'maximum' | 'absolute';

/** Level of an isodose line: its dose, its text and its color. */
export type Level = { dose: number; text: string; color: string };

/** Colors from the highest level to the lowest. */
const colors = ['#ff2e2e', '#ff8a1f', '#ffe11f', '#8dff3a', '#1fe0a0', '#23c4ff', '#4f7bff', '#b36bff', '#ff7ad9'];

const percents = {
  prescription: [107, 100, 95, 90, 80, 70, 50, 30],
  maximum: [95, 90, 80, 70, 50, 30, 10],
} as const;

/** Number of absolute levels. */
const mostLevels = 8;

export const doseText = (dose: number, unit: string): string => {
  const text = dose.toFixed(dose >= 100 ? 0 : dose >= 1 ? 1 : 3);
  return unit ? `${text} ${unit}` : text;
};

type Given = { reference: DoseReference; prescription: number | undefined; maximum: number; unit: string };

/** Returns the reference that can be used: without a prescription, the maximum. */
export const usableReference = ({ reference, prescription, unit }: Given): DoseReference => {
  if (reference === 'prescription' && prescription === undefined) return 'maximum';
  return reference === 'absolute' && unit === '' ? 'maximum' : reference;
};

/** Returns the levels of the isodose lines, the highest first. Levels above the maximum dose have no line. */
export const levelsOf = (given: Given): Level[] => {
  const { prescription, maximum, unit } = given;
  const reference = usableReference(given);
  const all =
    reference === 'absolute'
      ? ticksBetween(0, maximum, mostLevels)
          .filter((dose) => dose > 0)
          .toReversed()
          .map((dose) => ({ dose, text: doseText(dose, unit) }))
      : percents[reference].map((percent) => {
          const dose = (percent / 100) * ((reference === 'prescription' ? prescription : maximum) ?? maximum);
          return { dose, text: unit ? `${percent}% · ${doseText(dose, unit)}` : `${percent}%` };
        });
  return all.map((level, at) => ({ ...level, color: colors[at % colors.length] ?? 'white' }));
};

/** Returns what 100 percent is, for the legend. Empty for absolute levels. */
export const baseText = (given: Given): string => {
  const reference = usableReference(given);
  if (reference === 'absolute') return '';
  const dose = (reference === 'prescription' ? given.prescription : given.maximum) ?? given.maximum;
  const label = referenceLabels[reference];
  return given.unit ? `${label}: 100% = ${doseText(dose, given.unit)}` : `${label}: 100%`;
};

export const referenceLabels: Record<DoseReference, string> = {
  prescription: t`Prescribed`,
  maximum: t`Maximum`,
  absolute: 'Gy',
};

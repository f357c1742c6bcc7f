import { t } from '@lingui/core/macro';
import { escapeHtml } from '@radwork/contract/reading/merge-fields';
import { type Measurement, measurementToolLabels, planeWords } from '@radwork/contract/reading/measurements';
import { summaryOf } from '@radwork/contract/reading/measurement-text';

const cells = (tag: 'td' | 'th', texts: readonly string[]) =>
  `<tr>${texts.map((text) => `<${tag}><p>${escapeHtml(text)}</p></${tag}>`).join('')}</tr>`;

/** Returns the label of a measurement, or its tool. For a measurement on a plane through a volume, adds the plane. */
const findingOf = ({ label, tool, plane }: Measurement): string => {
  if (label) return label;
  const words = measurementToolLabels[tool];
  return plane && tool !== 'SPHERE' ? `${words}, ${planeWords(plane)}` : words;
};

/** Renders measurements as a report table: finding, value and author. */
export const measurementsTable = (measured: readonly Measurement[]): string => {
  const rows = measured.map((one) => cells('td', [findingOf(one), summaryOf(one.values), one.author.name]));
  return `<table><tbody>${cells('th', [t`Finding`, t`Measurement`, t`Measured by`])}${rows.join('')}</tbody></table>`;
};

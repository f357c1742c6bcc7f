import { t } from '@lingui/core/macro';
import { changeText, followedMm, readingsAround } from '@radwork/contract/reading/lesion-text';
import type { LesionsOfStudy } from '@radwork/contract/reading/lesions';
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

/**
 * Renders measurements as a report table: finding, value and author. `changes` has the change since the last earlier study
 * by measurement ID; with any, the table has a column for it.
 */
export const measurementsTable = (
  measured: readonly Measurement[],
  changes: ReadonlyMap<string, string> = new Map(),
): string => {
  const hasChanges = measured.some(({ id }) => changes.has(id));
  const withChange = (change: string) => (hasChanges ? [change] : []);
  const rows = measured.map((one) =>
    cells('td', [findingOf(one), summaryOf(one.values), ...withChange(changes.get(one.id) ?? '–'), one.author.name]),
  );
  const head = [t`Finding`, t`Measurement`, ...withChange(t`Change`), t`Measured by`];
  return `<table><tbody>${cells('th', head)}${rows.join('')}</tbody></table>`;
};

/** Returns the change of each measurement of a study since the last earlier study, by measurement ID. */
export const changesIn = ({ lesions, timepoints }: LesionsOfStudy, studyId: string): Map<string, string> =>
  new Map(
    lesions.flatMap((lesion): [string, string][] => {
      const { before, now } = readingsAround(lesion, timepoints, studyId);
      const change = changeText(followedMm(lesion.isNode, before), followedMm(lesion.isNode, now));
      return now?.measurementId && change !== '' ? [[now.measurementId, change]] : [];
    }),
  );

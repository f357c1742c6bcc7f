import { t } from '@lingui/core/macro';
import { percentText, readingText, recistOf, sumText } from '@radwork/contract/reading/lesion-text';
import type { LesionsOfStudy } from '@radwork/contract/reading/lesions';
import { escapeHtml } from '@radwork/contract/reading/merge-fields';
import { recistResponseLabels } from '@radwork/contract/reading/recist';

const row = (tag: 'td' | 'th', texts: readonly string[]): string =>
  `<tr>${texts.map((text) => `<${tag}><p>${escapeHtml(text)}</p></${tag}>`).join('')}</tr>`;

/**
 * Renders the RECIST 1.1 table as a report table: lesions, sums, changes and responses of each study. Missing inputs
 * follow as a paragraph.
 */
export const recistHtml = (found: LesionsOfStudy): string => {
  const { days, timepoints, problems } = recistOf(found);
  const lesionRows = found.lesions
    .filter(({ kind }) => kind !== 'FOLLOWED')
    .map(({ label, organ, readings }) =>
      row('td', [
        [label, organ].filter(Boolean).join(', ') || t`Lesion`,
        ...found.timepoints.map(({ studyId }) => readingText(readings.find((one) => one.studyId === studyId))),
      ]),
    );
  const figures = [
    row('td', [t`Sum of target lesions`, ...timepoints.map(({ sumMm }) => sumText(sumMm))]),
    row('td', [t`From baseline`, ...timepoints.map((one) => percentText(one.fromBaselinePercent))]),
    row('td', [t`From smallest sum`, ...timepoints.map((one) => percentText(one.fromNadirPercent))]),
    row('td', [t`Target lesions`, ...timepoints.map(({ target }) => recistResponseLabels[target])]),
    row('td', [t`Non-target lesions`, ...timepoints.map(({ nonTarget }) => recistResponseLabels[nonTarget])]),
    row('td', [t`New lesions`, ...timepoints.map(({ hasNewLesion }) => (hasNewLesion ? t`Yes` : t`No`))]),
    row('td', [t`Overall response`, ...timepoints.map(({ overall }) => recistResponseLabels[overall])]),
  ];
  const missing = [...problems, ...timepoints.flatMap((timepoint) => timepoint.missing)];
  const table = `<table><tbody>${row('th', [t`RECIST 1.1`, ...days])}${lesionRows.join('')}${figures.join('')}</tbody></table>`;
  return missing.length === 0 ? table : `${table}<p>${escapeHtml(missing.join('. '))}.</p>`;
};

import { t } from '@lingui/core/macro';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { formatAge, formatLocal } from '#ui/formats/formats.ts';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import { linkBetween } from '#reading/viewer/standard/hanging/stack-links.ts';

type Dated = Pick<StudyDetails, 'studyDate'>;

/** Returns the label of a pane with another study: "PRIOR 2024-11-20 · 2y earlier". */
export const priorLabel = (study: Dated, other: Dated): string => {
  const day = formatLocal(other.studyDate).slice(0, 'yyyy-MM-dd'.length);
  if (!other.studyDate || !study.studyDate) return day ? t`OTHER STUDY ${day}` : t`OTHER STUDY without a date`;
  const isEarlier = other.studyDate <= study.studyDate;
  const [from, to] = isEarlier ? [other.studyDate, study.studyDate] : [study.studyDate, other.studyDate];
  const time = formatAge(from, to);
  if (time === formatAge(from, from) || time === '') return isEarlier ? t`PRIOR ${day}` : t`LATER STUDY ${day}`;
  return isEarlier ? t`PRIOR ${day} · ${time} earlier` : t`LATER STUDY ${day} · ${time} later`;
};

/** Returns the text about linked scrolling of a pane. Empty if the pane is not linked. */
export const linkText = (views: readonly (View | undefined)[], at: number): string => {
  const mine = views[at];
  if (!mine) return '';
  const links = views.flatMap((other) => (other && other !== mine ? (linkBetween(mine, other) ?? []) : []));
  if (links.length === 0) return '';
  return links.includes('position') ? t`Linked` : t`Linked by offset`;
};

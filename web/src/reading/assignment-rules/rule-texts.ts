import { plural, t } from '@lingui/core/macro';
import {
  type ArrivalConditions,
  type Shift,
  type Weekday,
  weekdays,
} from '@radwork/contract/imaging/arrival-conditions';
import type { AssignmentRuleForm } from '@radwork/contract/reading/assignment-rules';
import { followUpPartLabels } from '@radwork/contract/reading/follow-up-parts';
import { locale } from '#core/language.ts';
import { isolateText } from '#ui/formats/isolate-text.ts';

const weekdayFormat = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });

/** Returns the short name of a day of the week. 2024-01-01 was a Monday. */
export const weekdayLabel = (day: Weekday): string => weekdayFormat.format(new Date(Date.UTC(2024, 0, day)));

export const bodyPartLabel = (part: string): string =>
  Object.entries(followUpPartLabels).find(([code]) => code === part.toUpperCase())?.[1] ?? part;

/** Returns the days of a shift: a range from three days on, such as "Mon–Fri". */
const daysText = (days: readonly Weekday[]): string => {
  const sorted = weekdays.filter((day) => days.includes(day));
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return '';
  const isRange = sorted.length > 2 && last - first === sorted.length - 1;
  return isRange ? `${weekdayLabel(first)}–${weekdayLabel(last)}` : sorted.map(weekdayLabel).join(', ');
};

export const shiftText = ({ days, from, to }: Shift): string => `${daysText(days)} ${from}–${to}`;

/** Returns the conditions of a rule in one line, or that it applies to all studies. */
export const conditionsText = ({ modalities, bodyParts, sites, priorities, shift }: ArrivalConditions): string => {
  const parts = [modalities, bodyParts.map(bodyPartLabel), sites.map(isolateText), priorities]
    .filter(({ length }) => length > 0)
    .map((values) => values.join(', '));
  return [...parts, shift && shiftText(shift)].filter(Boolean).join(' · ') || t`All studies`;
};

/** Returns the assignee of a rule: "Neuro, fewest open studies, at most 10". */
export const assigneeText = ({ assignee, mostOpen }: Pick<AssignmentRuleForm, 'assignee' | 'mostOpen'>, name: string) =>
  [
    name === '' ? t`Deleted` : isolateText(name),
    assignee.kind === 'LEAST_LOADED' && t`fewest open studies`,
    assignee.kind !== 'GROUP' &&
      mostOpen !== null &&
      plural(mostOpen, { one: 'at most # open', other: 'at most # open' }),
  ]
    .filter(Boolean)
    .join(', ');

import type { StudyView, StudyViewCount } from '@radwork/contract/imaging/studies';
import type { Scope } from '#core/access/scope.ts';
import { countStudies } from './study-sources.ts';

/** Maximum number that is counted for each view. Every list shows the counts of all views and reloads them often. */
const mostCounted = 1000;

const countView = (scope: Scope, view: StudyView): Promise<StudyViewCount> =>
  countStudies(scope, { view }, mostCounted);

/** Returns the number of studies in each view of the caller. */
export const views = async (scope: Scope): Promise<Record<StudyView, StudyViewCount>> => {
  const [MINE, UNASSIGNED, PENDING, IN_PROGRESS, OVERDUE, ALL] = await Promise.all([
    countView(scope, 'MINE'),
    countView(scope, 'UNASSIGNED'),
    countView(scope, 'PENDING'),
    countView(scope, 'IN_PROGRESS'),
    countView(scope, 'OVERDUE'),
    countView(scope, 'ALL'),
  ]);
  return { MINE, UNASSIGNED, PENDING, IN_PROGRESS, OVERDUE, ALL };
};

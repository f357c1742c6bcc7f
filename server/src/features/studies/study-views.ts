import type { StudyView, StudyViewCount } from '@radwork/contract/studies';
import type { Scope } from '#core/scope.ts';
import { countStudies } from './study-keys.ts';

/** So many of a view are counted; every list shows its views' counts again and again. */
const mostCounted = 1000;

const countView = (scope: Scope, view: StudyView): Promise<StudyViewCount> =>
  countStudies(scope, { view }, mostCounted);

/** How many studies each view has for the caller. */
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

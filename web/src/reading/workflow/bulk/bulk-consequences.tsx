import { plural, t } from '@lingui/core/macro';
import type { StudyOutcome } from '@radwork/contract/reading/bulk-changes';

/** Says what a change of many studies would do, and why studies stay as they are. */
export const bulkConsequences = (
  outcomes: readonly StudyOutcome[],
  { canUndo, groupCount }: { canUndo: boolean; groupCount: number },
) => {
  const changed = outcomes.filter(({ outcome }) => outcome === 'CHANGED').length;
  const others = outcomes.filter(({ outcome }) => outcome !== 'CHANGED');
  const reasons = [...Map.groupBy(others, ({ reason }) => reason)];
  return (
    <>
      <p>{t`${plural(changed, { one: '# study changes.', other: '# studies change.' })}`}</p>
      {changed > 0 && groupCount > 0 && (
        <p>{t`${plural(groupCount, { one: 'Members of the group will see', other: 'Members of the groups will see' })} these studies.`}</p>
      )}
      {reasons.length > 0 && (
        <>
          <p>{t`${plural(others.length, { one: '# study stays as it is:', other: '# studies stay as they are:' })}`}</p>
          <ul>
            {reasons.map(([reason, studies]) => (
              <li key={reason}>
                {studies.length} × {reason}
              </li>
            ))}
          </ul>
        </>
      )}
      {changed > 0 && !canUndo && <p>{t`This cannot be undone in one step.`}</p>}
    </>
  );
};

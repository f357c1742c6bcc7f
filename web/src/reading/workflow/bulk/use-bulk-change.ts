import { plural, t } from '@lingui/core/macro';
import type { Body, Endpoint } from '@radwork/contract/core/endpoint';
import { bulkChanges, type StudyOutcome } from '@radwork/contract/reading/bulk-changes';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { call, errorMessageOf } from '#core/http/api.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { offerUndo } from '#ui/feedback/undo-toast.tsx';
import { toast } from '#core/browser/toasts.ts';
import { bulkConsequences } from './bulk-consequences.tsx';

/** Time-out for a change of many studies, in milliseconds. */
const patience = 120_000;

type Input<E extends Endpoint> = Omit<Body<E>, 'isDryRun'>;

/** A change of many studies, with the texts of its question. */
export type BulkChange =
  | { type: 'assign'; form: Input<typeof bulkChanges.assign>; question: string; verb: string }
  | { type: 'prioritize'; form: Input<typeof bulkChanges.prioritize>; question: string; verb: string }
  | { type: 'changeStatus'; form: Input<typeof bulkChanges.changeStatus>; question: string; verb: string };

const send = (change: Pick<BulkChange, 'type' | 'form'>, isDryRun: boolean): Promise<StudyOutcome[]> =>
  call(bulkChanges[change.type], { body: { ...change.form, isDryRun } } as never, { timeout: patience });

const changedIn = (outcomes: readonly StudyOutcome[]): StudyOutcome[] =>
  outcomes.filter(({ outcome }) => outcome === 'CHANGED');

const refresh = (client: QueryClient) =>
  Promise.all(['studies', 'workflow', 'dashboard'].map((noun) => client.invalidateQueries({ queryKey: [noun] })));

/** Limits a change of statuses to studies that still have the status of the dry run, as the user agreed to it. */
const onlyAsSeen = (change: BulkChange, expected: readonly StudyOutcome[]): Pick<BulkChange, 'type' | 'form'> => {
  if (change.type !== 'changeStatus') return change;
  const onlyFrom = Object.fromEntries(changedIn(expected).map(({ studyId, before }) => [studyId, before]));
  return { type: change.type, form: { ...change.form, onlyFrom: onlyFrom as typeof change.form.onlyFrom } };
};

/**
 * Changes many studies. First asks the server what would change and shows it; then changes, and offers to undo what can
 * be undone. Resolves to whether anything was changed.
 */
export const useBulkChange = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (change: BulkChange): Promise<boolean> => {
      const expected = await send(change, true);
      const agreed = await confirm({
        question: change.question,
        consequence: bulkConsequences(expected, {
          canUndo: undoOf(change, expected) !== undefined,
          groupCount: change.type === 'assign' ? change.form.groupIds.length : 0,
        }),
        verb: changedIn(expected).length > 0 ? change.verb : t`Change nothing`,
        tone: change.type === 'changeStatus' && change.form.newStatus === 'CANCELLED' ? 'danger' : 'primary',
      });
      if (!agreed || changedIn(expected).length === 0) return false;
      const outcomes = await send(onlyAsSeen(change, expected), false);
      await refresh(client);
      tell(client, change, outcomes);
      return true;
    },
    onError: (error) => toast.failure(errorMessageOf(error, t`Failed to change the studies`)),
  });
};

const tell = (client: QueryClient, change: BulkChange, outcomes: readonly StudyOutcome[]) => {
  const changed = changedIn(outcomes).length;
  const others = outcomes.length - changed;
  const done = t`${plural(changed, { one: '# study changed', other: '# studies changed' })}`;
  const left = t`${plural(others, { one: '# study stays as it is', other: '# studies stay as they are' })}`;
  const message = others > 0 ? `${done}. ${left}.` : done;
  const undo = undoOf(change, outcomes);
  if (!undo) return toast.success(message);
  offerUndo(message, () => {
    void undo()
      .then(() => refresh(client))
      .then(
        () => toast.success(t`Change undone`),
        (error: unknown) => toast.failure(errorMessageOf(error, t`Failed to undo the change`)),
      );
  });
};

/** Returns a function that undoes a change. Undefined if the status of a study cannot change back. */
const undoOf = (change: BulkChange, outcomes: readonly StudyOutcome[]): (() => Promise<unknown>) | undefined => {
  const changed = changedIn(outcomes);
  if (changed.length === 0 || change.type === 'changeStatus') return undefined;
  if (change.type === 'assign') {
    const { userIds, groupIds } = change.form;
    const body = { studyIds: changed.map(({ studyId }) => studyId), userIds, groupIds, isUndo: true };
    return () => call(bulkChanges.unassign, { body }, { timeout: patience });
  }
  const { priority } = change.form;
  const byPriority = Map.groupBy(changed, ({ before }) => before);
  return () =>
    Promise.all(
      Array.from(byPriority, ([before, studies]) => {
        const body = { studyIds: studies.map(({ studyId }) => studyId), priority: before, onlyFrom: priority };
        return call(bulkChanges.prioritize, { body } as never, { timeout: patience });
      }),
    );
};

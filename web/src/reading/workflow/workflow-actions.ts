import { t } from '@lingui/core/macro';
import type { StudyStatus } from '@radwork/contract/imaging/study-status';
import { type StudyWork, workflow } from '@radwork/contract/reading/workflow';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, call, pollingQuery, query, errorMessageOf } from '#core/http/api.ts';
import { usePollInterval } from '#core/live/live.ts';
import { toast } from '#core/browser/toasts.ts';

/** Polling interval in milliseconds while no change events arrive. */
const pollTime = 30_000;

/** Fetches status, assignments and allowed actions of a study. */
export const useWork = (studyId: string) =>
  useQuery({
    ...pollingQuery(workflow.read, { params: { id: studyId } }),
    refetchInterval: usePollInterval(pollTime),
  });

/** Actions on the workflow of a study. */
export type WorkAction =
  | { type: 'changeStatus'; newStatus: StudyStatus; comments: string; revision: number }
  | { type: 'reinstate'; reason: string }
  | { type: 'assign'; userIds: string[]; groupIds?: string[]; dueDate: string | null; notes: string }
  | { type: 'removeGroup'; groupId: string }
  | { type: 'remove'; userId: string }
  | { type: 'takeAccess'; userId: string }
  | { type: 'extend'; userId: string; dueDate: string }
  | { type: 'complete'; userId: string; notes: string };

const words: Record<WorkAction['type'], { done: string; failed: string }> = {
  changeStatus: { done: t`Status updated successfully`, failed: t`Error updating study status` },
  reinstate: { done: t`Status updated successfully`, failed: t`Error updating study status` },
  assign: { done: t`Users assigned successfully`, failed: t`Error assigning users` },
  removeGroup: { done: t`Assignment removed successfully`, failed: t`Error removing assignment` },
  remove: { done: t`Assignment removed successfully`, failed: t`Error removing assignment` },
  takeAccess: { done: t`Access removed successfully`, failed: t`Error removing access` },
  extend: { done: t`Due date extended successfully`, failed: t`Error extending due date` },
  complete: { done: t`Assignment completed successfully`, failed: t`Error completing assignment` },
};

/** Calls the endpoint of an action and returns the updated workflow. Throws ApiError. */
export const perform = (studyId: string, action: WorkAction): Promise<StudyWork> => {
  const id = studyId;
  switch (action.type) {
    case 'changeStatus': {
      const { newStatus, comments, revision } = action;
      return call(workflow.changeStatus, { params: { id }, query: { newStatus, comments, revision } });
    }
    case 'reinstate':
      return call(workflow.reinstate, { params: { id }, body: { reason: action.reason } });
    case 'assign': {
      const { userIds, groupIds, dueDate, notes } = action;
      const ofGroups = groupIds?.length ? { groupIds } : {};
      return call(workflow.assign, { params: { id }, body: { userIds, ...ofGroups, dueDate, notes } });
    }
    case 'removeGroup':
      return call(workflow.removeGroupAssignment, { params: { id, groupId: action.groupId } });
    case 'remove':
      return call(workflow.removeAssignment, { params: { id, userId: action.userId }, query: { state: 'ACTIVE' } });
    case 'takeAccess':
      return call(workflow.removeAssignment, { params: { id, userId: action.userId }, query: { state: 'ENDED' } });
    case 'extend':
      return call(workflow.extend, { params: { id, userId: action.userId }, body: { dueDate: action.dueDate } });
    case 'complete':
      return call(workflow.complete, { params: { id, userId: action.userId }, body: { notes: action.notes } });
    default:
      throw new Error('Unknown workflow action');
  }
};

/** Beginnings of the query keys of all data that shows workflow or assignable users. */
const nouns = ['workflow', 'studies', 'users'];

/**
 * Performs a workflow action and shows the result. Refetches even after an error, because another user may have changed
 * the study.
 */
export const useWorkAction = (studyId: string) => {
  const client = useQueryClient();
  const refresh = () => Promise.all(nouns.map((noun) => client.invalidateQueries({ queryKey: [noun] })));
  return useMutation({
    mutationFn: (action: WorkAction) => perform(studyId, action),
    onSuccess: (work, action) => {
      toast.success(words[action.type].done);
      client.setQueryData(query(workflow.read, { params: { id: studyId } }).queryKey, work);
      return refresh();
    },
    onError: (error, action) => {
      toast.failure(errorMessageOf(error, words[action.type].failed));
      if (error instanceof ApiError && error.status === 409) void refresh();
    },
  });
};

/** Returns the error message of an action, shown next to its button. */
export const failureOf = (action: ReturnType<typeof useWorkAction>): string | undefined =>
  action.error && action.variables ? errorMessageOf(action.error, words[action.variables.type].failed) : undefined;

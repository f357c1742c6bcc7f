import {
  defaultReadingQueue,
  groupOfQueue,
  type ReadingQueue,
  viewOfQueue,
} from '@radwork/contract/reading/reading-queue';
import type { Scope } from '#core/access/scope.ts';
import { filterOfView } from '#imaging/saved-views/saved-view-rows.ts';
import type { StudyFilter } from '#imaging/studies/study-filter.ts';

/** A part of a queue, as a filter of the study list. */
export type QueuePart = StudyFilter;

/** A queue with its parts, whose studies are offered one part after another. */
export type JudgedQueue = { queue: ReadingQueue; parts: readonly QueuePart[] };

const mine: QueuePart = { view: 'MINE' };
const unassigned: QueuePart = { view: 'UNASSIGNED' };

const fallback: JudgedQueue = { queue: defaultReadingQueue, parts: [mine, unassigned] };

/**
 * Returns the parts of a queue. A queue of a deleted group, and one of a saved view that the caller may not use, becomes
 * the default queue.
 */
export const judgeQueue = async (scope: Scope, queue: ReadingQueue): Promise<JudgedQueue> => {
  const parts = await partsOf(scope, queue);
  return parts ? { queue, parts } : fallback;
};

const partsOf = async (scope: Scope, queue: ReadingQueue): Promise<readonly QueuePart[] | undefined> => {
  const [groupId, viewId] = [groupOfQueue(queue), viewOfQueue(queue)];
  if (groupId !== undefined) return (await isGroup(scope, groupId)) ? [{ groupId }] : undefined;
  if (viewId !== undefined) {
    const filter = await filterOfView(scope, viewId);
    return filter && [filter];
  }
  if (queue === 'ALL') return [{}];
  if (queue === 'MINE') return [mine];
  return queue === 'UNASSIGNED' ? [unassigned] : fallback.parts;
};

const isGroup = async ({ db }: Scope, id: string): Promise<boolean> =>
  (await db.selectFrom('groups').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;

import { type TaskEntry, workflow } from '@radwork/contract/reading/workflow';
import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '#core/http/api.ts';

/** Entries per page. */
const pageSize = 10;

/** Delay in milliseconds, because events come in bursts. One request then covers the whole burst. */
const debounce = 300;

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

/** The loaded part of the task history of a study, newest first. */
export const useTaskHistory = (studyId: string) =>
  useInfiniteQuery({
    // Begins with the feature name like all query keys, so that workflow changes also refetch this query.
    queryKey: ['workflow', workflow.history.path, studyId],
    queryFn: async ({ pageParam, signal }) => {
      if (pageParam === 0) await pause(debounce, signal);
      const query = { page: pageParam, size: pageSize, sort: 'timestamp,desc' };
      return call(workflow.history, { params: { id: studyId }, query }, { signal });
    },
    initialPageParam: 0,
    getNextPageParam: ({ number, totalPages }) => (number + 1 < totalPages ? number + 1 : undefined),
    select: ({ pages }) => ({
      entries: withoutRepetition(pages.flatMap(({ content }) => content)),
      total: pages.at(-1)?.totalElements ?? 0,
    }),
  });

/** Removes repeated entries. New events move entries to later pages, so an entry may occur on two pages. */
const withoutRepetition = (entries: TaskEntry[]): TaskEntry[] => [
  ...new Map(entries.map((entry) => [entry.id, entry])).values(),
];

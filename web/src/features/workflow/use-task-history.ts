import { type TaskEntry, workflow } from '@radwork/contract/workflow';
import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '#core/api.ts';

/** Entries that are asked for at a time. */
const pageSize = 10;

/** Events come in bursts, a cause and what follows from it: one look at the server is enough for them. */
const debounce = 300;

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

/** The task history of a study, newest first, as far as it has been asked for. */
export const useTaskHistory = (studyId: string) =>
  useInfiniteQuery({
    // The noun first, as everywhere, so that it is asked for again with all that is shown of the work on studies.
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

/** An event that happens between two pages moves the others down, so that one may come twice. */
const withoutRepetition = (entries: TaskEntry[]): TaskEntry[] => [
  ...new Map(entries.map((entry) => [entry.id, entry])).values(),
];

import { autosaveIntervalMs, type Autosave, reportAutosaves } from '@radwork/contract/reading/report-autosaves';
import { queryOptions, type QueryClient, useQuery } from '@tanstack/react-query';
import { call } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';

export { autosaveIntervalMs };

/** Running autosave requests by study. When the user opens a study again, it waits for its running requests. */
const onTheWay = new Map<string, Promise<unknown>>();

const autosavesQuery = (studyId: string) =>
  queryOptions({
    queryKey: ['kept-texts', studyId],
    queryFn: async ({ signal }) => {
      await onTheWay.get(studyId);
      return call(reportAutosaves.find, { params: { id: studyId } }, { signal });
    },
    // The autosaves are fetched when a study opens. Afterwards this page updates the cache for its own autosaves.
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: Infinity,
    retry: 1,
  });

/**
 * The user's autosaves of a study on the server. If the server does not answer, the list is empty, but no autosave is
 * deleted.
 */
export const useAutosaves = (studyId: string): { texts: readonly Autosave[]; isPending: boolean } => {
  const isAllowed = may(reportAutosaves.find);
  const textsQuery = useQuery({ ...autosavesQuery(studyId), enabled: isAllowed });
  const isPending = isAllowed && !textsQuery.isFetchedAfterMount;
  return { texts: textsQuery.data ?? none, isPending };
};

const none: readonly Autosave[] = [];

/**
 * Whether an autosave belongs to this report. If the report is null: whether the autosave was written before the study
 * had a report.
 */
export const isAutosaveOf = (report: { id: string } | null) => (text: Autosave) =>
  text.reportId === (report?.id ?? null);

const update = (client: QueryClient, studyId: string, change: (texts: Autosave[]) => Autosave[]) =>
  client.setQueryData(autosavesQuery(studyId).queryKey, (texts) => change(texts ?? []));

/** Removes an autosave from the cache after the user has saved or discarded its text. */
export const removeCachedAutosave = (client: QueryClient, studyId: string, id: string) =>
  update(client, studyId, (texts) => texts.filter((text) => text.id !== id));

/** Fetches the autosaves again after another window has stored an autosave. */
export const refetchAutosaves = (client: QueryClient, studyId: string): Promise<Autosave[]> =>
  client.fetchQuery({ ...autosavesQuery(studyId), staleTime: 0 });

type Text = Omit<Autosave, 'savedAt'>;

/** The error is ignored here, because the caller of `saveAutosave` handles it. */
export const saveAutosave = (
  client: QueryClient,
  studyId: string,
  text: Text,
  replaces: string | null,
): Promise<Pick<Autosave, 'id' | 'savedAt'>> => {
  const { patient, ...words } = text;
  const keeping = call(
    reportAutosaves.keep,
    { params: { id: studyId }, body: { ...words, patientId: patient?.id ?? null, replaces } },
    { keepalive: true },
  );
  const done = keeping
    .then((saved) =>
      update(client, studyId, (texts) => [
        { ...text, ...saved },
        ...texts.filter(({ reportId }) => reportId !== text.reportId),
      ]),
    )
    // The error is ignored here, because the caller of `saveAutosave` handles it.
    .catch(() => {});
  onTheWay.set(studyId, done);
  return keeping;
};

/** Discards an autosave. If the request fails, the server offers the text again later. */
export const discardAutosave = async (client: QueryClient, studyId: string, id: string): Promise<void> => {
  removeCachedAutosave(client, studyId, id);
  await call(reportAutosaves.giveUp, { params: { id: studyId }, query: { keptTextId: id } }).catch(() => {});
};

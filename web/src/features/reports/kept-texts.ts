import { keepEvery, type KeptText, reportAutosaves } from '@radwork/contract/report-autosaves';
import { queryOptions, type QueryClient, useQuery } from '@tanstack/react-query';
import { call } from '#core/api.ts';
import { may } from '#core/session.ts';

export { keepEvery };

/** What is on its way to the server, by study: whoever opens the study again waits for it. */
const onTheWay = new Map<string, Promise<unknown>>();

const keptTexts = (studyId: string) =>
  queryOptions({
    queryKey: ['kept-texts', studyId],
    queryFn: async ({ signal }) => {
      await onTheWay.get(studyId);
      return call(reportAutosaves.find, { params: { id: studyId } }, { signal });
    },
    // Looked at when a study is opened; from then on this page knows what it keeps.
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: Infinity,
    retry: 1,
  });

/**
 * What the server keeps for whoever writes in a study. Without an answer there is nothing of it to show, and whatever is
 * there stays there: it is never replaced by somebody who does not know it.
 */
export const useKeptTexts = (studyId: string): { texts: readonly KeptText[]; isPending: boolean } => {
  const isAllowed = may(reportAutosaves.find);
  const found = useQuery({ ...keptTexts(studyId), enabled: isAllowed });
  const isPending = isAllowed && !found.isFetchedAfterMount;
  return { texts: found.data ?? none, isPending };
};

const none: readonly KeptText[] = [];

/** Of which report a kept text is: of none before it is begun. */
export const isTextOf = (report: { id: string } | null) => (text: KeptText) => text.reportId === (report?.id ?? null);

const update = (client: QueryClient, studyId: string, change: (texts: KeptText[]) => KeptText[]) =>
  client.setQueryData(keptTexts(studyId).queryKey, (texts) => change(texts ?? []));

/** Notes that a kept text is no longer there: it was saved, or given up. */
export const noteGone = (client: QueryClient, studyId: string, id: string) =>
  update(client, studyId, (texts) => texts.filter((text) => text.id !== id));

/** Asks again what is kept, after another window turned out to have kept something. */
export const askAgain = (client: QueryClient, studyId: string): Promise<KeptText[]> =>
  client.fetchQuery({ ...keptTexts(studyId), staleTime: 0 });

type Text = Omit<KeptText, 'savedAt'>;

/** Has the server keep a text; `replaces` is the kept one that it goes on from. Throws ApiError. */
export const keepText = (
  client: QueryClient,
  studyId: string,
  text: Text,
  replaces: string | null,
): Promise<Pick<KeptText, 'id' | 'savedAt'>> => {
  const { patient, ...words } = text;
  const keeping = call(
    reportAutosaves.keep,
    { params: { id: studyId }, body: { ...words, patientId: patient?.id ?? null, replaces } },
    { keepalive: true },
  );
  const done = keeping
    .then((kept) =>
      update(client, studyId, (texts) => [
        { ...text, ...kept },
        ...texts.filter(({ reportId }) => reportId !== text.reportId),
      ]),
    )
    // Whoever keeps it hears of it.
    .catch(() => {});
  onTheWay.set(studyId, done);
  return keeping;
};

/** The writer needs a kept text no more. When the server cannot be told, it is offered once more. */
export const giveUpText = async (client: QueryClient, studyId: string, id: string): Promise<void> => {
  noteGone(client, studyId, id);
  await call(reportAutosaves.giveUp, { params: { id: studyId }, query: { keptTextId: id } }).catch(() => {});
};

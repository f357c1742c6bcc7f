import { z } from 'zod';
import { readSession } from '#core/state/session.ts';

/** Studies that the reader has passed in this tab: all in their order, and those that were skipped. */
const readingRound = z.object({ opened: z.array(z.string()), skipped: z.array(z.string()) });
type ReadingRound = z.infer<typeof readingRound>;

const nothing: ReadingRound = { opened: [], skipped: [] };

/** Longest list that the server accepts. */
const most = 500;

const storageName = (): string => {
  const session = readSession();
  return `reading-round.${session?.tenant.subdomain ?? ''}.${session?.user.id ?? ''}`;
};

export const readRound = (): ReadingRound => {
  try {
    return readingRound.safeParse(JSON.parse(sessionStorage.getItem(storageName()) ?? '')).data ?? nothing;
  } catch {
    return nothing;
  }
};

const writeRound = ({ opened, skipped }: ReadingRound): void => {
  const round = { opened: opened.slice(-most), skipped: skipped.slice(-most) };
  try {
    sessionStorage.setItem(storageName(), JSON.stringify(round));
  } catch {
    // Without storage, skipped studies may be offered again. Nothing else depends on it.
  }
};

const without = (ids: readonly string[], id: string): string[] => ids.filter((known) => known !== id);

/** Notes that a study opens. It is no longer a skipped study. */
export const noteOpened = (studyId: string): void => {
  const { opened, skipped } = readRound();
  writeRound({ opened: [...without(opened, studyId), studyId], skipped: without(skipped, studyId) });
};

/** Notes that the reader skips a study for the rest of this round. */
export const noteSkipped = (studyId: string): void => {
  const { opened, skipped } = readRound();
  writeRound({ opened, skipped: [...without(skipped, studyId), studyId] });
};

/** Returns the study that was open before this one. */
export const openedBefore = (studyId: string): string | undefined => {
  const { opened } = readRound();
  const place = opened.indexOf(studyId);
  return place === -1 ? opened.at(-1) : opened[place - 1];
};

/** Forgets what was skipped, for a new round. */
export const forgetRound = (): void => writeRound(nothing);

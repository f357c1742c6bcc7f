import { t } from '@lingui/core/macro';
import { useSyncExternalStore } from 'react';

/** Whether dictated phrases are still being written, or the first of them was not written. */
export type UnwrittenPhrases = 'writing' | 'failed';

/** Announces each change of `states`. */
const changes = new EventTarget();

/** Unwritten phrases by study. */
const states = new Map<string, UnwrittenPhrases>();

/** Notes that phrases dictated into the report of a study are not in the text yet; undefined if all are. */
export const noteUnwrittenPhrases = (studyId: string, state: UnwrittenPhrases | undefined): void => {
  if (states.get(studyId) === state) return;
  if (state) states.set(studyId, state);
  else states.delete(studyId);
  changes.dispatchEvent(new Event('change'));
};

const reasons: Record<UnwrittenPhrases, string> = {
  writing: t`Dictated words are still being written.`,
  failed: t`A dictated phrase was not written. Retry or discard it above the text.`,
};

const subscribe = (listener: () => void) => {
  changes.addEventListener('change', listener);
  return () => changes.removeEventListener('change', listener);
};

/** Returns why the text of a study is not complete; undefined if no dictated phrase is missing. */
export const useUnwrittenPhrases = (studyId: string): string | undefined => {
  const state = useSyncExternalStore(subscribe, () => states.get(studyId));
  return state && reasons[state];
};

import { useSyncExternalStore } from 'react';

/** Announces each start and end of a dictation. */
const changes = new EventTarget();

/** Studies into whose report the user dictates. */
const studies = new Set<string>();

/** Notes whether the user dictates into the report of a study, also before the first words are in the text. */
export const noteDictation = (studyId: string, isOn: boolean): void => {
  if (studies.has(studyId) === isOn) return;
  if (isOn) studies.add(studyId);
  else studies.delete(studyId);
  changes.dispatchEvent(new Event('change'));
};

const subscribe = (listener: () => void) => {
  changes.addEventListener('change', listener);
  return () => changes.removeEventListener('change', listener);
};

/** Returns whether the user dictates into the report of a study. */
export const useIsDictating = (studyId: string): boolean => useSyncExternalStore(subscribe, () => studies.has(studyId));

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { holdReadingLock, type LockState } from './hold-reading-lock.ts';

/**
 * Holds the reading lock of a study while its editor is open, or while the study is open in reading mode. Returns the state of the lock. After a refusal, fetches
 * the report again, which then names the writer.
 */
export const useReadingLock = (
  studyId: string,
  isAnother: boolean,
  { isReading = false, isNeeded = true } = {},
): LockState => {
  const client = useQueryClient();
  const [state, setState] = useState<LockState>('asked');
  // Keeps the value of the first render. `isAnother` changes at the first save of the new report, and the lock must not
  // be requested again.
  const [begins] = useState(isAnother);
  useEffect(() => {
    let last: LockState | undefined;
    const onChange = (now: LockState) => {
      setState(now);
      // A refusal is repeated while another user holds the lock. Only the first one changes what the page shows.
      if (now === 'refused' && last !== 'refused') void client.invalidateQueries({ queryKey: ['studies'] });
      last = now;
    };
    if (!isNeeded) return undefined;
    const lock = holdReadingLock(studyId, { isAnother: begins, isReading, onChange });
    return () => void lock.release();
  }, [client, studyId, begins, isReading, isNeeded]);
  return state;
};

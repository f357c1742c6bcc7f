import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { holdReadingLock, type LockState } from './hold-reading-lock.ts';

/**
 * Holds the reading lock of a study while its editor is open, and returns the state of the lock. After a refusal,
 * fetches the report again: it names the writer and opens for reading.
 */
export const useReadingLock = (studyId: string, isAnother: boolean): LockState => {
  const client = useQueryClient();
  const [state, setState] = useState<LockState>('asked');
  // Fixed at opening: once the text is saved, the server knows the report.
  const [begins] = useState(isAnother);
  useEffect(() => {
    const onChange = (now: LockState) => {
      setState(now);
      if (now === 'refused') void client.invalidateQueries({ queryKey: ['studies'] });
    };
    const lock = holdReadingLock(studyId, { isAnother: begins, onChange });
    return () => void lock.release();
  }, [client, studyId, begins]);
  return state;
};

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { holdReadingLock, type LockState } from './hold-reading-lock.ts';

/**
 * Holds the lock on a study's report for as long as its editor is open, and says how it stands. When it is refused, the
 * report is asked for again: it says who writes it, and is then shown to be read.
 */
export const useReadingLock = (studyId: string, isAnother: boolean): LockState => {
  const client = useQueryClient();
  const [state, setState] = useState<LockState>('asked');
  // What the editor was opened for; once its text is saved, the server knows of the report.
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

import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useEffect, useRef } from 'react';
import { useReadAgain } from './use-read-again.ts';

/**
 * Loads a series again when it has fewer instances than before. Images were rejected, and must leave the screen without a
 * choice of the reader.
 */
export const useFewerImages = ({ studyInstanceUID, series }: Pick<StudyDetails, 'studyInstanceUID' | 'series'>) => {
  const readAgain = useReadAgain();
  const before = useRef(new Map<string, number>());
  useEffect(() => {
    const now = new Map(series.map((one) => [one.seriesInstanceUID, one.instanceCount]));
    for (const [uid, count] of before.current) {
      if ((now.get(uid) ?? 0) < count) readAgain(studyInstanceUID, uid);
    }
    before.current = now;
  });
};

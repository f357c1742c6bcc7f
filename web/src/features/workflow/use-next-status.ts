import type { StudyStatus } from '@radwork/contract/studies';
import type { StudyWork } from '@radwork/contract/workflow';
import { useState } from 'react';

type NextStatus = {
  /** Undefined until something is chosen that the study may still become. */
  chosen: StudyStatus | undefined;
  /** What the study was at when it was chosen. */
  revision: number;
  choose: (status: string) => void;
  forget: () => void;
};

/**
 * A choice among the statuses that a study may have next. It is made on what was seen then: what others change
 * meanwhile is shown at once, and must not pass for what was decided on.
 */
export const useNextStatus = ({ moves, revision }: StudyWork): NextStatus => {
  const [choice, setChoice] = useState({ status: '', revision });
  return {
    chosen: moves.find((move) => move === choice.status),
    revision: choice.revision,
    choose: (status) => setChoice({ status, revision }),
    forget: () => setChoice({ status: '', revision }),
  };
};

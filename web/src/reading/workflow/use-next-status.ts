import type { StudyStatus } from '@radwork/contract/imaging/study-status';
import type { StudyWork } from '@radwork/contract/reading/workflow';
import { useState } from 'react';

type NextStatus = {
  /** Chosen status; undefined before a choice, or when the choice is no longer allowed. */
  chosen: StudyStatus | undefined;
  /** Revision of the study at the time of the choice. */
  revision: number;
  choose: (status: string) => void;
  forget: () => void;
};

/**
 * Choice of the next status, with the revision that the user saw. The revision stays when other users change the study,
 * so that the server detects the conflict.
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

import type { Report } from '@radwork/contract/reports';
import { useState } from 'react';
import { toast } from '#core/toasts.ts';

type Step = {
  kind: 'review' | 'finalize';
  /** What is on the screen and on the server alike; undefined while it is being saved. */
  seen?: Report;
};

/**
 * What follows the writing concerns the text that the server has, so it gets this one first, with all that comes in while
 * it is saved. From the press of the button until the dialog is closed nobody writes in it.
 */
export const useStep = (saveAll: () => Promise<Report | undefined>) => {
  const [step, setStep] = useState<Step>();
  return {
    step,
    goOn: async (kind: Step['kind']) => {
      setStep({ kind });
      const seen = await saveAll();
      setStep(seen && { kind, seen });
    },
    leave: () => setStep(undefined),
    /** Something has changed the text all the same: it has to be looked at again. */
    overtake: () => {
      if (!step?.seen) return;
      setStep(undefined);
      toast.failure('The text was changed. Nothing was signed or sent: please look at it again.');
    },
  };
};

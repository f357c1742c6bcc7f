import { t } from '@lingui/core/macro';
import type { Report } from '@radwork/contract/reading/reports';
import { useState } from 'react';
import { toast } from '#core/browser/toasts.ts';

type Step = {
  kind: 'review' | 'preliminary' | 'finalize';
  /** Version that screen and server both have; undefined while it is being saved. */
  seen?: Report;
};

const acts = { review: 'requestReview', preliminary: 'issuePreliminary', finalize: 'finalize' } as const;

/**
 * Saves the text before a step such as signing, because the step uses the stored text. Locks the text until the dialog
 * closes.
 */
export const useStepAfterSave = (saveAll: () => Promise<Report | undefined>) => {
  const [step, setStep] = useState<Step>();
  return {
    step,
    goOn: async (kind: Step['kind']) => {
      setStep({ kind });
      const savedReport = await saveAll();
      const refusal = savedReport?.rights.reasons.find(({ act }) => act === acts[kind])?.reason;
      if (refusal) toast.failure(refusal);
      // The step may have been left meanwhile.
      setStep((current) => (current && savedReport && !refusal ? { kind, seen: savedReport } : undefined));
    },
    leave: () => setStep(undefined),
    /** The text has changed despite the lock, so the user must review it again. */
    overtake: () => {
      if (!step?.seen) return;
      setStep(undefined);
      toast.failure(t`The text has changed. Nothing was signed or sent. Review it again.`);
    },
  };
};

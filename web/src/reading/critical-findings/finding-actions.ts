import { t } from '@lingui/core/macro';
import { criticalFindings } from '@radwork/contract/reading/critical-findings';
import { reports } from '@radwork/contract/reading/reports';
import { useAction } from '#core/http/api.ts';

/** Query keys of all data that shows findings: the board, studies, reports, their lists and the study history. */
const refreshes = ['critical-findings', 'studies', 'reports', 'workflow'];

export const useAddCriticalFinding = () =>
  useAction(reports.addCriticalFinding, {
    done: t`Critical finding added successfully`,
    failed: t`Error adding critical finding`,
    refreshes,
  });

export const useCommunicate = () =>
  useAction(criticalFindings.communicate, {
    done: t`Communication recorded`,
    failed: t`Error recording communication`,
    refreshes,
  });

export const useAcknowledge = () =>
  useAction(criticalFindings.acknowledge, {
    done: t`Critical finding acknowledged`,
    failed: t`Error acknowledging finding`,
    refreshes,
  });

export const useAcknowledgeInReport = () =>
  useAction(criticalFindings.acknowledgeInReport, {
    done: t`Critical finding acknowledged`,
    failed: t`Error acknowledging finding`,
    refreshes,
  });

export const useWithdraw = () =>
  useAction(criticalFindings.withdraw, {
    done: t`Critical finding withdrawn`,
    failed: t`Error withdrawing finding`,
    refreshes,
  });

export const useSaveContacts = () =>
  useAction(criticalFindings.saveContacts, {
    done: t`Escalation saved`,
    failed: t`Error saving escalation`,
    refreshes: ['critical-contacts'],
  });

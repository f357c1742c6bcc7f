import { criticalFindings } from '@radwork/contract/critical-findings';
import { reports } from '@radwork/contract/reports';
import { useAction } from '#core/api.ts';

/** Queries that show a finding: the board, studies, reports, their lists and the study's history. */
const refreshes = ['critical-findings', 'studies', 'reports', 'workflow'];

export const useAddCriticalFinding = () =>
  useAction(reports.addCriticalFinding, {
    done: 'Critical finding added successfully',
    failed: 'Error adding critical finding',
    refreshes,
  });

export const useCommunicate = () =>
  useAction(criticalFindings.communicate, {
    done: 'Communication recorded',
    failed: 'Error recording the communication',
    refreshes,
  });

export const useAcknowledge = () =>
  useAction(criticalFindings.acknowledge, {
    done: 'Critical finding acknowledged',
    failed: 'Error acknowledging the finding',
    refreshes,
  });

export const useAcknowledgeInReport = () =>
  useAction(criticalFindings.acknowledgeInReport, {
    done: 'Critical finding acknowledged',
    failed: 'Error acknowledging the finding',
    refreshes,
  });

export const useWithdraw = () =>
  useAction(criticalFindings.withdraw, {
    done: 'Critical finding withdrawn',
    failed: 'Error withdrawing the finding',
    refreshes,
  });

export const useSaveContacts = () =>
  useAction(criticalFindings.saveContacts, {
    done: 'Escalation saved',
    failed: 'Error saving the escalation',
    refreshes: ['critical-contacts'],
  });

import { t } from '@lingui/core/macro';
import type { Call } from '@radwork/contract/core/endpoint';
import type { NamedPatient } from '@radwork/contract/core/named-patient';
import { type Report, type ReportOfStudy, reports } from '@radwork/contract/reading/reports';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { call, query, useAction } from '#core/http/api.ts';
import { toast } from '#core/browser/toasts.ts';
import { removeCachedAutosave } from '#reading/reports/autosaves/autosaves.ts';

/** Query keys that show reports: a report appears in its study and in lists of reports. */
export const refreshes = ['studies', 'reports'];

/** Refetches every query that shows reports. */
export const refreshReports = (client: QueryClient) =>
  Promise.all(refreshes.map((noun) => client.invalidateQueries({ queryKey: [noun] })));

/** Query for the report of a study, shared by the panel and its actions. */
export const reportOfStudy = (studyId: string) => query(reports.ofStudy, { params: { id: studyId } });

/** Creates a report for this patient. Shows it at once, even if the next fetch fails. */
export const useCreateReport = (patient: NamedPatient, isAnother: boolean) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Call<typeof reports.create>) => call(reports.create, input),
    onSuccess: (report: Report, { body }) => {
      toast.success(isAnother ? t`New report created successfully` : t`Report created successfully`);
      // The report now contains the text of this autosave, so it is not offered again.
      if (body.keptTextId) removeCachedAutosave(client, report.studyId, body.keptTextId);
      const { queryKey } = reportOfStudy(report.studyId);
      const created: ReportOfStudy = {
        report,
        standing: client.getQueryData(queryKey)?.report ?? undefined,
        patient,
        canCreate: false,
        reasons: [t`This study already has an open report`],
        // The author of a new report holds its lock. The time of the lock comes with the next fetch.
        readingBy: null,
      };
      client.setQueryData(queryKey, created);
      // The open report is already up to date; only lists still need a fetch.
      void refreshReports(client);
    },
    onError: (error) => {
      const reason = error.message;
      toast.failure(t`Error creating report: ${reason}`);
    },
  });
};

/**
 * Saves a report. `isRevision` marks a report that its reviewer has returned. Its error message says "report", not
 * "draft".
 */
export const useSaveReport = (isRevision: boolean) =>
  useAction(reports.save, {
    done: t`Draft updated successfully`,
    failed: isRevision ? t`Error saving report` : t`Error saving draft`,
    refreshes,
  });

export const useRequestReview = () =>
  useAction(reports.requestReview, {
    done: t`Review requested successfully`,
    failed: t`Error requesting review`,
    refreshes,
  });

export const useRerouteReview = () =>
  useAction(reports.rerouteReview, {
    done: t`Review requested successfully`,
    failed: t`Error requesting review`,
    refreshes,
  });

export const useSubmitReview = () =>
  useAction(reports.submitReview, {
    done: t`Review submitted successfully`,
    failed: t`Error submitting review`,
    refreshes,
  });

export const useFinalizeReport = (afterwards?: () => void) =>
  useAction(reports.finalize, {
    afterwards,
    done: t`Report finalized successfully`,
    failed: t`Error finalizing report`,
    // Signing may have stored a signature in the account.
    refreshes: [...refreshes, 'account'],
  });

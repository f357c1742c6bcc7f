import type { Call } from '@radwork/contract/endpoint';
import type { NamedPatient } from '@radwork/contract/named-patient';
import { type Report, type ReportOfStudy, reports } from '@radwork/contract/reports';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { call, query, useAction } from '#core/api.ts';
import { toast } from '#core/toasts.ts';
import { noteGone } from './kept-texts.ts';

/** A report shows in its study and in lists of reports; changes go through the workflow's own addresses. */
const refreshes = ['studies', 'reports'];

/** Asks again for what shows a report. */
export const refreshReports = (client: QueryClient) =>
  Promise.all(refreshes.map((noun) => client.invalidateQueries({ queryKey: [noun] })));

/** The report of a study, as the panel asks for it. */
export const reportOfStudy = (studyId: string) => query(reports.ofStudy, { params: { id: studyId } });

/** Begins a report about this patient. It is shown as begun at once, whether or not the next look at the server succeeds. */
export const useCreateReport = (patient: NamedPatient, isAnother: boolean) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Call<typeof reports.create>) => call(reports.create, input),
    onSuccess: (report: Report, { body }) => {
      toast.success(isAnother ? 'New report created successfully' : 'Report created successfully');
      // The text that it was made of is not offered again beside it.
      if (body.keptTextId) noteGone(client, report.studyId, body.keptTextId);
      const { queryKey } = reportOfStudy(report.studyId);
      const begun: ReportOfStudy = {
        report,
        standing: client.getQueryData(queryKey)?.report ?? undefined,
        patient,
        canCreate: false,
        reasons: ['This study already has an open report'],
        // Whoever begins a report holds its lock; the next look at the server says since when.
        readingBy: null,
      };
      client.setQueryData(queryKey, begun);
      // What the writer sees is complete; nobody waits for the lists.
      void refreshReports(client);
    },
    onError: (error) => {
      toast.failure(`Error creating report: ${error.message}`);
    },
  });
};

/** What a reviewer sent back is no draft any more (C39); its failure has the words of the report. */
export const useSaveReport = (isRevision: boolean) =>
  useAction(reports.save, {
    done: 'Draft updated successfully',
    failed: isRevision ? 'Error saving report' : 'Error saving draft',
    refreshes,
  });

export const useRequestReview = () =>
  useAction(reports.requestReview, {
    done: 'Review requested successfully',
    failed: 'Error requesting review',
    refreshes,
  });

export const useRerouteReview = () =>
  useAction(reports.rerouteReview, {
    done: 'Review requested successfully',
    failed: 'Error requesting review',
    refreshes,
  });

export const useSubmitReview = () =>
  useAction(reports.submitReview, {
    done: 'Review submitted successfully',
    failed: 'Error submitting review',
    refreshes,
  });

export const useFinalizeReport = () =>
  useAction(reports.finalize, {
    done: 'Report finalized successfully',
    failed: 'Error finalizing report',
    // The signature may have been saved for the account.
    refreshes: [...refreshes, 'account'],
  });

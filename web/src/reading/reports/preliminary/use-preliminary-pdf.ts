import { t } from '@lingui/core/macro';
import { preliminaryPdf } from '@radwork/contract/reading/report-delivery';
import { useMutation } from '@tanstack/react-query';
import { callStream, errorMessageOf } from '#core/http/api.ts';
import { callWithRetries } from '#core/http/retry.ts';
import { toast } from '#core/browser/toasts.ts';

/** Opens the PDF of a preliminary report in a tab. */
export const usePreliminaryPdf = (reportId: string) =>
  useMutation({
    mutationFn: async () => {
      // Opens the tab during the click, because browsers block a tab that opens only when the response arrives.
      const tab = window.open('', '_blank');
      try {
        const answer = await callWithRetries(() =>
          callStream('', preliminaryPdf, { params: { id: reportId }, accept: 'application/pdf' }),
        );
        return { tab, pdf: await answer.blob() };
      } catch (error) {
        tab?.close();
        throw error;
      }
    },
    onSuccess: ({ tab, pdf }) => {
      const address = URL.createObjectURL(pdf);
      if (tab) tab.location.href = address;
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    },
    onError: (error) => toast.failure(errorMessageOf(error, t`Error creating PDF`)),
  });

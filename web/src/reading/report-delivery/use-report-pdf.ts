import { t } from '@lingui/core/macro';
import { reportPdf } from '@radwork/contract/reading/report-delivery';
import type { ReportRow } from '@radwork/contract/reading/reports';
import { useMutation } from '@tanstack/react-query';
import { callStream, errorMessageOf } from '#core/http/api.ts';
import { callWithRetries } from '#core/http/retry.ts';
import { saveFile } from '#core/browser/save-file.ts';
import { toast } from '#core/browser/toasts.ts';

type PdfRequest = { report: Pick<ReportRow, 'id'>; how: 'open' | 'save' };

/** Loads the PDF of a report, and opens it in a tab or downloads it. */
export const useReportPdf = () =>
  useMutation({
    mutationFn: async ({ report, how }: PdfRequest) => {
      // Opens the tab during the click, because browsers block a tab that opens only when the response arrives.
      const tab = how === 'open' ? window.open('', '_blank') : null;
      try {
        const answer = await callWithRetries(() =>
          callStream('', reportPdf, { params: { id: report.id }, accept: 'application/pdf' }),
        );
        return { tab, name: nameOf(answer.headers), pdf: await answer.blob() };
      } catch (error) {
        tab?.close();
        throw error;
      }
    },
    onSuccess: ({ tab, name, pdf }) => {
      if (tab) showIn(tab, pdf);
      else saveFile(name, pdf);
    },
    onError: (error) => toast.failure(errorMessageOf(error, t`Error creating PDF`)),
  });

const showIn = (tab: Window, pdf: Blob) => {
  const address = URL.createObjectURL(pdf);
  tab.location.href = address;
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};

const nameOf = (headers: Headers): string => {
  const [, name] = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '') ?? [];
  return name ?? 'report.pdf';
};

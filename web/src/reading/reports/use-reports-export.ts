import { t } from '@lingui/core/macro';
import type { StreamEndpoint } from '@radwork/contract/core/endpoint';
import { useMutation } from '@tanstack/react-query';
import { callStream, errorMessageOf } from '#core/http/api.ts';
import { saveFile } from '#core/browser/save-file.ts';
import { toast } from '#core/browser/toasts.ts';

/** Time limit of an export, in milliseconds. */
const patience = 10 * 60_000;

/** Downloads a list of reports as CSV, with the filters of the screen. */
export const useReportsExport = (endpoint: StreamEndpoint, filters: Record<string, string | undefined>) =>
  useMutation({
    mutationFn: async () => {
      const query = Object.fromEntries(
        Object.entries(filters).flatMap(([name, value]) => (value ? [[name, value] as const] : [])),
      );
      const answer = await callStream('', endpoint, { query, accept: 'text/csv', timeout: patience });
      return { name: nameOf(answer.headers), content: await answer.blob() };
    },
    onSuccess: ({ name, content }) => {
      saveFile(name, content);
      toast.success(t`Reports exported. The audit log records the export.`);
    },
    onError: (error) => toast.failure(errorMessageOf(error, t`Failed to export reports`)),
  });

const nameOf = (headers: Headers): string => {
  const [, name] = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '') ?? [];
  return name ?? 'reports.csv';
};

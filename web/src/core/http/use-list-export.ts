import type { StreamEndpoint } from '@radwork/contract/core/endpoint';
import { useMutation } from '@tanstack/react-query';
import { callStream, errorMessageOf } from '#core/http/api.ts';
import { saveFile } from '#core/browser/save-file.ts';
import { toast } from '#core/browser/toasts.ts';

/** Time limit of an export, in milliseconds. */
const patience = 10 * 60_000;

type Texts = { done: string; failed: string };
type Filters = Record<string, string | number | undefined>;

/** Downloads a list as CSV, with the filters of the screen and the file name of the server. */
export const useListExport = (endpoint: StreamEndpoint, filters: Filters, { done, failed }: Texts) =>
  useMutation({
    mutationFn: async () => {
      const query = Object.fromEntries(
        Object.entries(filters).flatMap(([name, value]) =>
          value === undefined || value === '' ? [] : [[name, String(value)] as const],
        ),
      );
      const answer = await callStream('', endpoint, { query, accept: 'text/csv', timeout: patience });
      return { name: nameOf(answer.headers), content: await answer.blob() };
    },
    onSuccess: ({ name, content }) => {
      saveFile(name, content);
      toast.success(done);
    },
    onError: (error) => toast.failure(errorMessageOf(error, failed)),
  });

const nameOf = (headers: Headers): string => {
  const [, name] = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '') ?? [];
  return name ?? 'list.csv';
};

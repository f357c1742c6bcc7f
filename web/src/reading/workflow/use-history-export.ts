import { t } from '@lingui/core/macro';
import { historyExport } from '@radwork/contract/reading/workflow';
import { useMutation } from '@tanstack/react-query';
import { callStream, errorMessageOf } from '#core/http/api.ts';
import { saveFile } from '#core/browser/save-file.ts';
import { toast } from '#core/browser/toasts.ts';

/** Downloads the task history of a study as CSV. */
export const useHistoryExport = (studyId: string) =>
  useMutation({
    mutationFn: async () => {
      const answer = await callStream('', historyExport, { params: { id: studyId }, accept: 'text/csv' });
      return { name: nameOf(answer.headers), content: await answer.blob() };
    },
    onSuccess: ({ name, content }) => {
      saveFile(name, content);
      toast.success(t`History exported successfully`);
    },
    onError: (error) => toast.failure(errorMessageOf(error, t`Failed to export history`)),
  });

const nameOf = (headers: Headers): string => {
  const [, name] = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '') ?? [];
  return name ?? 'task-history.csv';
};

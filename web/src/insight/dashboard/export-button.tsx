import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { dashboardExport } from '@radwork/contract/insight/dashboard';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { callStream, errorMessageOf } from '#core/http/api.ts';
import { saveFile } from '#core/browser/save-file.ts';
import { toast } from '#core/browser/toasts.ts';
import { periodQuery, type DashboardSearch } from './dashboard-search.ts';

/** Downloads all figures of the period as a CSV file. */
export function ExportButton({ search }: { search: DashboardSearch }) {
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const params = Object.entries(periodQuery(search)).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)]],
      );
      const path = `${dashboardExport.path}?${new URLSearchParams(params)}`;
      const answer = await callStream('', { ...dashboardExport, path }, { accept: 'text/csv' });
      saveFile(nameOf(answer.headers), await answer.blob());
    },
    onError: (error) => toast.failure(errorMessageOf(error, t`Failed to export dashboard`)),
  });
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={isPending}
      onClick={() => mutate()}
    >
      {t`CSV`}
    </Button>
  );
}

const nameOf = (headers: Headers): string => {
  const [, name] = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '') ?? [];
  return name ?? 'dashboard.csv';
};

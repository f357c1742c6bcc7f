import { t } from '@lingui/core/macro';
import type { StreamEndpoint } from '@radwork/contract/core/endpoint';
import { useListExport } from '#core/http/use-list-export.ts';

/** Downloads a list of reports as CSV, with the filters of the screen. */
export const useReportsExport = (endpoint: StreamEndpoint, filters: Record<string, string | undefined>) =>
  useListExport(endpoint, filters, {
    done: t`Reports exported. The audit log records the export.`,
    failed: t`Failed to export reports`,
  });

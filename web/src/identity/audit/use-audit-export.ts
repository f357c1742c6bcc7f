import { t } from '@lingui/core/macro';
import { auditExport, type auditExportFormats } from '@radwork/contract/identity/audit';
import { useMutation } from '@tanstack/react-query';
import { callStream, errorMessageOf } from '#core/http/api.ts';
import { saveFile } from '#core/browser/save-file.ts';
import { toast } from '#core/browser/toasts.ts';
import { type AuditSearchInAddress, filtersOf } from './audit-search.ts';

type Format = (typeof auditExportFormats)[number];

const patience = 10 * 60_000;

/** Downloads the audit entries that match the filters in the address. */
export const useAuditExport = (search: AuditSearchInAddress) =>
  useMutation({
    mutationFn: async (format: Format) => {
      const pairs = Object.entries({ ...filtersOf(search), format }).flatMap(([name, value]) =>
        value ? [[name, value]] : [],
      );
      const path = `${auditExport.path}?${new URLSearchParams(pairs)}` as typeof auditExport.path;
      const answer = await callStream('', { ...auditExport, path }, { timeout: patience });
      const day = new Date().toISOString().slice(0, 10);
      return { name: `audit-${day}.${format === 'csv' ? 'csv' : 'json'}`, content: await answer.blob() };
    },
    onSuccess: ({ name, content }) => {
      saveFile(name, content);
      toast.success(t`Audit log exported. The log records the export.`);
    },
    onError: (error) => toast.failure(errorMessageOf(error, t`Failed to export the audit log`)),
  });

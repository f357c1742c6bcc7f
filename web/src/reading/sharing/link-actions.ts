import { t } from '@lingui/core/macro';
import { reports } from '@radwork/contract/reading/reports';
import { useAction } from '#core/http/api.ts';

/** Query keys to refresh: reports show their links, and studies show their reports. */
const refreshes = ['reports', 'studies'];

export const useMakeLink = () =>
  useAction(reports.share, { done: t`Link created`, failed: t`Error sharing report`, refreshes });

export const useRevokeLink = () =>
  useAction(reports.revoke, { done: t`Link revoked`, failed: t`Error revoking the link`, refreshes });

import { t } from '@lingui/core/macro';
import { reportLinks } from '@radwork/contract/reading/sharing';
import { useAction } from '#core/http/api.ts';

/** Query keys to refresh: reports show their links, and studies show their reports. */
const refreshes = ['reports', 'studies'];

export const useMakeLink = () =>
  useAction(reportLinks.create, { done: t`Link created`, failed: t`Error sharing report`, refreshes });

export const useRevokeLink = () =>
  useAction(reportLinks.revoke, { done: t`Link revoked`, failed: t`Error revoking the link`, refreshes });

import { reports } from '@radwork/contract/reports';
import { useAction } from '#core/api.ts';

/** A link shows in its report, and the report in its study. */
const refreshes = ['reports', 'studies'];

export const useMakeLink = () =>
  useAction(reports.share, { done: 'Link made', failed: 'Error sharing report', refreshes });

export const useRevokeLink = () =>
  useAction(reports.revoke, { done: 'Link revoked', failed: 'Error revoking the link', refreshes });

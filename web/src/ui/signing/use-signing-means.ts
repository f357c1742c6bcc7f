import { signingMeansCalls } from '@radwork/contract/identity/signing-means';
import { useQuery } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';

/**
 * Fetches the user's signature and PIN state, and the proof that the organization requires. Fetches again whenever a
 * dialog opens.
 */
export const useSigningMeans = () =>
  useQuery({ ...query(signingMeansCalls.read, {}), refetchOnMount: 'always', enabled: may(signingMeansCalls.read) });

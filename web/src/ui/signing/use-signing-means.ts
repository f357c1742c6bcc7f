import { signingMeansCalls } from '@radwork/contract/identity/signing-means';
import { useQuery } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';

/** The user's means of signing and the proof that the organization requires. Fetched whenever a dialog opens. */
export const useSigningMeans = () =>
  useQuery({ ...query(signingMeansCalls.read, {}), refetchOnMount: 'always', enabled: may(signingMeansCalls.read) });

import { signingMeansCalls } from '@radwork/contract/signing-means';
import { useQuery } from '@tanstack/react-query';
import { query } from '#core/api.ts';
import { may } from '#core/session.ts';

/** With what the user signs, and what the organisation asks for; asked again whenever a dialog opens. */
export const useSigningMeans = () =>
  useQuery({ ...query(signingMeansCalls.read, {}), refetchOnMount: 'always', enabled: may(signingMeansCalls.read) });

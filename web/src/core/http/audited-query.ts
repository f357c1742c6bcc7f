import type { Call, Endpoint } from '@radwork/contract/core/endpoint';
import type { QueryFunctionContext } from '@tanstack/react-query';
import { useRef } from 'react';
import { call, query, backgroundHeaders } from './api.ts';
import { hasRecentInput } from '#core/state/attention.ts';

/**
 * Query options for a call that the server audits as access to patient data. Opening a screen counts as one access.
 * Later refetches are marked as not requested by the user.
 */
export const useAuditedQuery = <E extends Endpoint>(endpoint: E, input: Call<E>) => {
  const lastInput = useRef<string>(undefined);
  const inputKey = JSON.stringify(input);
  const look = async ({ signal }: QueryFunctionContext) => {
    const isRenewal = lastInput.current === inputKey || !hasRecentInput();
    const answer = await call(endpoint, input, { signal, ...(isRenewal && { headers: backgroundHeaders }) });
    lastInput.current = inputKey;
    return answer;
  };
  return { ...query(endpoint, input), queryFn: look };
};

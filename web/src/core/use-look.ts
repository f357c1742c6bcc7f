import type { Call, Endpoint } from '@radwork/contract/endpoint';
import type { QueryFunctionContext } from '@tanstack/react-query';
import { useRef } from 'react';
import { call, query, unasked } from './api.ts';
import { isAttended } from './attention.ts';

/**
 * Query options for a call that the server writes down as a look at somebody's data. A screen looks once when it is
 * opened; what it asks again while it stays open, because something has changed, is sent as what nobody has asked for.
 */
export const useLook = <E extends Endpoint>(endpoint: E, input: Call<E>) => {
  const seen = useRef<string>(undefined);
  const wanted = JSON.stringify(input);
  const look = async ({ signal }: QueryFunctionContext) => {
    const isRenewal = seen.current === wanted || !isAttended();
    const answer = await call(endpoint, input, { signal, ...(isRenewal && { headers: unasked }) });
    seen.current = wanted;
    return answer;
  };
  return { ...query(endpoint, input), queryFn: look };
};

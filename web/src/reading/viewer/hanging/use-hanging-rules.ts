import { hangingRule, type HangingRule, hangingRules } from '@radwork/contract/reading/hanging-rules';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { z } from 'zod';
import { query } from '#core/http/api.ts';
import { readRememberedText, setPreference } from '#core/state/preferences.ts';
import { may, readSession } from '#core/state/session.ts';

/** Longest time in ms for which a study waits for the rules. Then those of the last opening apply. */
const patience = 1500;

export const rulesQuery = query(hangingRules.list, {});

/** Name of the browser storage entry. Rules hold no patient data. */
const cacheName = (): string => {
  const session = readSession();
  return `viewer-rules.${session?.tenant.subdomain ?? ''}.${session?.user.id ?? ''}`;
};

/** Returns the rules of the last opening in this browser. */
export const cachedRules = (): HangingRule[] => {
  try {
    return z.array(hangingRule).safeParse(JSON.parse(readRememberedText(cacheName()))).data ?? [];
  } catch {
    return [];
  }
};

/**
 * Returns the own rules of the user and those of the organization. `isWaiting` while the server may still send them.
 * If the server fails, those of the last opening apply.
 */
export const useHangingRules = (): { rules: readonly HangingRule[]; isWaiting: boolean } => {
  const isAllowed = may(hangingRules.list);
  const { data, isPending, failureCount } = useQuery({ ...rulesQuery, enabled: isAllowed });
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patience);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (data) setPreference(cacheName(), JSON.stringify(data));
  }, [data]);
  const [cached] = useState(cachedRules);
  return { rules: data ?? cached, isWaiting: isAllowed && isPending && failureCount === 0 && !isLate };
};

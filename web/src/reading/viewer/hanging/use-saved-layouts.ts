import { t } from '@lingui/core/macro';
import { type KeptLayout as KeptOfKind, keptLayouts } from '@radwork/contract/reading/kept-layouts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call, query } from '#core/http/api.ts';
import { readRememberedText, setPreference, useRememberedText } from '#core/state/preferences.ts';
import { may, useSession } from '#core/state/session.ts';
import { toast } from '#core/browser/toasts.ts';
import type { SavedLayout } from './hanging.ts';
import {
  savedLayoutsName,
  parseCachedLayouts,
  type CachedLayouts,
  withSent,
  withLayout,
  withServerLayouts,
  serializeCachedLayouts,
} from './saved-layouts.ts';

const mine = query(keptLayouts.mine, {});

const change = (userId: string, by: (before: CachedLayouts) => CachedLayouts) => {
  const before = readRememberedText(savedLayoutsName(userId));
  const after = serializeCachedLayouts(by(parseCachedLayouts(before)));
  if (after !== before) setPreference(savedLayoutsName(userId), after);
};

/**
 * Sends the current layout of a kind of study to the server. Throws on failure; then the layout is sent again when a
 * study opens.
 */
const sendLayout = async (userId: string, kind: string) => {
  const layout = parseCachedLayouts(readRememberedText(savedLayoutsName(userId))).kept[kind];
  if (layout) await call(keptLayouts.keep, { body: { kind, layout: layout.layout, roles: [...layout.roles] } });
  else await call(keptLayouts.forget, { query: { kind } });
  change(userId, (all) => withSent(all, kind, layout));
};

const takeOver = (userId: string, servers: readonly KeptOfKind[]) => {
  change(userId, (all) => withServerLayouts(all, servers));
  const { unsent } = parseCachedLayouts(readRememberedText(savedLayoutsName(userId)));
  for (const kind of unsent) void sendLayout(userId, kind).catch(() => undefined);
};

/**
 * Fetches the user's layouts while study and viewer load. If the layouts arrive after the study (`isThere`), they apply
 * from the next opening on, because an open layout must not change. If the server fails, the cached layouts apply.
 */
export const useLayoutsFromServer = (isThere: boolean) => {
  const userId = useSession()?.user.id ?? '';
  const client = useQueryClient();
  const { data } = useQuery({ ...mine, enabled: may(keptLayouts.mine), retry: false });
  const isLate = useRef(isThere);
  useEffect(() => {
    isLate.current = isThere;
  }, [isThere]);
  useEffect(() => {
    if (data && !isLate.current) takeOver(userId, data);
  }, [data, userId]);
  useEffect(
    () => () => {
      const known = client.getQueryData<KeptOfKind[]>(mine.queryKey);
      if (known) takeOver(userId, known);
    },
    [client, userId],
  );
};

/** Saved layouts of the user by kind of study, as cached in this browser. */
export const useSavedLayouts = () => {
  const userId = useSession()?.user.id ?? '';
  const [text] = useRememberedText(savedLayoutsName(userId));
  return parseCachedLayouts(text).kept;
};

/** Saved layout of the user for a kind of study. */
export const useSavedLayout = (kind: string) => {
  const client = useQueryClient();
  const userId = useSession()?.user.id ?? '';
  const [text] = useRememberedText(savedLayoutsName(userId));
  const keep = (layout: SavedLayout | undefined) => {
    change(userId, (all) => withLayout(all, kind, layout));
    // Cancels a running fetch, which would return the old layout.
    void client.cancelQueries({ queryKey: mine.queryKey });
    client.setQueryData<KeptOfKind[]>(mine.queryKey, (before) => {
      const others = before?.filter((one) => one.kind !== kind);
      return others && layout ? [...others, { kind, layout: layout.layout, roles: [...layout.roles] }] : others;
    });
    void sendLayout(userId, kind).catch(() =>
      toast.info(t`Saved in this browser only. The server is updated when you open the next study.`),
    );
  };
  return { kept: parseCachedLayouts(text).kept[kind], keep, forget: () => keep(undefined) };
};

import { type KeptLayout as KeptOfKind, keptLayouts } from '@radwork/contract/kept-layouts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call, query } from '#core/api.ts';
import { readRememberedText, setPreference, useRememberedText } from '#core/preferences.ts';
import { may, useSession } from '#core/session.ts';
import { toast } from '#core/toasts.ts';
import type { KeptLayout } from './hanging.ts';
import {
  nameOfKept,
  readRemembered,
  type Remembered,
  whenTold,
  withLayout,
  withServers,
  writeRemembered,
} from './kept-layouts.ts';

const mine = query(keptLayouts.mine, {});

const change = (userId: string, by: (before: Remembered) => Remembered) => {
  const before = readRememberedText(nameOfKept(userId));
  const after = writeRemembered(by(readRemembered(before)));
  if (after !== before) setPreference(nameOfKept(userId), after);
};

/** Tells the server how a kind is kept now. Throws where it does not hear; it is told again when a study is opened. */
const tell = async (userId: string, kind: string) => {
  const layout = readRemembered(readRememberedText(nameOfKept(userId))).kept[kind];
  if (layout) await call(keptLayouts.keep, { body: { kind, layout: layout.layout, roles: [...layout.roles] } });
  else await call(keptLayouts.forget, { query: { kind } });
  change(userId, (all) => whenTold(all, kind, layout));
};

const takeOver = (userId: string, servers: readonly KeptOfKind[]) => {
  change(userId, (all) => withServers(all, servers));
  const { unsent } = readRemembered(readRememberedText(nameOfKept(userId)));
  for (const kind of unsent) void tell(userId, kind).catch(() => undefined);
};

/**
 * Brings the reader's layouts from the server to this browser, while the study and the viewer come. What it says once the
 * study `isThere` holds from the next opening on: nothing is arranged anew under a reader's eyes. Where it is away, what
 * this browser remembers holds.
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

/** How the reader keeps one kind of study. */
export const useKeptLayout = (kind: string) => {
  const client = useQueryClient();
  const userId = useSession()?.user.id ?? '';
  const [text] = useRememberedText(nameOfKept(userId));
  const keep = (layout: KeptLayout | undefined) => {
    change(userId, (all) => withLayout(all, kind, layout));
    // An answer that is on its way says how it was before.
    void client.cancelQueries({ queryKey: mine.queryKey });
    client.setQueryData<KeptOfKind[]>(mine.queryKey, (before) => {
      const others = before?.filter((one) => one.kind !== kind);
      return others && layout ? [...others, { kind, layout: layout.layout, roles: [...layout.roles] }] : others;
    });
    void tell(userId, kind).catch(() =>
      toast.info('This is kept in this browser for now: the server will hear of it when you open the next study.'),
    );
  };
  return { kept: readRemembered(text).kept[kind], keep, forget: () => keep(undefined) };
};

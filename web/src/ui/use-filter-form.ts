import { useDebouncedCallback } from '@mantine/hooks';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import type { z } from 'zod';

/** How long to wait for the next key before searching, in milliseconds. */
const pause = 300;

type Options<Typed, Filter> = {
  /** What is asked for now, as the fields would say it. */
  asked: Typed;
  /** What the fields ask for. */
  filterOf: (typed: Typed) => Filter;
  /** What is wrong with the fields, by field: until it is mended nothing else is asked for. */
  errorsIn: (typed: Typed) => object;
  onFilter: (filter: Filter) => void;
};

/**
 * The fields of a filter: what is typed is asked for after a pause, what is chosen at once. They follow the address
 * when it changes by itself, by Back or by a link; but not when it arrives at what was sent from here, because more
 * may have been typed since.
 */
export const useFilterForm = <Typed extends object, Filter>(options: Options<Typed, Filter>) => {
  const { asked, filterOf, errorsIn, onFilter } = options;
  const [state, setState] = useState({ asked, typed: asked, sent: asked });
  const areSame = (one: Typed, other: Typed) => JSON.stringify(filterOf(one)) === JSON.stringify(filterOf(other));
  if (!areSame(state.asked, asked)) {
    setState(areSame(state.sent, asked) ? { ...state, asked } : { asked, typed: asked, sent: asked });
  }
  const send = (typed: Typed) => {
    if (Object.keys(errorsIn(typed)).length > 0) return;
    setState((before) => ({ ...before, sent: typed }));
    onFilter(filterOf(typed));
  };
  const router = useRouter();
  // What waits for the next key must not bring back whoever has opened another page meanwhile.
  const sendLater = useDebouncedCallback((typed: Typed, typedAt: string) => {
    if (router.latestLocation.pathname === typedAt) send(typed);
  }, pause);
  const change = (part: Partial<Typed>): Typed => {
    const typed = { ...state.typed, ...part };
    setState((before) => ({ ...before, typed }));
    return typed;
  };
  return {
    typed: state.typed,
    type: (part: Partial<Typed>) => sendLater(change(part), router.latestLocation.pathname),
    /** Without a part it asks for what is typed, without waiting. */
    choose: (part: Partial<Typed> = {}) => {
      sendLater.cancel();
      send(change(part));
    },
  };
};

/** What is wrong with the fields that something is typed in, by field, in the words of the server's own rule. */
export const faultsBy = (rule: z.ZodType, typed: object): Record<string, string> => {
  const given = Object.fromEntries(Object.entries(typed).filter(([, text]) => text));
  const issues = rule.safeParse(given).error?.issues ?? [];
  return Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message]));
};

import { useDebouncedCallback } from '@mantine/hooks';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import type { z } from 'zod';

/** Pause in typing before a search, in milliseconds. */
const pause = 300;

type Options<Typed, Filter> = {
  /** Current filter, in the form of the fields. */
  asked: Typed;
  /** Converts the values of the fields to a filter. */
  filterOf: (typed: Typed) => Filter;
  /** Returns errors by field. No search starts until they are corrected. */
  errorsIn: (typed: Typed) => object;
  onFilter: (filter: Filter) => void;
};

/**
 * State of the fields of a filter. Typed text applies after a pause, a choice at once. When the address changes by Back
 * or a link, the fields take its values. They ignore a change of the address that they caused, because the user may
 * have typed more.
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
  // A delayed search applies only if the address has not changed. Otherwise it would bring the user back from another
  // page.
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
    /** Applies the fields at once. If there is no argument, applies the typed text. */
    choose: (part: Partial<Typed> = {}) => {
      sendLater.cancel();
      send(change(part));
    },
  };
};

/** Returns errors of non-empty fields, with the messages of the rule that the server also uses. */
export const fieldErrorsBy = (rule: z.ZodType, typed: object): Record<string, string> => {
  const given = Object.fromEntries(Object.entries(typed).filter(([, text]) => text));
  const issues = rule.safeParse(given).error?.issues ?? [];
  return Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message]));
};

import { useDebouncedCallback } from '@mantine/hooks';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import type { z } from 'zod';

/** Pause in typing before a search, in milliseconds. */
const pause = 300;

type Options<Typed, Filter> = {
  /** Current filter, in the form of the fields. */
  currentValues: Typed;
  /** Converts the values of the fields to a filter. */
  filterOf: (fields: Typed) => Filter;
  /** Returns errors by field. No search starts until they are corrected. */
  errorsIn: (fields: Typed) => object;
  onFilter: (filter: Filter) => void;
};

/**
 * State of the fields of a filter. Typed text applies after a pause, a choice at once. When the address changes by Back
 * or a link, the fields take its values. They ignore a change of the address that they caused, because the user may
 * have typed more.
 */
export const useFilterForm = <Typed extends object, Filter>(options: Options<Typed, Filter>) => {
  const { currentValues, filterOf, errorsIn, onFilter } = options;
  const [state, setState] = useState({ asked: currentValues, typed: currentValues, sent: currentValues });
  const areSame = (one: Typed, other: Typed) => JSON.stringify(filterOf(one)) === JSON.stringify(filterOf(other));
  if (!areSame(state.asked, currentValues)) {
    setState(
      areSame(state.sent, currentValues)
        ? { ...state, asked: currentValues }
        : { asked: currentValues, typed: currentValues, sent: currentValues },
    );
  }
  const send = (fields: Typed) => {
    if (Object.keys(errorsIn(fields)).length > 0) return;
    setState((before) => ({ ...before, sent: fields }));
    onFilter(filterOf(fields));
  };
  const router = useRouter();
  // A delayed search applies only if the address has not changed. Otherwise it would bring the user back from another
  // page.
  const sendLater = useDebouncedCallback((fields: Typed, typedAt: string) => {
    if (router.latestLocation.pathname === typedAt) send(fields);
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
export const fieldErrorsBy = (rule: z.ZodType, fields: object): Record<string, string> => {
  const nonEmpty = Object.fromEntries(Object.entries(fields).filter(([, text]) => text));
  const issues = rule.safeParse(nonEmpty).error?.issues ?? [];
  return Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message]));
};

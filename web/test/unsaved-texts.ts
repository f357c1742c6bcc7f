import { openText, sealText } from '#core/state/sealed-text.ts';
import { sessionOf, textKeyFor } from './screen.tsx';

const { tenant, user } = sessionOf();
const textKey = textKeyFor(user.id);
const prefix = `unsaved.${tenant.subdomain}.${user.id}.`;

/** Returns the unsaved texts of the test user in this browser with their names, in storage order. */
export const unsavedTexts = <T>(): { name: string; value: T }[] =>
  Object.entries(localStorage)
    .filter(([place]) => place.startsWith(prefix))
    .map(([place, sealed]) => ({
      name: place.slice(prefix.length),
      value: JSON.parse(openText(String(sealed), textKey, place) ?? '') as T,
    }));

/** Stores an unsaved text in this browser, as a page would have done before it closed. */
export const leaveUnsaved = (name: string, value: unknown): void =>
  localStorage.setItem(prefix + name, sealText(JSON.stringify(value), textKey, prefix + name));

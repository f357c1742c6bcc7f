import { openText, sealText } from '#core/sealed-text.ts';
import { sessionOf, textKeyFor } from './screen.tsx';

const { tenant, user } = sessionOf();
const textKey = textKeyFor(user.id);
const prefix = `unsaved.${tenant.subdomain}.${user.id}.`;

/** What this browser keeps of the person of the tests until the server has it, by its name, in the order of its keeping. */
export const unsavedTexts = <T>(): { name: string; value: T }[] =>
  Object.entries(localStorage)
    .filter(([place]) => place.startsWith(prefix))
    .map(([place, sealed]) => ({
      name: place.slice(prefix.length),
      value: JSON.parse(openText(String(sealed), textKey, place) ?? '') as T,
    }));

/** Has this browser keep something as a page of theirs would that is closed by now. */
export const leaveUnsaved = (name: string, value: unknown): void =>
  localStorage.setItem(prefix + name, sealText(JSON.stringify(value), textKey, prefix + name));

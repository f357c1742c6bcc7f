import { type ChatPerson, mentionsIn } from '@radwork/contract/reading/chat';

/** Matches the "@" that begins a mention and the text between it and the caret. */
const mentionStart = /(?<![\p{L}\p{N}_@])@(?!@)([\p{L}\p{N}_.@-]{0,64})$/u;

/** A mention being typed: the position of its "@" and the text up to the caret. */
export type BegunMention = { start: number; typed: string };

export const mentionBefore = (text: string, caret: number): BegunMention | undefined => {
  const [match, prefix] = mentionStart.exec(text.slice(0, caret)) ?? [];
  return match === undefined || prefix === undefined ? undefined : { start: caret - match.length, typed: prefix };
};

const mostOffered = 6;

/** Returns the matching people. Matches at the start of the user name come before matches inside the full name. */
export const peopleMeant = (people: readonly ChatPerson[], typedPrefix: string): ChatPerson[] => {
  const prefix = typedPrefix.toLowerCase();
  const byUsername = people.filter(({ username }) => username.toLowerCase().startsWith(prefix));
  const byName = people.filter(
    (person) =>
      !byUsername.includes(person) &&
      person.name
        .toLowerCase()
        .split(/\s+/)
        .some((word) => word.startsWith(prefix)),
  );
  return [...byUsername, ...byName].slice(0, mostOffered);
};

/** Returns the text with the mention completed, and the new caret position. */
export const completed = (text: string, { start, typed }: BegunMention, { username }: ChatPerson) => {
  const before = `${text.slice(0, start)}@${username} `;
  return { text: before + text.slice(start + 1 + typed.length).replace(/^ /, ''), caret: before.length };
};

/** Returns the people whom a text mentions and thereby invites to the conversation. */
export const invitedBy = (text: string, people: readonly ChatPerson[]): ChatPerson[] => {
  const usernames = people.map(({ username }) => username);
  const usernamesNamed = new Set(mentionsIn(text, usernames).map(({ username }) => username));
  return people.filter(({ username, joinsByMention }) => joinsByMention && usernamesNamed.has(username));
};

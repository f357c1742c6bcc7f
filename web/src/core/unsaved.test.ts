import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { sessionOf } from '#test/screen.tsx';
import { clearSession, keepSession } from './session.ts';
import { forgetUnsaved, keepUnsaved, readUnsaved, unsavedNames, unsavedOwner } from './unsaved.ts';

beforeEach(() => localStorage.clear());

const everythingKept = () => Object.entries(localStorage).join('\n');

test('what is kept is read again by its writer, also in the next session', () => {
  keepSession(sessionOf());
  keepUnsaved('report-of-study.s1', { content: 'Carcinoma' });

  clearSession();
  expect(readUnsaved('report-of-study.s1', z.object({ content: z.string() }))).toBeUndefined();
  keepSession(sessionOf());

  expect(readUnsaved('report-of-study.s1', z.object({ content: z.string() }))).toEqual({ content: 'Carcinoma' });
  expect(unsavedNames('report-of-study')).toEqual(['report-of-study.s1']);
});

test('whoever is signed in, the browser’s storage holds no word of it, and no key once they have left', () => {
  const session = sessionOf();
  keepSession(session);
  keepUnsaved('report-of-study.s1', { content: 'Carcinoma' });
  expect(everythingKept()).not.toContain('Carcinoma');

  clearSession();

  expect(everythingKept()).not.toContain('Carcinoma');
  expect(everythingKept()).not.toContain(session.textKey);
});

test('a session that ends while somebody writes still keeps what they write, under their key', () => {
  keepSession(sessionOf());
  const writer = unsavedOwner();
  clearSession();

  expect(keepUnsaved('chat-draft.s1', 'to be asked', writer)).toBe(true);
  expect(everythingKept()).not.toContain('to be asked');
  keepSession(sessionOf());

  expect(readUnsaved('chat-draft.s1', z.string())).toBe('to be asked');
});

test('a key that is another one by now opens nothing, and what is typed then is kept under it', () => {
  keepSession(sessionOf());
  keepUnsaved('chat-draft.s1', 'of before');
  keepSession({ ...sessionOf(), textKey: 'b1'.repeat(32) });

  expect(readUnsaved('chat-draft.s1', z.string())).toBeUndefined();
  keepUnsaved('chat-draft.s1', 'of now');

  expect(readUnsaved('chat-draft.s1', z.string())).toBe('of now');
});

test('nobody signed in keeps nothing, and what is forgotten is gone', () => {
  expect(keepUnsaved('chat-draft.s1', 'of nobody')).toBe(false);
  keepSession(sessionOf());
  keepUnsaved('chat-draft.s1', 'asked');

  forgetUnsaved('chat-draft.s1');

  expect(everythingKept()).not.toContain('chat-draft');
  expect(readUnsaved('chat-draft.s1', z.string())).toBeUndefined();
});

import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { sessionOf, textKeyFor } from '#test/screen.tsx';
import { clearSession, saveSession } from './session.ts';
import {
  forgetUnsaved,
  isLostWithPage,
  saveUnsaved,
  readUnsaved,
  unsavedNames,
  unsavedOwner,
} from './unsaved-texts.ts';

beforeEach(() => localStorage.clear());

const everythingKept = () => Object.entries(localStorage).join('\n');

test('the writer can read an unsaved text again, also in the next session', () => {
  saveSession(sessionOf());
  saveUnsaved('report-of-study.s1', { content: 'Carcinoma' });

  clearSession();
  expect(readUnsaved('report-of-study.s1', z.object({ content: z.string() }))).toBeUndefined();
  saveSession(sessionOf());

  expect(readUnsaved('report-of-study.s1', z.object({ content: z.string() }))).toEqual({ content: 'Carcinoma' });
  expect(unsavedNames('report-of-study')).toEqual(['report-of-study.s1']);
});

test('browser storage contains neither the plain unsaved text nor its key', () => {
  const session = sessionOf();
  saveSession(session);
  saveUnsaved('report-of-study.s1', { content: 'Carcinoma' });
  const whileSignedIn = everythingKept();
  clearSession();

  for (const stored of [whileSignedIn, everythingKept()]) {
    expect(stored).toContain('report-of-study.s1');
    expect(stored).not.toContain('Carcinoma');
    expect(stored).not.toContain(session.textKey);
  }
});

test('another user cannot read an unsaved text under any name', () => {
  saveSession(sessionOf());
  saveUnsaved('chat-draft.s1', 'hers');
  const [place = ''] = Object.keys(localStorage).filter((name) => name.startsWith('unsaved.'));
  const another = { ...sessionOf(), textKey: textKeyFor('u9'), user: { ...sessionOf().user, id: 'u9' } };
  saveSession(another);
  localStorage.setItem(place.replace('.u1.', '.u9.'), localStorage.getItem(place) ?? '');

  expect(readUnsaved('chat-draft.s1', z.string())).toBeUndefined();
});

test('an unsaved text that changes while the session ends is stored under the key of its writer', () => {
  saveSession(sessionOf());
  const writer = unsavedOwner();
  clearSession();

  expect(saveUnsaved('chat-draft.s1', 'to be asked', writer)).toBe(true);
  expect(everythingKept()).not.toContain('to be asked');
  saveSession(sessionOf());

  expect(readUnsaved('chat-draft.s1', z.string())).toBe('to be asked');
});

test('without a key, an unsaved text stays in the page and is marked as lost when the page closes', () => {
  const { textKey: _, ...session } = sessionOf();
  saveSession({ ...session, user: { ...session.user, id: 'u7' } });

  expect(saveUnsaved('chat-draft.s1', 'to be asked')).toBe(false);

  expect(readUnsaved('chat-draft.s1', z.string())).toBe('to be asked');
  expect(isLostWithPage('chat-draft.s1')).toBe(true);
  expect(everythingKept()).not.toContain('chat-draft');
  forgetUnsaved('chat-draft.s1');
  expect(readUnsaved('chat-draft.s1', z.string())).toBeUndefined();
});

test('a changed key opens no earlier text, and new text is stored under the new key', () => {
  saveSession(sessionOf());
  saveUnsaved('chat-draft.s1', 'of before');
  saveSession({ ...sessionOf(), textKey: 'b1'.repeat(32) });

  expect(readUnsaved('chat-draft.s1', z.string())).toBeUndefined();
  saveUnsaved('chat-draft.s1', 'of now');

  expect(readUnsaved('chat-draft.s1', z.string())).toBe('of now');
});

test('without a session no unsaved text is stored, and a deleted text cannot be read', () => {
  expect(saveUnsaved('chat-draft.s1', 'of nobody')).toBe(false);
  saveSession(sessionOf());
  saveUnsaved('chat-draft.s1', 'asked');

  forgetUnsaved('chat-draft.s1');

  expect(everythingKept()).not.toContain('chat-draft');
  expect(readUnsaved('chat-draft.s1', z.string())).toBeUndefined();
});

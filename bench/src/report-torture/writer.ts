import { randomInt } from 'node:crypto';
import type { Answer, ServerCalls } from './server-calls.ts';

/** What was asked when the server was killed: it may have been done or not, and nothing in between. */
export type Asked = { act: 'keep' | 'begin' | 'save' | 'finalize'; content: string };

/** What the server has acknowledged to somebody who writes the reports of one study, one after the other. */
export type Promised = {
  studyId: string;
  /** The record that the study is filed under. */
  patientId: string;
  /** Every acknowledged text of every report, by its version. */
  versions: Map<string, Map<number, string>>;
  /** The text of every report whose signature was acknowledged. */
  signed: Map<string, string>;
  /** The report that is written on now. */
  open: { id: string; revision: number; content: string } | undefined;
  /** The text that is kept and not saved yet. */
  kept: { id: string; content: string } | undefined;
  asked: Asked | undefined;
};

export const promiseNothing = ({ studyId, patientId }: Pick<Promised, 'studyId' | 'patientId'>): Promised => ({
  studyId,
  patientId,
  versions: new Map(),
  signed: new Map(),
  open: undefined,
  kept: undefined,
  asked: undefined,
});

/** A text that no other is like, in the form in which the server writes it. */
const newText = (() => {
  let count = 0;
  return () => {
    count += 1;
    const lines = Array.from(
      { length: 1 + randomInt(60) },
      (_, line) => `<p>Text ${count}, line ${line}: no fracture.</p>`,
    );
    return lines.join('');
  };
})();

/**
 * Writes and signs one report after another until the server is gone, and notes each act that is acknowledged. Throws
 * when it answers what it must not.
 */
export const writeUntilKilled = async (
  calls: ServerCalls,
  promised: Promised,
  signature: string,
  note?: (act: Asked['act']) => void,
): Promise<void> => {
  while (promised.asked === undefined) {
    const content = newText();
    const { open } = promised;
    const chance = Math.random();
    const act = chance < 0.5 ? 'keep' : !open ? 'begin' : chance < 0.8 ? 'save' : 'finalize';
    if (act === 'keep') await keep(calls, promised, content);
    else if (act === 'begin') await begin(calls, promised, content);
    else if (act === 'save') await save(calls, promised, content);
    else await sign(calls, promised, signature);
    // A call that was not acknowledged is in `promised.asked`, and does not count.
    if (promised.asked === undefined) note?.(act);
  }
};

/** Asks, and remembers what while it is not known how it went. */
const ask = async <T>(promised: Promised, asked: Asked, call: Promise<Answer<T>>): Promise<T | undefined> => {
  promised.asked = asked;
  const { status, data } = await call;
  if (status === 0 || status === 503) return undefined;
  if (data === undefined) throw new Error(`${asked.act} was answered with ${status}`);
  promised.asked = undefined;
  return data;
};

const keep = async (calls: ServerCalls, promised: Promised, content: string) => {
  const { studyId, patientId, open, kept } = promised;
  const words = { content, patientId, baseRevision: open?.revision ?? null, reportId: open?.id ?? null };
  const answer = await ask(promised, { act: 'keep', content }, calls.keep(studyId, words, kept?.id ?? null));
  if (answer) promised.kept = { id: answer.id, content };
};

const begin = async (calls: ServerCalls, promised: Promised, content: string) => {
  const answer = await ask(
    promised,
    { act: 'begin', content },
    calls.begin(promised.studyId, promised.patientId, content, promised.kept?.id),
  );
  if (answer) noteSaved(promised, answer.id, answer.revision, content);
};

const save = async (calls: ServerCalls, promised: Promised, content: string) => {
  const { open, kept } = promised;
  if (!open) return;
  const answer = await ask(promised, { act: 'save', content }, calls.save(open.id, content, open.revision, kept?.id));
  if (answer) noteSaved(promised, open.id, answer.revision, content);
};

const sign = async (calls: ServerCalls, promised: Promised, signature: string) => {
  const { open } = promised;
  if (!open) return;
  const asked: Asked = { act: 'finalize', content: open.content };
  const answer = await ask(promised, asked, calls.finalize(open.id, open.content, open.revision, signature));
  if (answer) noteSigned(promised, open.id, open.content);
};

export const noteSaved = (promised: Promised, id: string, revision: number, content: string): void => {
  const versions = promised.versions.get(id) ?? new Map<number, string>();
  promised.versions.set(id, versions.set(revision, content));
  promised.open = { id, revision, content };
  promised.kept = undefined;
};

export const noteSigned = (promised: Promised, id: string, content: string): void => {
  promised.signed.set(id, content);
  promised.open = undefined;
  promised.kept = undefined;
};

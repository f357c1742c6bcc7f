import { randomInt } from 'node:crypto';
import type { Answer, ServerCalls } from './server-calls.ts';

/** The request that was unanswered when the server was killed. It was done completely, or it had no effect. */
export type PendingRequest = { act: 'keep' | 'begin' | 'save' | 'finalize'; content: string };

/** Everything that the server acknowledged to the writer of one study's reports. */
export type AcknowledgedState = {
  studyId: string;
  /** The patient record of the study. */
  patientId: string;
  /** Every acknowledged text of every report, by version. */
  versions: Map<string, Map<number, string>>;
  /** The text of every report with an acknowledged signature. */
  signed: Map<string, string>;
  /** The report in progress. */
  open: { id: string; revision: number; content: string } | undefined;
  /** The latest autosave, if the report was not saved after it. */
  autosave: { id: string; content: string } | undefined;
  pending: PendingRequest | undefined;
};

export const promiseNothing = ({
  studyId,
  patientId,
}: Pick<AcknowledgedState, 'studyId' | 'patientId'>): AcknowledgedState => ({
  studyId,
  patientId,
  versions: new Map(),
  signed: new Map(),
  open: undefined,
  autosave: undefined,
  pending: undefined,
});

/** Makes a unique text in the server's own HTML form. */
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
 * Writes and signs reports one by one until the server is gone. Records each acknowledged act. Throws on an invalid
 * answer.
 */
export const writeUntilKilled = async (
  calls: ServerCalls,
  promised: AcknowledgedState,
  signature: string,
  note?: (act: PendingRequest['act']) => void,
): Promise<void> => {
  while (promised.pending === undefined) {
    const content = newText();
    const { open } = promised;
    const chance = Math.random();
    const act = chance < 0.5 ? 'keep' : !open ? 'begin' : chance < 0.8 ? 'save' : 'finalize';
    if (act === 'keep') await keep(calls, promised, content);
    else if (act === 'begin') await begin(calls, promised, content);
    else if (act === 'save') await save(calls, promised, content);
    else await sign(calls, promised, signature);
    // If the server did not acknowledge the call, it is in `promised.asked` and does not count.
    if (promised.pending === undefined) note?.(act);
  }
};

/** Makes a call and remembers it until its outcome is known. */
const record = async <T>(
  promised: AcknowledgedState,
  request: PendingRequest,
  call: Promise<Answer<T>>,
): Promise<T | undefined> => {
  promised.pending = request;
  const { status, data } = await call;
  if (status === 0 || status === 503) return undefined;
  if (data === undefined) throw new Error(`${request.act} was answered with ${status}`);
  promised.pending = undefined;
  return data;
};

const keep = async (calls: ServerCalls, promised: AcknowledgedState, content: string) => {
  const { studyId, patientId, open, autosave } = promised;
  const words = { content, patientId, baseRevision: open?.revision ?? null, reportId: open?.id ?? null };
  const answer = await record(promised, { act: 'keep', content }, calls.keep(studyId, words, autosave?.id ?? null));
  if (answer) promised.autosave = { id: answer.id, content };
};

const begin = async (calls: ServerCalls, promised: AcknowledgedState, content: string) => {
  const answer = await record(
    promised,
    { act: 'begin', content },
    calls.begin(promised.studyId, promised.patientId, content, promised.autosave?.id),
  );
  if (answer) noteSaved(promised, answer.id, answer.revision, content);
};

const save = async (calls: ServerCalls, promised: AcknowledgedState, content: string) => {
  const { open, autosave } = promised;
  if (!open) return;
  const answer = await record(
    promised,
    { act: 'save', content },
    calls.save(open.id, content, open.revision, autosave?.id),
  );
  if (answer) noteSaved(promised, open.id, answer.revision, content);
};

const sign = async (calls: ServerCalls, promised: AcknowledgedState, signature: string) => {
  const { open } = promised;
  if (!open) return;
  const request: PendingRequest = { act: 'finalize', content: open.content };
  const answer = await record(promised, request, calls.finalize(open.id, open.content, open.revision, signature));
  if (answer) noteSigned(promised, open.id, open.content);
};

export const noteSaved = (promised: AcknowledgedState, id: string, revision: number, content: string): void => {
  const versions = promised.versions.get(id) ?? new Map<number, string>();
  promised.versions.set(id, versions.set(revision, content));
  promised.open = { id, revision, content };
  promised.autosave = undefined;
};

export const noteSigned = (promised: AcknowledgedState, id: string, content: string): void => {
  promised.signed.set(id, content);
  promised.open = undefined;
  promised.autosave = undefined;
};

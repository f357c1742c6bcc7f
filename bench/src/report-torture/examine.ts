import { createHash } from 'node:crypto';
import type { Report } from '@radwork/contract/reading/reports';
import type { ServerCalls } from './server-calls.ts';
import { noteSaved, noteSigned, type AcknowledgedState } from './writer.ts';

/** Descriptions of the faults found after a kill. */
export type Faults = { lost: string[]; signedTwice: string[]; otherText: string[] };

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * Compares the server's data with what the server acknowledged to one writer. An unanswered request is either done
 * completely or has no effect. The writer continues from there and repeats an unanswered signature, as a user would.
 */
export const examine = async (calls: ServerCalls, promised: AcknowledgedState, signature: string): Promise<Faults> => {
  const faults: Faults = { lost: [], signedTwice: [], otherText: [] };
  const { data: studyReports } = await calls.ofStudy(promised.studyId);
  if (!studyReports) throw new Error('The server does not answer after its start');
  await examineOpen(calls, promised, { newest: studyReports.report, signature }, faults);
  await examineKept(calls, promised, faults);
  promised.pending = undefined;
  return faults;
};

/** Compares everything that was ever acknowledged with the final data. */
export const examineAll = async (calls: ServerCalls, promised: AcknowledgedState): Promise<Faults> => {
  const faults: Faults = { lost: [], signedTwice: [], otherText: [] };
  await examineVersions(calls, promised, faults);
  await examineSigned(calls, promised, faults);
  return faults;
};

type NewestReport = { newest: Report | null; signature: string };

/** The open report must have the last acknowledged text, or the text of the unanswered request. */
const examineOpen = async (
  calls: ServerCalls,
  promised: AcknowledgedState,
  { newest, signature }: NewestReport,
  faults: Faults,
) => {
  const { pending, open } = promised;
  if (!open) {
    const isBegun = pending?.act === 'begin' && newest?.status === 'DRAFT';
    if (!isBegun) return;
    if (newest.content === pending.content) noteSaved(promised, newest.id, newest.revision, newest.content);
    else faults.otherText.push(`${newest.id} was begun with another text`);
    return;
  }
  if (newest?.id !== open.id) {
    faults.lost.push(`report ${open.id}`);
    promised.open = undefined;
    return;
  }
  if (pending?.act === 'finalize') return signAgain(calls, promised, { newest, signature }, faults);
  const isOther = newest.content !== open.content;
  if (pending?.act === 'save' && newest.content === pending.content && newest.revision > open.revision) {
    noteSaved(promised, open.id, newest.revision, newest.content);
  } else if (isOther || newest.revision !== open.revision) {
    faults.lost.push(`the text of ${open.id}: version ${open.revision} was acknowledged, ${newest.revision} is there`);
  }
};

/**
 * Signs again without an answer to the first attempt. The call succeeds or is refused, and the report must be signed
 * once.
 */
const signAgain = async (
  calls: ServerCalls,
  promised: AcknowledgedState,
  { newest, signature }: { newest: Report; signature: string },
  faults: Faults,
) => {
  const { open } = promised;
  if (!open) return;
  const { status } = await calls.finalize(open.id, open.content, open.revision, signature);
  const expected = newest.status === 'FINALIZED' ? 409 : 200;
  if (status !== expected) faults.signedTwice.push(`${open.id}: ${newest.status}, and then answered with ${status}`);
  noteSigned(promised, open.id, open.content);
};

const examineKept = async (calls: ServerCalls, promised: AcknowledgedState, faults: Faults) => {
  const { autosave, pending, open } = promised;
  const { data: texts = [] } = await calls.keptTexts(promised.studyId);
  const storedText = texts.find(({ reportId }) => reportId === (open?.id ?? null));
  const isKept = storedText?.content === autosave?.content;
  const isReplaced = pending?.act === 'keep' && storedText?.content === pending.content;
  if (!isKept && !isReplaced) faults.lost.push(`a kept text of ${promised.studyId}`);
  promised.autosave = storedText;
};

const examineVersions = async (calls: ServerCalls, { versions }: AcknowledgedState, faults: Faults) => {
  for (const [id, texts] of versions) {
    for (const [version, content] of texts) {
      const { data } = await calls.version(id, version);
      if (data?.content !== content) faults.lost.push(`version ${version} of ${id}`);
    }
  }
};

const examineSigned = async (calls: ServerCalls, { signed }: AcknowledgedState, faults: Faults) => {
  for (const [id, content] of signed) {
    const { data } = await calls.report(id);
    const signatures = data?.history.filter(({ action }) => action === 'FINALIZED').length;
    if (data?.status !== 'FINALIZED') faults.lost.push(`the signature of ${id}`);
    else if (signatures !== 1) faults.signedTwice.push(`${id} is signed ${signatures} times`);
    else if (data.content !== content || data.contentHash !== sha256(content)) faults.otherText.push(id);
  }
};

import { readHeader } from '@radwork/dicom/header';
import type { BrokenFile } from './broken-files.ts';

/** The result of a file: stored with every byte, refused with a message, or wrong. */
export type UploadOutcome = { kind: 'stored' } | { kind: 'refused'; reason: string } | { kind: 'wrong'; what: string };

type Server = { address: string; token: string };

/** Sends one file, as other software does, and reads it back if stored. Throws when there is no server. */
export const uploadBrokenFile = async (server: Server, file: BrokenFile): Promise<UploadOutcome> => {
  const answer = await fetch(`${server.address}/dicom-web/studies`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.token}`,
      'content-type': 'application/dicom',
      accept: 'text/plain',
    },
    body: new Uint8Array(file.bytes),
  });
  const words = await answer.text();
  if (answer.status === 200) return isIntact(server, file);
  const [, reason] = /Failed to process files:\nFile: (.+)/.exec(words) ?? [];
  if (answer.status === 409 && reason !== undefined) return { kind: 'refused', reason };
  return { kind: 'wrong', what: `${file.name} was answered ${answer.status} without a reason` };
};

const isIntact = async ({ address, token }: Server, { name, bytes }: BrokenFile): Promise<UploadOutcome> => {
  const { studyInstanceUID, seriesInstanceUID, sopInstanceUID } = readHeader(bytes);
  const path = `/studies/${studyInstanceUID}/series/${seriesInstanceUID}/instances/${sopInstanceUID}`;
  const retrieved = await fetch(`${address}/dicom-web${path}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/dicom; transfer-syntax=*' },
  });
  const same = Buffer.from(await retrieved.arrayBuffer()).equals(bytes);
  return same ? { kind: 'stored' } : { kind: 'wrong', what: `${name} was stored and does not come back as it was` };
};

export type UploadOutcomes = { stored: number; refused: number; wrong: string[]; reasons: Map<string, number> };

/** Sends files to a server, several at once, and counts the results. */
export const uploadBrokenFiles = async (
  server: Server,
  files: AsyncIterable<BrokenFile> | Iterable<BrokenFile>,
  atOnce: number,
): Promise<UploadOutcomes> => {
  const outcomes: UploadOutcomes = { stored: 0, refused: 0, wrong: [], reasons: new Map() };
  const note = (fate: UploadOutcome) => {
    if (fate.kind === 'stored') outcomes.stored += 1;
    if (fate.kind === 'wrong') outcomes.wrong.push(fate.what);
    if (fate.kind !== 'refused') return;
    outcomes.refused += 1;
    outcomes.reasons.set(fate.reason, (outcomes.reasons.get(fate.reason) ?? 0) + 1);
  };
  const underWay = new Set<Promise<void>>();
  for await (const file of files) {
    const work: Promise<void> = uploadBrokenFile(server, file)
      .then(note)
      .finally(() => underWay.delete(work));
    underWay.add(work);
    if (underWay.size >= atOnce) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  return outcomes;
};

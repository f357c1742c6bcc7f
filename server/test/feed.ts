import { type DicomJson, textOf } from '@radwork/dicom/dataset';
import type { BrokenFile } from './broken-files.ts';

/** What a server made of a file: kept every byte of it, refused it in words, or neither. */
export type Fate = { kind: 'stored' } | { kind: 'refused'; reason: string } | { kind: 'wrong'; what: string };

type Server = { address: string; token: string };

const send = ({ address, token }: Server, { bytes }: BrokenFile, accept: string) =>
  fetch(`${address}/dicom-web/studies`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/dicom', accept },
    body: new Uint8Array(bytes),
  });

/** Sends one file, as other software does, and reads it back if it was stored. Throws when there is no server. */
export const feed = async (server: Server, file: BrokenFile): Promise<Fate> => {
  const answer = await send(server, file, 'application/dicom+json');
  const json: DicomJson = JSON.parse(await answer.text());
  switch (answer.status) {
    case 200:
      return isIntact(server, file, json);
    case 409:
      return refusal(server, file);
    default:
      return { kind: 'wrong', what: `${file.name} was answered ${answer.status}` };
  }
};

const isIntact = async ({ address, token }: Server, { name, bytes }: BrokenFile, answer: DicomJson): Promise<Fate> => {
  const [stored] = (answer['00081199']?.Value ?? []) as DicomJson[];
  const path = new URL((stored && textOf(stored, 'RetrieveURL')) ?? address).pathname;
  const retrieved = await fetch(`${address}${path}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/dicom; transfer-syntax=*' },
  });
  const same = Buffer.from(await retrieved.arrayBuffer()).equals(bytes);
  return same ? { kind: 'stored' } : { kind: 'wrong', what: `${name} was stored and does not come back as it was` };
};

/** The words are in the answer for people. */
const refusal = async (server: Server, file: BrokenFile): Promise<Fate> => {
  const answer = await send(server, file, 'text/plain');
  const [, reason] = /Failed to process files:\nFile: (.+)/.exec(await answer.text()) ?? [];
  return reason === undefined
    ? { kind: 'wrong', what: `${file.name} was refused without a reason` }
    : { kind: 'refused', reason };
};

export type Fates = { stored: number; refused: number; wrong: string[]; reasons: Map<string, number> };

/** Feeds files to a server, some at once, and counts what became of them. */
export const feedAll = async (
  server: Server,
  files: AsyncIterable<BrokenFile> | Iterable<BrokenFile>,
  atOnce: number,
): Promise<Fates> => {
  const fates: Fates = { stored: 0, refused: 0, wrong: [], reasons: new Map() };
  const note = (fate: Fate) => {
    if (fate.kind === 'stored') fates.stored += 1;
    if (fate.kind === 'wrong') fates.wrong.push(fate.what);
    if (fate.kind !== 'refused') return;
    fates.refused += 1;
    fates.reasons.set(fate.reason, (fates.reasons.get(fate.reason) ?? 0) + 1);
  };
  const underWay = new Set<Promise<void>>();
  for await (const file of files) {
    const work: Promise<void> = feed(server, file)
      .then(note)
      .finally(() => underWay.delete(work));
    underWay.add(work);
    if (underWay.size >= atOnce) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  return fates;
};

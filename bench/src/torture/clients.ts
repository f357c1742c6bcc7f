import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type DicomJson, textOf } from '@radwork/dicom/dataset';
import { closingBoundary, partHeader } from '@radwork/dicom/multipart';
import { newUid } from '@radwork/dicom/uid';
import { simpleInstance } from '@radwork/phantom/instance';

/** The acknowledged instances: path under WADO-RS and SHA-256 of the bytes. */
export type AcknowledgedFiles = Map<string, string>;

export type Answers = Map<number | 'none', number>;

/**
 * The outcome of uploads. `lastBegun` is the latest start of an acknowledged upload (performance.now). `milliseconds`
 * holds the duration of each acknowledged upload.
 */
export type UploadLog = {
  promised: AcknowledgedFiles;
  answers: Answers;
  lastBegun: number;
  milliseconds: number[];
  /** Called for each failed upload with its start (performance.now) and its status, 0 for no answer. */
  whenNotTaken?: (start: number, status: number) => void;
  /** Called for each acknowledged upload. */
  whenTaken?: () => void;
};

type Instance = { uid: string; path: string; bytes: Buffer };

const boundary = 'radwork-torture-radwork-torture-radwork-torture';
/** Rows and columns of 16-bit pixels: images of 8 KB to 500 KB. */
const sizes = [64, 64, 128, 128, 256, 512];

const pick = <T>(values: readonly T[]): T | undefined => values[Math.floor(Math.random() * values.length)];

/** Makes one to six images of a new series, with random pixels. */
const newInstances = (): Instance[] => {
  const [study, series] = [newUid(), newUid()];
  const patient = newUid();
  return Array.from({ length: 1 + Math.floor(Math.random() * 6) }, () => {
    const [uid, size] = [newUid(), pick(sizes) ?? 64];
    const bytes = simpleInstance(
      {
        StudyInstanceUID: study,
        SeriesInstanceUID: series,
        SOPInstanceUID: uid,
        PatientID: patient,
        Rows: size,
        Columns: size,
      },
      { pixelData: randomBytes(size * size * 2) },
    );
    return { uid, path: `/studies/${study}/series/${series}/instances/${uid}`, bytes };
  });
};

const messageOf = (instances: readonly Instance[]): Buffer =>
  Buffer.concat([
    ...instances.flatMap(({ bytes }) => [partHeader({ boundary, contentType: 'application/dicom' }), bytes]),
    closingBoundary(boundary),
  ]);

/** The UIDs that a store answer acknowledges (PS3.18 §10.5.3). */
const acknowledgedIn = (answer: DicomJson): Set<string> => {
  const items = (answer['00081199']?.Value ?? []) as DicomJson[];
  return new Set(items.flatMap((item) => textOf(item, 'ReferencedSOPInstanceUID') ?? []));
};

/**
 * Uploads with `atOnce` workers until the signal aborts, with a pause in milliseconds after each upload. Records
 * acknowledged instances and answers.
 */
export const uploadUntil = async (
  signal: AbortSignal,
  { address, token, atOnce, pause = 0 }: { address: () => string; token: string; atOnce: number; pause?: number },
  log: UploadLog,
): Promise<void> => {
  const { promised, answers } = log;
  const uploadOne = async (start: number) => {
    const instances = newInstances();
    const response = await fetch(`${address()}/dicom-web/studies`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': `multipart/related; type="application/dicom"; boundary=${boundary}`,
      },
      body: new Uint8Array(messageOf(instances)),
    });
    const text = await response.text();
    answers.set(response.status, (answers.get(response.status) ?? 0) + 1);
    if (response.status !== 200 && response.status !== 202) {
      log.whenNotTaken?.(start, response.status);
      return wait(50);
    }
    log.milliseconds.push(performance.now() - start);
    const acknowledged = acknowledgedIn(JSON.parse(text));
    log.lastBegun = Math.max(log.lastBegun, start);
    for (const { uid, path, bytes } of instances) {
      if (acknowledged.has(uid)) promised.set(path, createHash('sha256').update(bytes).digest('hex'));
    }
    if (acknowledged.size > 0) log.whenTaken?.();
  };
  const work = async () => {
    while (!signal.aborted) {
      const start = performance.now();
      await uploadOne(start).catch(async () => {
        log.whenNotTaken?.(start, 0);
        answers.set('none', (answers.get('none') ?? 0) + 1);
        await wait(20);
      });
      if (pause > 0) await wait(pause);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
};

export type LostAndChanged = { lost: string[]; changed: string[] };

/** Retrieves all acknowledged instances and compares them with the sent bytes. */
export const checkPromises = async (
  { address, token }: { address: () => string; token: string },
  promised: AcknowledgedFiles,
): Promise<LostAndChanged> => {
  const result: LostAndChanged = { lost: [], changed: [] };
  const remaining = promised.entries();
  const checkOneAfterAnother = async () => {
    for (const [path, sha256] of remaining) {
      const response = await fetch(`${address()}/dicom-web${path}`, {
        headers: { authorization: `Bearer ${token}`, accept: 'application/dicom; transfer-syntax=*' },
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      if (response.status !== 200) result.lost.push(`${path} (${response.status})`);
      else if (createHash('sha256').update(bytes).digest('hex') !== sha256) result.changed.push(path);
    }
  };
  await Promise.all(Array.from({ length: 8 }, checkOneAfterAnother));
  return result;
};

import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { AcknowledgedFiles } from '../torture/clients.ts';
import type { Ledger } from './outage-ledger.ts';

export type Installation = { address: () => string; token: string };

type Answer = { status: number; headers: Headers; body: Buffer };

/** An answer with its whole body. Status 0 means no answer. */
export const request = async (
  { address, token }: Installation,
  path: string,
  init: RequestInit = {},
): Promise<Answer> => {
  try {
    const response = await fetch(`${address()}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, ...Object.fromEntries(new Headers(init.headers)) },
      signal: AbortSignal.timeout(60_000),
    });
    const body = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, body };
  } catch {
    return { status: 0, headers: new Headers(), body: Buffer.alloc(0) };
  }
};

const pick = <T>(values: readonly T[]): T | undefined => values[Math.floor(Math.random() * values.length)];

/** Repeats work with a random pause until the signal aborts. */
const again = async (signal: AbortSignal, pause: number, work: () => Promise<void>) => {
  while (!signal.aborted) {
    await work();
    await wait(pause * (0.5 + Math.random()));
  }
};

type Reading = { installation: Installation; promised: AcknowledgedFiles; ledger: Ledger; signal: AbortSignal };

/** Opens acknowledged images. Each file must equal the sent file, and the server must render it. */
export const view = ({ installation, promised, ledger, signal }: Reading) =>
  again(signal, 150, async () => {
    const [path, sha256] = pick([...promised]) ?? [];
    if (!path) return;
    const from = performance.now();
    const file = await request(installation, `/dicom-web${path}`, {
      headers: { accept: 'application/dicom; transfer-syntax=*' },
    });
    const isSame = createHash('sha256').update(file.body).digest('hex') === sha256;
    ledger.note('view: file', from, file.status, isSame ? '' : `${path} is not what was sent`);
    const later = performance.now();
    const picture = await request(installation, `/dicom-web${path}/rendered`, { headers: { accept: 'image/jpeg' } });
    const isPicture = picture.body.subarray(0, 2).equals(Buffer.from([0xff, 0xd8]));
    ledger.note('view: picture', later, picture.status, isPicture ? '' : `${path} is no picture`);
  });

/** Searches for acknowledged studies, which must be found exactly once, and loads the list. */
export const search = ({ installation, promised, ledger, signal }: Reading) =>
  again(signal, 300, async () => {
    const study = /studies\/([\d.]+)/.exec(pick([...promised.keys()]) ?? '')?.[1];
    if (!study) return;
    const from = performance.now();
    const response = await request(installation, `/dicom-web/studies?StudyInstanceUID=${study}`);
    const isFoundOnce = response.status !== 200 || JSON.parse(response.body.toString()).length === 1;
    ledger.note('search: QIDO', from, response.status, isFoundOnce ? '' : `${study} is not found once`);
    const later = performance.now();
    const list = await request(installation, '/api/studies?size=50');
    ledger.note('search: list', later, list.status);
  });

/** Makes the periodic calls of an open page. */
export const poll = ({ installation, ledger, signal }: Reading) =>
  again(signal, 1000, async () => {
    for (const path of ['/api/notifications?filter=unread&size=1', '/api/studies?size=20']) {
      const from = performance.now();
      const { status } = await request(installation, path, { headers: { 'x-poll': '1' } });
      ledger.note('poll', from, status);
    }
  });

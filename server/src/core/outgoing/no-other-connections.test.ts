import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const sources = resolve(import.meta.dirname, '../..');

/** Patterns of code that opens connections: imports and globals. Type imports do not count. */
const waysOut = [
  /import (?!type)[^;]*from '(undici|node:(net|tls|http2?|https|dgram))'/,
  /import (?!type)[^;]*from '@aws-sdk\//,
  /import\('(undici|node:(net|tls|http2?|https|dgram))'\)/,
  /(?<![.\w])fetch\(/,
  /new (WebSocket|EventSource)\(/,
  /import (?!type)[^;]*from 'nodemailer'/,
];

/** Files that may match, with the reason why each does not bypass the guard. */
const reasons: Record<string, string> = {
  'core/outgoing/open-outgoing.ts': 'the guard',
  'core/outgoing/pinned-connector.ts': 'the guard',
  'core/outgoing/judge-address.ts': 'the guard, which reads addresses',
  'core/http/framework-errors.ts': 'it names refusals of calls that came in, and calls nobody',
  'core/config/unencrypted-connections.ts': 'it reads addresses of the settings, and calls nobody',
  'reading/sharing/link-opens.ts': 'it shortens the address of whoever opened a link, and calls nobody',
  'core/notifications/mail.ts': 'to the mail server that the operator names in SMTP_URL',
  'core/uploads/malware-scan.ts': 'to the virus scanner that the operator names in CLAMD_ADDRESS',
  'core/blobs': 'to the object store that the operator names in STORAGE_URL',
  'core/monitoring/serve-metrics.ts': 'it listens, and calls nobody',
  doctor: 'to what the operator names in the settings, once, when they ask for it',
  'imaging/archive/render-process/render-pool.ts': 'to its own processes, by a pipe that it has opened',
  'imaging/dimse': 'devices call us, and associations of ours are opened to an address that the guard has judged',
};

const filesBelow = (folder: string): string[] =>
  readdirSync(join(sources, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return path.endsWith('.ts') && !path.endsWith('.test.ts') ? [path] : [];
  });

const callsOut = (path: string): boolean => {
  const source = readFileSync(join(sources, path), 'utf8');
  return waysOut.some((way) => way.test(source));
};
const mayCallOut = (path: string): boolean =>
  Object.keys(reasons).some((allowed) => path === allowed || path.startsWith(`${allowed}/`));

test('only the guarded client connects to addresses that users enter', () => {
  const others = filesBelow('').filter((path) => callsOut(path) && !mayCallOut(path));

  expect(others).toEqual([]);
  expect(callsOut('core/outgoing/open-outgoing.ts')).toBe(true);
});

test('DIMSE connects only to addresses that the guard has approved', () => {
  const connecting = filesBelow('imaging/dimse').filter((path) =>
    /\bconnect(Tls)?\(\{/.test(readFileSync(join(sources, path), 'utf8')),
  );

  expect(connecting.filter((path) => path !== 'imaging/dimse/open-association.ts')).toEqual([]);
});

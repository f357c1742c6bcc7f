import { webcrypto } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetUploads } from '#core/state/uploaded-files.ts';
import { answerBytes, serve, signIn } from '#test/screen.tsx';
import { instanceSummary, sourceOf, uploadItem } from '#test/upload.ts';
import { alreadyUploaded, noteUploads } from './resume-upload.ts';

beforeEach(() => {
  vi.stubGlobal('crypto', webcrypto);
  localStorage.clear();
  signIn();
});
afterEach(() => vi.unstubAllGlobals());

const items = ['1', '2', '3'].map((number) =>
  uploadItem(`CT/IM${number}`, { summary: instanceSummary({ sopInstanceUID: `2.25.${number}` }) }),
);
const [first, second, third] = items;
const idsOf = (some: (typeof first)[]) => new Set(some.map((item) => item?.id));

/** Returns an instance as in the search response of the archive. */
const instance = (uid: string, availability = 'ONLINE') => ({
  '00080018': { vr: 'UI', Value: [uid] },
  '00080056': { vr: 'CS', Value: [availability] },
});

/** Returns an archive with these instances. */
const archiveWith = (...uids: string[]) => archiveListing(uids.map((uid) => instance(uid)));

const archiveListing = (instances: ReturnType<typeof instance>[]) =>
  serve(answerBytes('/api/qido-rs/studies/:study/instances', () => Response.json(instances)));

test('files that the server has acknowledged and still has in the archive are not sent again', async () => {
  await noteUploads(items.slice(0, 2));
  const calls = archiveWith('2.25.1', '2.25.2', '2.25.3');

  expect(await alreadyUploaded(items)).toEqual(idsOf([first, second]));
  expect(calls.map(({ url }) => url.pathname)).toEqual(['/api/qido-rs/studies/2.25.1/instances']);
});

test('files deleted from the archive meanwhile are sent again', async () => {
  await noteUploads(items.slice(0, 2));
  archiveWith('2.25.2');

  expect(await alreadyUploaded(items)).toEqual(idsOf([second]));
});

test('files that the archive lists without their bytes are sent again', async () => {
  await noteUploads(items.slice(0, 2));
  archiveListing([instance('2.25.1', 'UNAVAILABLE'), instance('2.25.2')]);

  expect(await alreadyUploaded(items)).toEqual(idsOf([second]));
});

test('another file with the same SOP Instance UID is sent, and the archive can refuse it', async () => {
  await noteUploads(items.slice(0, 1));
  archiveWith('2.25.1');
  const larger = { ...items[0], ...uploadItem('CT/IM1', { summary: instanceSummary({ sopInstanceUID: '2.25.1' }) }) };

  expect(await alreadyUploaded([{ ...larger, source: sourceOf('CT/IM1', 5) }])).toEqual(new Set());
});

test('the instances of a large study are requested page by page', async () => {
  await noteUploads(items);
  const all = Array.from({ length: 1500 }, (_, index) => `2.25.${1500 - index}`);
  const calls = serve(
    answerBytes('/api/qido-rs/studies/:study/instances', ({ url }) => {
      const offset = Number(url.searchParams.get('offset'));
      const page = all.slice(offset, offset + Number(url.searchParams.get('limit')));
      return Response.json(page.map((uid) => instance(uid, uid === '2.25.2' ? 'UNAVAILABLE' : 'ONLINE')));
    }),
  );

  expect(await alreadyUploaded(items)).toEqual(idsOf([first, third]));
  expect(calls).toHaveLength(2);
});

test('for files without an acknowledgment, the archive is not queried', async () => {
  const calls = archiveWith('2.25.1');

  expect(await alreadyUploaded(items)).toEqual(new Set());
  expect(calls).toEqual([]);
});

test('all files are sent if the archive does not respond', async () => {
  await noteUploads(items);
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });

  expect(await alreadyUploaded(items)).toEqual(new Set());
});

test('stored fingerprints of files contain no path and no UID, and can be deleted', async () => {
  await noteUploads([uploadItem('DOE^JANE/IM1')]);
  const stored = localStorage.getItem('uploaded-files');

  expect(stored).toMatch(/^[A-Za-z0-9+/]{16}$/);

  forgetUploads();

  expect(localStorage.getItem('uploaded-files')).toBeNull();
});

import { archive } from '@radwork/contract/imaging/archive';
import { studies } from '@radwork/contract/imaging/studies';
import { waitFor } from '@testing-library/react';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { answer, serve, signIn } from '#test/screen.tsx';
import { call, callStream } from './api.ts';

const studyUid = '2.25.4711';
const study = { id: '01a1fe1f-77c9-792b-a4a3-36b272677723' } as never;

beforeEach(() => {
  signIn();
  document.head.innerHTML = `
    <meta name="first-viewer-files" content="assets/viewer-1.js">
    <meta name="study-list-files" content="assets/list-1.js assets/list-2.js assets/list-1.css">
    <meta name="study-page-files" content="assets/page-1.js">`;
  Reflect.deleteProperty(globalThis, 'firstRequests');
});

/** A script without types, which the page loads as it is. */
const script = '../../../public/assets/first-request.js';

/** Loads a page at an address up to the script that sends the first request. */
const openPage = async (path: string) => {
  const { pathname } = window.location;
  window.history.replaceState(null, '', path);
  onTestFinished(() => window.history.replaceState(null, '', pathname));
  vi.resetModules();
  await import(/* @vite-ignore */ script);
};

const answerStudy = () => serve(answer(studies.getByUid, () => study));

test('the first call for the study of a viewer takes the response of the page, and the next call asks again', async () => {
  const sent = answerStudy();
  await openPage(`/viewer/${studyUid}`);

  expect(await call(studies.getByUid, { params: { studyUid } })).toEqual(study);
  expect(sent.map(({ url }) => url.pathname)).toEqual([`/api/studies/uid/${studyUid}`]);
  await call(studies.getByUid, { params: { studyUid } });
  expect(sent).toHaveLength(2);
});

const series = (uid: string, more: object = {}) => ({
  seriesInstanceUID: uid,
  modality: 'CT',
  contents: { images: 2 },
  isLocalizer: false,
  ...more,
});

test.each([
  ['its only series', [series('2.25.1', { modality: 'MR' })], '2.25.1'],
  ['the first CT series after the localizer', [series('2.25.1', { isLocalizer: true }), series('2.25.2')], '2.25.2'],
  [
    'the series with images',
    [series('2.25.1', { modality: 'SR', contents: { images: 0 } }), series('2.25.2')],
    '2.25.2',
  ],
  ['no series, because others need their hanging', [series('2.25.1'), series('2.25.2', { modality: 'PT' })], undefined],
])('the page of a viewer requests the headers of %s', async (_, seriesList, uid) => {
  const metadata = /\/metadata$/;
  const sent = serve(
    answer(studies.getByUid, () => ({ studyInstanceUID: studyUid, series: seriesList }) as never),
    { method: 'GET', path: metadata, reply: () => Response.json([{ first: true }]) },
  );
  await openPage(`/viewer/${studyUid}`);
  await call(studies.getByUid, { params: { studyUid } });
  const paths = () => sent.map(({ url }) => url.pathname).filter((path) => metadata.test(path));
  const expected = uid === undefined ? [] : [`/api/wado-rs/studies/${studyUid}/series/${uid}/metadata`];
  await waitFor(() => expect(paths()).toEqual(expected));
  if (uid === undefined) return;

  const response = await callStream('/api/wado-rs', archive.seriesMetadata, {
    params: { studyUid, seriesUid: uid },
    accept: 'application/dicom+json',
  });
  expect(await response.json()).toEqual([{ first: true }]);
  expect(paths()).toEqual(expected);
});

test('a call of another user does not take the response of the page', async () => {
  const sent = answerStudy();
  await openPage(`/viewer/${studyUid}`);
  localStorage.setItem('token', 'token of another user');

  await call(studies.getByUid, { params: { studyUid } });
  expect(sent.map(({ headers }) => headers.get('authorization')).at(-1)).toBe('Bearer token of another user');
  expect(sent).toHaveLength(2);
});

test('a call does not take a response that is out of date', async () => {
  const sent = answerStudy();
  await openPage(`/viewer/${studyUid}`);
  const requests = Reflect.get(globalThis, 'firstRequests') as { unused: AbortController }[];
  const [first] = requests;
  for (const request of requests) Object.assign(request, { at: performance.now() - 60_000 });

  await call(studies.getByUid, { params: { studyUid } });
  expect(sent).toHaveLength(2);
  expect(first?.unused.signal.aborted).toBe(true);
});

test('a call that is aborted does not wait for the response of the page', async () => {
  serve({ method: 'GET', path: /./, reply: () => new Promise<Response>(() => undefined) });
  await openPage(`/viewer/${studyUid}`);

  const abort = new AbortController();
  const waiting = call(studies.getByUid, { params: { studyUid } }, { signal: abort.signal });
  abort.abort();
  await expect(waiting).rejects.toThrow('aborted');
});

test.each(['/studies', '/viewer/', '/viewer/..%2Fusers', `/studies/${studyUid}`])(
  'the page sends no first request at the address %s',
  async (path) => {
    const sent = answerStudy();
    await openPage(path);

    expect(sent).toEqual([]);
  },
);

test('a page without a session preloads nothing, because it redirects to the sign-in', async () => {
  localStorage.clear();
  await openPage('/studies');

  expect(document.head.querySelector('link')).toBeNull();
});

test.each([
  [`/viewer/${studyUid}`, ['/assets/viewer-1.js'], []],
  ['/studies', ['/assets/list-1.js', '/assets/list-2.js'], ['/assets/list-1.css']],
  [`/studies/${studyUid}`, ['/assets/page-1.js'], []],
  ['/studies/create', [], []],
  ['/dashboard', [], []],
])('the page preloads scripts and style sheets of the screen at the address %s', async (path, scripts, styles) => {
  answerStudy();
  await openPage(path);

  const links = [...document.head.querySelectorAll('link')];
  const hrefs = (rel: string, as?: string) =>
    links.filter((link) => link.rel === rel && link.as === as).map((link) => link.getAttribute('href'));
  expect(hrefs('modulepreload')).toEqual(scripts);
  expect(hrefs('preload', 'style')).toEqual(styles);
});

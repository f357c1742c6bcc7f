import { studies } from '@radwork/contract/imaging/studies';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { answer, serve, signIn } from '#test/screen.tsx';
import { call } from './api.ts';

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
  for (const request of Reflect.get(globalThis, 'firstRequests') as object[]) {
    Object.assign(request, { at: performance.now() - 60_000 });
  }

  await call(studies.getByUid, { params: { studyUid } });
  expect(sent).toHaveLength(2);
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

import { archive } from '@radwork/contract/imaging/archive';
import { health } from '@radwork/contract/identity/health';
import { studies } from '@radwork/contract/imaging/studies';
import { QueryClient } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { answer, answerBytes, refuse, serve, sessionOf, show, signIn } from '#test/screen.tsx';
import { ApiError, call, callStream, fetchBytes, query, useAction, errorMessageOf } from './api.ts';
import { clearSession, saveSession, readSession } from '#core/state/session.ts';

beforeEach(() => void signIn());

const id = '01a1fe1f-77c9-792b-a4a3-36b272677723';
const nothing = { content: [], totalElements: 0, totalPages: 0, number: 0, size: 10, isTotalExact: true };

const failureOf = async (promise: Promise<unknown>): Promise<ApiError> => {
  const error: unknown = await promise.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(error instanceof ApiError)) throw new Error('The call did not fail as a call fails');
  return error;
};

test("a call sends the user's token and the organization", async () => {
  const { token } = signIn();
  const [sent] = [serve(answer(studies.list, () => nothing))];

  await call(studies.list, { query: { status: 'PENDING', modality: '', page: 0 } });

  expect(sent[0]?.url.search).toBe('?status=PENDING&page=0');
  expect(sent[0]?.headers.get('authorization')).toBe(`Bearer ${token}`);
  expect(sent[0]?.headers.get('x-tenantid')).toBe('north');
});

test('without a session, only public calls are sent', async () => {
  clearSession();
  const sent = serve(answer(studies.list, () => nothing));

  const error = await failureOf(call(studies.list, { query: {} }));
  const ofBytes = await failureOf(fetchBytes('/api/studies/1/thumbnail'));
  await call(health.about, {});

  expect([error.status, ofBytes.status]).toEqual([401, 401]);
  expect(sent.map(({ url }) => url.pathname)).toEqual([`/api${health.about.path}`]);
});

test('a parameter with a slash cannot change the path of a call', async () => {
  const sent = serve({ method: 'GET', path: /./, reply: () => Response.json({ code: 200, data: [] }) });

  await call(studies.series, { params: { id: '../users?x=1' } });

  expect(sent[0]?.url.pathname).toBe('/api/studies/..%2Fusers%3Fx%3D1/series');
});

test('a small call continues after its page closes, and a large one is sent without keepalive', async () => {
  const sent = serve(answer(studies.update, () => ({}) as never));
  const fetched = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => fetched.mockRestore());
  const describe = (description: string) =>
    call(studies.update, { params: { id }, body: { description, version: 1 } as never }, { keepalive: true });

  await describe('Chest');
  await describe('Ж'.repeat(40_000));

  expect(fetched.mock.calls.map(([, init]) => init?.keepalive ?? false)).toEqual([true, false]);
  expect(sent).toHaveLength(2);
});

test('an error contains the message, the invalid fields and the trace ID of the server', async () => {
  const errors = [{ field: 'description', message: 'Description is too long' }];
  serve(refuse(studies.update, 422, 'Description is too long', { errors }));

  const error = await failureOf(call(studies.update, { params: { id }, body: { revision: 1 } }));

  expect(error).toMatchObject({
    status: 422,
    message: 'Description is too long',
    fields: { description: 'Description is too long' },
    traceId: 'trace-1',
  });
});

test('if the server refuses a token, the session of this token ends, but no later session', async () => {
  signIn();
  serve(refuse(studies.list, 401, 'Authentication required'));
  await failureOf(call(studies.list, { query: {} }));
  expect(readSession()).toBeUndefined();

  signIn();
  const late = call(studies.list, { query: {} });
  saveSession(sessionOf());
  await failureOf(late);

  expect(readSession()).toBeDefined();
});

test('an error page of a proxy raises its own error', async () => {
  serve({ method: 'GET', path: /./, reply: () => new Response('<html>Bad gateway', { status: 502 }) });

  const error = await failureOf(call(studies.list, { query: {} }));

  expect(error).toMatchObject({ status: 502, error: 'answer.unreadable' });
  expect(errorMessageOf(error, 'Error fetching studies')).toBe('Error fetching studies');
});

test('an answer without an envelope raises an error', async () => {
  serve({ method: 'GET', path: /./, reply: () => new Response('<html>Welcome') });

  expect(await failureOf(call(studies.list, { query: {} }))).toMatchObject({ error: 'answer.unreadable' });
});

test('a missing answer and a late answer raise different errors', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  expect(await failureOf(call(studies.list, { query: {} }))).toMatchObject({
    status: 0,
    message: 'No response received from server',
  });

  vi.stubGlobal('fetch', silentFetch);
  expect(await failureOf(call(studies.list, { query: {} }, { timeout: 10 }))).toMatchObject({
    status: 0,
    error: 'answer.late',
  });
});

/** Fetch that never answers and rejects on abort, as a browser does. */
const silentFetch = (_: string, { signal }: RequestInit) =>
  new Promise((_resolve, reject) =>
    signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))),
  );

test('a call that its caller cancels counts as no failure', async () => {
  const controller = new AbortController();
  vi.stubGlobal('fetch', silentFetch);

  const pending = call(studies.list, { query: {} }, { signal: controller.signal });
  controller.abort();

  await expect(pending).rejects.toThrow(DOMException);
});

test('requests for images and streams send the token', async () => {
  const { token } = signIn();
  const jpeg = () => new Response(new Uint8Array([255, 216]), { headers: { 'content-type': 'image/jpeg' } });
  const sent = serve(answerBytes('/api/wado-rs/studies/:uid/rendered', jpeg));

  const bytes = await fetchBytes('/api/wado-rs/studies/1.2/rendered', { accept: 'image/jpeg' });
  const response = await callStream('/api/wado-rs', archive.studyRendered, { params: { studyUid: '1.2' } });

  expect([bytes.size, response.status]).toEqual([2, 200]);
  expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual([`Bearer ${token}`, `Bearer ${token}`]);
  expect(sent[0]?.headers.get('accept')).toBe('image/jpeg');
});

function RemoveButton() {
  const remove = useAction(studies.remove, { done: 'Study deleted successfully', failed: 'Error deleting study' });
  return (
    <button type="button" onClick={() => remove.mutate({ params: { id } })}>
      Delete
    </button>
  );
}

test('a successful action shows its message of success', async () => {
  serve(answer(studies.remove, () => undefined));
  show(<RemoveButton />);

  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));

  expect(await screen.findByText('Study deleted successfully')).toBeDefined();
});

test('an error message of the server replaces the default message', async () => {
  serve(refuse(studies.remove, 409, 'This study has a finalized report'));
  show(<RemoveButton />);

  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));

  expect(await screen.findByText('This study has a finalized report')).toBeDefined();
  expect(screen.queryByText('Error deleting study')).toBeNull();
});

test('the default error message appears when the server sends none', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  show(<RemoveButton />);

  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));

  expect(await screen.findByText('Error deleting study')).toBeDefined();
});

test('calls from a page without user activity do not extend the session', async () => {
  signIn();
  const sent = serve(answer(studies.list, () => nothing));
  const client = new QueryClient();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const ask = () => client.fetchQuery({ ...query(studies.list, { query: {} }), staleTime: 0 });

  vi.useFakeTimers({ toFake: ['Date'] });
  window.dispatchEvent(new Event('keydown'));
  await ask();
  vi.advanceTimersByTime(5 * 60_000);
  await ask();
  window.dispatchEvent(new Event('pointermove'));
  await ask();

  expect(sent.map(({ headers }) => headers.get('x-poll'))).toEqual([null, '1', null]);
});

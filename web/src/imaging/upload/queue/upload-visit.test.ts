import { sampleFile } from '@radwork/dicom/sample-files';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearSession, saveSession, readSession } from '#core/state/session.ts';
import { FakeRequest } from '#test/fake-request.ts';
import { sessionOf, signIn } from '#test/screen.tsx';
import { sourceOf, WorkerHere } from '#test/upload.ts';
import { chosenFiles, counts, delivery } from '#test/upload-queue.ts';
import { beginVisit, endVisit } from './upload-visit.ts';

/** Authorization header of each request, in order. */
let senders: (string | null)[] = [];
/** Called after each request was sent. */
let meanwhile = () => {};

/** Simulates an archive that stores all files. */
class StoringRequest extends FakeRequest {
  override send(body: FormData) {
    super.send(body);
    senders.push(this.headers.get('authorization'));
    const stored = body.getAll('file').map((_, index) => ({ name: String(index), studyId: 'd9f0' }));
    queueMicrotask(() => {
      meanwhile();
      this.answer(200, { code: 200, data: { stored, refused: [] } });
    });
  }
}

beforeEach(() => {
  senders = [];
  meanwhile = () => {};
  vi.stubGlobal('XMLHttpRequest', StoringRequest);
  vi.stubGlobal('Worker', WorkerHere);
});
afterEach(() => vi.unstubAllGlobals());

const signInAnother = () => {
  const session = sessionOf();
  saveSession({ ...session, user: { ...session.user, id: 'u2', username: 'b.roth' } });
};

test('an upload stops when another user signs in', async () => {
  const { token } = signIn();
  const visit = beginVisit();
  visit.queue.add(chosenFiles(400));
  meanwhile = signInAnother;

  await visit.queue.start(delivery);

  expect(new Set(senders)).toEqual(new Set([`Bearer ${token}`]));
  expect(counts(visit.queue)).toMatchObject({ pending: 250, failed: 0 });
  expect(visit.queue.snapshot().interruption).toBe('Another user is now signed in to this browser');
});

test('an upload continues in a new session of the same user', async () => {
  signIn();
  const visit = beginVisit();
  visit.queue.add(chosenFiles(200));
  meanwhile = () => void signIn();

  await visit.queue.start(delivery);

  expect(counts(visit.queue)).toMatchObject({ uploaded: 200 });
});

test.each([
  ['paused', async () => {}],
  ['finished', (visit: ReturnType<typeof beginVisit>) => visit.queue.start(delivery)],
])('when the session ends while the upload is %s, the same user gets list and names back', async (_, goOn) => {
  signIn();
  const visit = beginVisit();
  visit.plan.switchTo(true);
  visit.plan.coverAll(['ada']);
  const names = visit.plan.snapshot().pseudonyms;
  visit.queue.add(chosenFiles(400));
  meanwhile = () => visit.queue.pause();
  await visit.queue.start(delivery);
  meanwhile = () => {};
  await goOn(visit);

  clearSession('session.ended');
  endVisit(visit);
  signIn();
  const next = beginVisit();

  expect(next.queue.snapshot().items).toHaveLength(400);
  expect(next.plan.snapshot().pseudonyms).toBe(names);
});

test('files still being read when the session ends are dropped, and the new UIDs are kept', async () => {
  signIn();
  const visit = beginVisit();
  visit.queue.add(chosenFiles(2));
  const reader = visit.reader();
  const looking = visit.lookInto([sourceOf('IM9', sampleFile())], () => {});

  clearSession('session.ended');
  endVisit(visit);
  signIn();

  expect(await looking).toBeUndefined();
  const next = beginVisit();
  expect(next.reader()).toBe(reader);
  expect(next.shown().notes.problems).toEqual([expect.stringMatching(/Choose them again\.$/)]);
});

test('another user cannot continue an upload, and leaving the screen deletes it', () => {
  signIn();
  const visit = beginVisit();
  visit.queue.add(chosenFiles(2));
  clearSession('session.ended');
  endVisit(visit);
  signInAnother();

  const otherVisit = beginVisit();
  expect(otherVisit.queue.snapshot().items).toEqual([]);
  expect(visit.queue.snapshot().items).toEqual([]);

  otherVisit.queue.add(chosenFiles(2));
  endVisit(otherVisit);
  expect(readSession()).toBeDefined();
  expect(beginVisit().queue.snapshot().items).toEqual([]);
});

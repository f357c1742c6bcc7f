import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { RemoteError } from '#imaging/remote-archives/remote-source.ts';
import { causeOf, countExpected, newProgress, type Progress } from './progress.ts';

/**
 * Returns the progress for an archive that reports `promised` instances and lists `listedCount` of them. `storedCount` of these
 * have arrived.
 */
const progressOf = (
  promised: number,
  listedCount: number,
  storedCount: number,
  more: Partial<Progress> = {},
): Progress => {
  const uids = Array.from({ length: listedCount }, () => newUid());
  return {
    ...newProgress(),
    expected: new Set(uids),
    promised,
    storedUids: new Set(uids.slice(0, storedCount)),
    ...more,
  };
};

test('the cause names both a truncated list and instances that were not sent', () => {
  const cut = 'The archive reports 300 instances but lists 100.';
  const broken = new RemoteError('TIMEOUT', 'The archive stopped answering');

  expect(causeOf(progressOf(300, 100, 100))).toBe(`${cut} All of them were received.`);
  expect(causeOf(progressOf(300, 100, 60))).toBe(`The archive did not send 40 of 100 instances. ${cut}`);
  expect(causeOf(progressOf(300, 100, 60, { broken }))).toBe(
    `The archive stopped answering. Received 60 of 100 instances. ${cut}`,
  );
});

test('the cause also says that the lists of the archive are incomplete', () => {
  const omission = 'The archive reports that its lists are incomplete.';

  expect(causeOf(progressOf(0, 100, 100, { omission }))).toBe(omission);
  expect(causeOf(progressOf(0, 0, 0, { omission }))).toBe(omission);
  expect(causeOf(progressOf(300, 100, 100, { omission }))).toBe(
    `The archive reports 300 instances but lists 100. All of them were received. ${omission}`,
  );
  expect(causeOf(progressOf(0, 100, 60, { omission }))).toBe(
    `The archive did not send 40 of 100 instances. ${omission}`,
  );
});

test('an archive that counts instances but lists none is not reported as empty', () => {
  const progress = progressOf(300, 0, 0);

  expect(causeOf(progress)).toBe('The archive reports 300 instances but lists 0.');
  expect(countExpected(progress)).toBe(300);
});

test('an archive that neither counts nor lists instances has no images, and a list may be longer than the count', () => {
  expect(causeOf(progressOf(0, 0, 0))).toBe('The archive has no images of this study');
  expect(causeOf(progressOf(20, 100, 100))).toBe('');
  expect(countExpected(progressOf(20, 100, 100))).toBe(100);
});

test('the cause names both a list that is shorter than before and instances that were not sent', () => {
  const fewer = 'The archive lists 60 instances, 40 fewer than before.';
  const advice = 'If the others were removed there, start a new import.';

  expect(causeOf(progressOf(60, 60, 60, { before: 100 }))).toBe(`${fewer} All of them were received. ${advice}`);
  expect(causeOf(progressOf(60, 60, 50, { before: 100 }))).toBe(
    `The archive did not send 10 of 60 instances. ${fewer} ${advice}`,
  );
  expect(countExpected(progressOf(60, 60, 60, { before: 100 }))).toBe(100);
});

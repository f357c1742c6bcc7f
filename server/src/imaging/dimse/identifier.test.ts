import { implicitLittleEndian } from '@radwork/dicom/transfer-syntax';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { BadIdentifier, readIdentifier, writeIdentifier } from './identifier.ts';

test('accepts a list of UIDs that is far longer than one UID', () => {
  const uids = Array.from({ length: 500 }, () => newUid());
  const identifier = { QueryRetrieveLevel: 'IMAGE', StudyInstanceUID: '1.2', SOPInstanceUID: uids };

  const read = readIdentifier(writeIdentifier(identifier, implicitLittleEndian.uid), implicitLittleEndian.uid);

  expect(read['00080018']?.Value).toEqual(uids);
});

test('refuses a UID list above the size limit, because ignoring the list would match everything', () => {
  const StudyInstanceUID = Array.from({ length: 10_000 }, () => newUid());
  const identifierBytes = writeIdentifier({ StudyInstanceUID }, implicitLittleEndian.uid);

  expect(() => readIdentifier(identifierBytes, implicitLittleEndian.uid)).toThrow(BadIdentifier);
});

import { implicitLittleEndian } from '@radwork/dicom/transfer-syntax';
import { expect, test } from 'vitest';
import { ownUserInformation } from './negotiation.ts';
import { readAssociateRequest, writeAssociateRequest } from './pdu.ts';
import { studyRoot, verification } from './sop-classes.ts';

test('refuses an association in which two presentation contexts have the same id', () => {
  const contexts = [verification, studyRoot.find].map((abstractSyntax) => ({
    id: 1,
    abstractSyntax,
    transferSyntaxes: [implicitLittleEndian.uid],
  }));
  const titles = { calledAeTitle: 'US', callingAeTitle: 'THEM' };
  const unit = writeAssociateRequest({ ...titles, contexts, user: ownUserInformation });

  expect(() => readAssociateRequest(unit.subarray(6))).toThrow('Two presentation contexts have the same id');
});

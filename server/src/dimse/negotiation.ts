import { implementationClassUid, implementationVersionName } from '@radwork/dicom/part10';
import { transferSyntaxOf } from '@radwork/dicom/transfer-syntax';
import { isUid } from '@radwork/dicom/uid';
import type { Context } from './association.ts';
import { identifierSyntaxes } from './identifier.ts';
import {
  type AnsweredContext,
  type AssociateAccept,
  type AssociateRequest,
  contextResult,
  type ProposedContext,
  type UserInformation,
} from './pdu.ts';
import { isStorageClass, modalityWorklistFind, verification } from './uids.ts';

export type Rights = { mayStore: boolean; mayReadWorklist: boolean };

/** The longest P-DATA unit that is read here. */
export const mostBytesHere = 128 << 10;

export const ourselves: UserInformation = {
  mostBytes: mostBytesHere,
  implementationClassUID: implementationClassUid,
  implementationVersionName,
  roles: [],
};

/**
 * Answers what a device asks for, by what it may do. Objects are taken in the first of the encodings it offers that
 * the archive stores: it offers first what it has, and nothing is to be converted for us.
 */
export const answerContexts = (
  { contexts, ...titles }: AssociateRequest,
  rights: Rights,
): { accept: AssociateAccept; agreed: Map<number, Context> } => {
  const answers = contexts.map((context) => answer(context, rights));
  const agreed = contexts.flatMap(({ id, abstractSyntax }, index): Context[] => {
    const found = answers[index];
    return found?.result === contextResult.accepted
      ? [{ id, abstractSyntax, transferSyntax: found.transferSyntax }]
      : [];
  });
  return {
    accept: { ...titles, contexts: answers, user: ourselves },
    agreed: new Map(agreed.map((context) => [context.id, context])),
  };
};

const answer = ({ id, abstractSyntax, transferSyntaxes }: ProposedContext, rights: Rights): AnsweredContext => {
  const isTaken = syntaxesOf(abstractSyntax, rights);
  if (!isTaken) return { id, result: contextResult.abstractSyntaxNotSupported, transferSyntax: '' };
  const transferSyntax = transferSyntaxes.find(isTaken);
  if (!transferSyntax) return { id, result: contextResult.transferSyntaxesNotSupported, transferSyntax: '' };
  return { id, result: contextResult.accepted, transferSyntax };
};

/** Which encodings of a service are taken; undefined for a service that there is not, or not for this device. */
const syntaxesOf = (abstractSyntax: string, { mayStore, mayReadWorklist }: Rights) => {
  const isPlain = (uid: string) => identifierSyntaxes.includes(uid);
  if (abstractSyntax === verification) return isPlain;
  if (abstractSyntax === modalityWorklistFind) return mayReadWorklist ? isPlain : undefined;
  if (!mayStore || !isUid(abstractSyntax) || !isStorageClass(abstractSyntax)) return undefined;
  return (uid: string) => transferSyntaxOf(uid) !== undefined;
};

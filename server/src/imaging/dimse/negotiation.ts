import { implementationClassUid, implementationVersionName } from '@radwork/dicom/part10';
import { explicitLittleEndian, transferSyntaxOf } from '@radwork/dicom/transfer-syntax';
import { isUid } from '@radwork/dicom/uid';
import type { Context } from './association.ts';
import { identifierSyntaxes } from './identifier.ts';
import {
  type AnsweredContext,
  type AssociateAccept,
  type AssociateRequest,
  contextResult,
  type ProposedContext,
  type Role,
  type UserInformation,
} from './pdu.ts';
import { isStorageClass, modalityWorklistFind, studyRoot, verification } from './sop-classes.ts';

export type Rights = { mayStore: boolean; mayReadWorklist: boolean; mayQuery: boolean };

/** The longest P-DATA unit that this server reads. */
export const mostBytesHere = 128 << 10;

export const ownUserInformation: UserInformation = {
  mostBytes: mostBytesHere,
  implementationClassUID: implementationClassUid,
  implementationVersionName,
  roles: [],
};

/**
 * Answers the proposed contexts according to the rights of a device. For images, accepts the first proposed transfer
 * syntax that the archive stores. Devices list their own encoding first, so they need not convert. `sentTo` contains
 * the SOP classes that the device may receive by C-GET.
 */
export const answerContexts = (
  { contexts, user, ...titles }: AssociateRequest,
  rights: Rights,
): { accept: AssociateAccept; agreed: Map<number, Context>; sentTo: ReadonlySet<string> } => {
  const roles = user.roles.filter(({ sopClassUID }) => isStored(sopClassUID)).map((role) => answerRole(role, rights));
  const sentTo = new Set(roles.filter(({ isProvider }) => isProvider).map(({ sopClassUID }) => sopClassUID));
  const answers = contexts.map((context) => answer(context, rights, sentTo));
  const agreed = contexts.flatMap(({ id, abstractSyntax }, index): Context[] => {
    const result = answers[index];
    return result?.result === contextResult.accepted
      ? [{ id, abstractSyntax, transferSyntax: result.transferSyntax }]
      : [];
  });
  return {
    accept: { ...titles, contexts: answers, user: { ...ownUserInformation, roles } },
    agreed: new Map(agreed.map((context) => [context.id, context])),
    sentTo,
  };
};

/** A device that may query may also receive images in the same association (C-GET, PS3.7 §D.3.3.4). */
const answerRole = ({ sopClassUID, isUser, isProvider }: Role, { mayStore, mayQuery }: Rights): Role => ({
  sopClassUID,
  isUser: isUser && mayStore,
  isProvider: isProvider && mayQuery,
});

const answer = (
  { id, abstractSyntax, transferSyntaxes }: ProposedContext,
  rights: Rights,
  sentTo: ReadonlySet<string>,
): AnsweredContext => {
  const isSentTo = sentTo.has(abstractSyntax);
  const isTaken = syntaxesOf(abstractSyntax, rights, isSentTo);
  if (!isTaken) return { id, result: contextResult.abstractSyntaxNotSupported, transferSyntax: '' };
  // The device has not named the instances yet. Every instance can be sent in Explicit VR Little Endian.
  const first = isSentTo ? transferSyntaxes.find((uid) => uid === explicitLittleEndian.uid) : undefined;
  const transferSyntax = first ?? transferSyntaxes.find(isTaken);
  if (!transferSyntax) return { id, result: contextResult.transferSyntaxesNotSupported, transferSyntax: '' };
  return { id, result: contextResult.accepted, transferSyntax };
};

/**
 * Returns a function that checks a transfer syntax for a service. Returns undefined when the service is unknown or this
 * device may not use it.
 */
const syntaxesOf = (abstractSyntax: string, { mayStore, mayReadWorklist, mayQuery }: Rights, isSentTo: boolean) => {
  const isPlain = (uid: string) => identifierSyntaxes.includes(uid);
  if (abstractSyntax === verification) return isPlain;
  if (abstractSyntax === modalityWorklistFind) return mayReadWorklist ? isPlain : undefined;
  if (isStudyRoot(abstractSyntax)) return mayQuery ? isPlain : undefined;
  if (!isStored(abstractSyntax) || !(mayStore || isSentTo)) return undefined;
  return (uid: string) => transferSyntaxOf(uid) !== undefined;
};

const isStored = (uid: string): boolean => isUid(uid) && isStorageClass(uid);

const isStudyRoot = (uid: string): boolean => uid === studyRoot.find || uid === studyRoot.get || uid === studyRoot.move;

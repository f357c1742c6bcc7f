import { ProtocolError } from './protocol-error.ts';
import { applicationContext } from './sop-classes.ts';

/** Protocol data units of the upper layer (PS3.8 §9.3). */
export const pduType = {
  associateRequest: 1,
  associateAccept: 2,
  associateReject: 3,
  data: 4,
  releaseRequest: 5,
  releaseResponse: 6,
  abort: 7,
} as const;

/** A service that the requestor proposes, and its transfer syntaxes. */
export type ProposedContext = { id: number; abstractSyntax: string; transferSyntaxes: string[] };

/** Results of a presentation context (PS3.8 Table 9-18). */
export const contextResult = { accepted: 0, abstractSyntaxNotSupported: 3, transferSyntaxesNotSupported: 4 } as const;

export type AnsweredContext = { id: number; result: number; transferSyntax: string };

/**
 * The roles for a class (PS3.7 §D.3.3.4). Without this item, the requestor is the user and the acceptor the provider.
 */
export type Role = { sopClassUID: string; isUser: boolean; isProvider: boolean };

export type UserInformation = {
  /** The longest P-DATA unit that the sender of this item reads. 0 means any length. */
  mostBytes: number;
  implementationClassUID: string;
  implementationVersionName: string;
  roles: Role[];
};

type Titles = { calledAeTitle: string; callingAeTitle: string };
export type AssociateRequest = Titles & { contexts: ProposedContext[]; user: UserInformation };
export type AssociateAccept = Titles & { contexts: AnsweredContext[]; user: UserInformation };

/** A piece of a command or of a data set (PS3.8 §9.3.5). */
export type DataValue = { contextId: number; isCommand: boolean; isLast: boolean; bytes: Buffer };

/** Maximum number of bytes in an association request or answer. 128 contexts with every transfer syntax fit into it. */
export const mostAssociateBytes = 512 << 10;

const itemType = {
  applicationContext: 0x10,
  proposedContext: 0x20,
  answeredContext: 0x21,
  abstractSyntax: 0x30,
  transferSyntax: 0x40,
  userInformation: 0x50,
  mostBytes: 0x51,
  implementationClass: 0x52,
  role: 0x54,
  implementationVersion: 0x55,
} as const;

const titleLength = 16;
const fixedLength = 68;

export const writePdu = (type: number, body: Buffer): Buffer => {
  const header = Buffer.alloc(6);
  header.writeUInt8(type, 0);
  header.writeUInt32BE(body.length, 2);
  return Buffer.concat([header, body]);
};

export const writeAssociateRequest = ({ contexts, ...rest }: AssociateRequest): Buffer => {
  const items = contexts.map(({ id, abstractSyntax, transferSyntaxes }) =>
    item(itemType.proposedContext, [
      Buffer.from([id, 0, 0, 0]),
      item(itemType.abstractSyntax, abstractSyntax),
      ...transferSyntaxes.map((uid) => item(itemType.transferSyntax, uid)),
    ]),
  );
  return writePdu(pduType.associateRequest, associateBody(rest, items));
};

export const writeAssociateAccept = ({ contexts, ...rest }: AssociateAccept): Buffer => {
  const items = contexts.map(({ id, result, transferSyntax }) =>
    item(itemType.answeredContext, [Buffer.from([id, 0, result, 0]), item(itemType.transferSyntax, transferSyntax)]),
  );
  return writePdu(pduType.associateAccept, associateBody(rest, items));
};

export const writeReject = (result: number, source: number, reason: number): Buffer =>
  writePdu(pduType.associateReject, Buffer.from([0, result, source, reason]));

/** Aborts as the service user (source 0). With a reason, aborts as the provider (source 2; PS3.8 Table 9-26). */
export const writeAbort = (reason?: number): Buffer =>
  writePdu(pduType.abort, Buffer.from([0, 0, reason === undefined ? 0 : 2, reason ?? 0]));

export const writeReleaseRequest = (): Buffer => writePdu(pduType.releaseRequest, Buffer.alloc(4));
export const writeReleaseResponse = (): Buffer => writePdu(pduType.releaseResponse, Buffer.alloc(4));

export const writeData = ({ contextId, isCommand, isLast, bytes }: DataValue): Buffer => {
  const header = Buffer.alloc(12);
  header.writeUInt8(pduType.data, 0);
  header.writeUInt32BE(bytes.length + 6, 2);
  header.writeUInt32BE(bytes.length + 2, 6);
  header.writeUInt8(contextId, 10);
  header.writeUInt8((isCommand ? 1 : 0) | (isLast ? 2 : 0), 11);
  return Buffer.concat([header, bytes]);
};

/** Reads a request. Throws ProtocolError when it is malformed. */
export const readAssociateRequest = (body: Buffer): AssociateRequest => {
  const { items, ...rest } = readAssociate(body);
  const contexts = items.filter(({ type }) => type === itemType.proposedContext).map(({ value }) => proposed(value));
  if (contexts.length === 0) throw new ProtocolError('The association request has no presentation contexts');
  if (new Set(contexts.map(({ id }) => id)).size < contexts.length)
    throw new ProtocolError('Two presentation contexts have the same id');
  return { ...rest, contexts };
};

export const readAssociateAccept = (body: Buffer): AssociateAccept => {
  const { items, ...rest } = readAssociate(body);
  const contexts = items.filter(({ type }) => type === itemType.answeredContext).map(({ value }) => answered(value));
  return { ...rest, contexts };
};

/** Result, source and reason of a rejection. */
export const readReject = (body: Buffer): { result: number; source: number; reason: number } => ({
  result: byteAt(body, 1),
  source: byteAt(body, 2),
  reason: byteAt(body, 3),
});

export const readData = (body: Buffer): DataValue[] => {
  const values: DataValue[] = [];
  for (let at = 0; at < body.length;) {
    const end = at + 4 + (at + 6 <= body.length ? body.readUInt32BE(at) : 0);
    if (end < at + 6 || end > body.length) throw new ProtocolError('The length of a presentation data value is wrong');
    const control = body.readUInt8(at + 5);
    const bytes = body.subarray(at + 6, end);
    const isLast = (control & 2) !== 0;
    // A message of empty pieces would never reach the size limit.
    if (bytes.length === 0 && !isLast) throw new ProtocolError('A message fragment is empty');
    values.push({
      contextId: body.readUInt8(at + 4),
      isCommand: (control & 1) !== 0,
      isLast,
      bytes,
    });
    at = end;
  }
  return values;
};

const item = (type: number, value: string | Buffer | Buffer[]): Buffer => {
  const bytes = Array.isArray(value) ? Buffer.concat(value) : Buffer.from(value);
  const header = Buffer.alloc(4);
  header.writeUInt8(type, 0);
  header.writeUInt16BE(bytes.length, 2);
  return Buffer.concat([header, bytes]);
};

const associateBody = (
  { calledAeTitle, callingAeTitle, user }: Titles & { user: UserInformation },
  contexts: Buffer[],
): Buffer => {
  const fixed = Buffer.alloc(fixedLength);
  fixed.writeUInt16BE(1, 0);
  fixed.write(calledAeTitle.padEnd(titleLength), 4, titleLength, 'latin1');
  fixed.write(callingAeTitle.padEnd(titleLength), 4 + titleLength, titleLength, 'latin1');
  return Buffer.concat([
    fixed,
    item(itemType.applicationContext, applicationContext),
    ...contexts,
    item(itemType.userInformation, userItems(user)),
  ]);
};

const userItems = (user: UserInformation): Buffer[] => {
  const mostBytes = Buffer.alloc(4);
  mostBytes.writeUInt32BE(user.mostBytes);
  return [
    item(itemType.mostBytes, mostBytes),
    item(itemType.implementationClass, user.implementationClassUID),
    ...user.roles.map(roleItem),
    item(itemType.implementationVersion, user.implementationVersionName),
  ];
};

const roleItem = ({ sopClassUID, isUser, isProvider }: Role): Buffer => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(sopClassUID.length);
  return item(itemType.role, [length, Buffer.from(sopClassUID), Buffer.from([Number(isUser), Number(isProvider)])]);
};

type Item = { type: number; value: Buffer };

const itemsOf = (bytes: Buffer): Item[] => {
  const items: Item[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + 4 + (at + 4 <= bytes.length ? bytes.readUInt16BE(at + 2) : Infinity);
    if (end > bytes.length) throw new ProtocolError('An association item is longer than the association');
    items.push({ type: bytes.readUInt8(at), value: bytes.subarray(at + 4, end) });
    at = end;
  }
  return items;
};

const readAssociate = (body: Buffer): Titles & { items: Item[]; user: UserInformation } => {
  if (body.length < fixedLength) throw new ProtocolError('The association request is incomplete');
  const items = itemsOf(body.subarray(fixedLength));
  const user = items.find(({ type }) => type === itemType.userInformation);
  return {
    calledAeTitle: textIn(body.subarray(4, 4 + titleLength)),
    callingAeTitle: textIn(body.subarray(4 + titleLength, 4 + 2 * titleLength)),
    items,
    user: readUser(user ? itemsOf(user.value) : []),
  };
};

const readUser = (items: readonly Item[]): UserInformation => {
  const valueOf = (itemCode: number) => items.find(({ type }) => type === itemCode)?.value;
  const mostBytes = valueOf(itemType.mostBytes);
  return {
    mostBytes: mostBytes?.length === 4 ? mostBytes.readUInt32BE() : 0,
    implementationClassUID: textIn(valueOf(itemType.implementationClass)),
    implementationVersionName: textIn(valueOf(itemType.implementationVersion)),
    roles: items.filter(({ type }) => type === itemType.role).map(({ value }) => readRole(value)),
  };
};

const readRole = (value: Buffer): Role => {
  const length = value.length >= 4 ? value.readUInt16BE() : Infinity;
  if (length + 4 > value.length) throw new ProtocolError('A role selection is incomplete');
  return {
    sopClassUID: textIn(value.subarray(2, 2 + length)),
    isUser: byteAt(value, 2 + length) === 1,
    isProvider: byteAt(value, 3 + length) === 1,
  };
};

const proposed = (value: Buffer): ProposedContext => {
  const items = itemsOf(value.subarray(4));
  const uids = (itemCode: number) => items.filter(({ type }) => type === itemCode).map((match) => textIn(match.value));
  const [abstractSyntax = ''] = uids(itemType.abstractSyntax);
  return { id: byteAt(value, 0), abstractSyntax, transferSyntaxes: uids(itemType.transferSyntax) };
};

const answered = (value: Buffer): AnsweredContext => {
  const [syntax] = itemsOf(value.subarray(4));
  return { id: byteAt(value, 0), result: byteAt(value, 2), transferSyntax: textIn(syntax?.value) };
};

const byteAt = (bytes: Buffer, at: number): number => {
  if (at >= bytes.length) throw new ProtocolError('An association item is incomplete');
  return bytes.readUInt8(at);
};

/** AE titles are padded with spaces. Some senders pad UIDs with NUL. */
const textIn = (bytes: Buffer | undefined): string => {
  let text = bytes?.toString('latin1') ?? '';
  while (text.endsWith('\0') || text.endsWith(' ')) text = text.slice(0, -1);
  return text.trimStart();
};

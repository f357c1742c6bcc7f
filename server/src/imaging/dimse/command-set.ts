import { ProtocolError } from './protocol-error.ts';

/** Command fields (PS3.7 Table E.1-1). A response is its request with the highest bit set. */
export const commandField = {
  store: 0x0001,
  get: 0x0010,
  find: 0x0020,
  move: 0x0021,
  echo: 0x0030,
  cancel: 0x0fff,
} as const;

export const responseTo = (field: number): number => field | 0x8000;

/** The elements of a command (PS3.7 §9.3), by the keywords of PS3.7 Annex E. */
export type CommandSet = {
  CommandField: number;
  /** True when a data set follows. */
  hasDataSet: boolean;
  AffectedSOPClassUID?: string;
  AffectedSOPInstanceUID?: string;
  MessageID?: number;
  MessageIDBeingRespondedTo?: number;
  MoveDestination?: string;
  Priority?: number;
  Status?: number;
  ErrorComment?: string;
  NumberOfRemainingSuboperations?: number;
  NumberOfCompletedSuboperations?: number;
  NumberOfFailedSuboperations?: number;
  NumberOfWarningSuboperations?: number;
  MoveOriginatorApplicationEntityTitle?: string;
  MoveOriginatorMessageID?: number;
};

type TextKey =
  | 'AffectedSOPClassUID'
  | 'AffectedSOPInstanceUID'
  | 'MoveDestination'
  | 'ErrorComment'
  | 'MoveOriginatorApplicationEntityTitle';
type NumberKey = Exclude<keyof CommandSet, TextKey | 'hasDataSet'>;

/** Elements of group 0000 by element number, in ascending order. */
const texts = new Map<number, TextKey>([
  [0x0002, 'AffectedSOPClassUID'],
  [0x0600, 'MoveDestination'],
  [0x0902, 'ErrorComment'],
  [0x1000, 'AffectedSOPInstanceUID'],
  [0x1030, 'MoveOriginatorApplicationEntityTitle'],
]);
const numbers = new Map<number, NumberKey>([
  [0x0100, 'CommandField'],
  [0x0110, 'MessageID'],
  [0x0120, 'MessageIDBeingRespondedTo'],
  [0x0700, 'Priority'],
  [0x0900, 'Status'],
  [0x1020, 'NumberOfRemainingSuboperations'],
  [0x1021, 'NumberOfCompletedSuboperations'],
  [0x1022, 'NumberOfFailedSuboperations'],
  [0x1023, 'NumberOfWarningSuboperations'],
  [0x1031, 'MoveOriginatorMessageID'],
]);

const dataSetTypeElement = 0x0800;
const noDataSet = 0x0101;
const longestErrorComment = 64;

/** Encodes a command in implicit VR little endian (required by PS3.7 §6.3.1). */
export const writeCommandSet = (command: CommandSet): Buffer => {
  const elements = new Map<number, Buffer>([[dataSetTypeElement, uint16(command.hasDataSet ? 0 : noDataSet)]]);
  for (const [element, key] of texts) {
    const text = command[key];
    if (text !== undefined) elements.set(element, textBytes(key, text));
  }
  for (const [element, key] of numbers) {
    const number = command[key];
    if (number !== undefined) elements.set(element, uint16(number));
  }
  const inOrder = [...elements].toSorted(([one], [other]) => one - other);
  const group = Buffer.concat(inOrder.map(([element, value]) => writeElement(element, value)));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(group.length);
  return Buffer.concat([writeElement(0, length), group]);
};

/** Decodes a command. Skips elements that no service here uses. Throws ProtocolError for malformed bytes. */
export const readCommandSet = (bytes: Buffer): CommandSet => {
  const command: CommandSet = { CommandField: 0, hasDataSet: false };
  for (let at = 0; at < bytes.length;) {
    const start = at + 8;
    const length = start <= bytes.length ? bytes.readUInt32LE(at + 4) : Infinity;
    if (start + length > bytes.length) throw new ProtocolError('The command is incomplete');
    if (bytes.readUInt16LE(at) !== 0) throw new ProtocolError('The command contains an element of a data set');
    take(command, bytes.readUInt16LE(at + 2), bytes.subarray(start, start + length));
    at = start + length;
  }
  if (command.CommandField === 0) throw new ProtocolError('The command has no Command Field');
  return command;
};

const take = (command: CommandSet, element: number, value: Buffer): void => {
  const text = texts.get(element);
  if (text) {
    command[text] = value.toString('latin1').replaceAll('\0', '').trim();
    return;
  }
  if (value.length !== 2) return;
  const number = numbers.get(element);
  if (number) command[number] = value.readUInt16LE();
  if (element === dataSetTypeElement) command.hasDataSet = value.readUInt16LE() !== noDataSet;
};

const uint16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};

const textBytes = (key: TextKey, text: string): Buffer => {
  const bytes = Buffer.from(key === 'ErrorComment' ? text.slice(0, longestErrorComment) : text, 'latin1');
  if (bytes.length % 2 === 0) return bytes;
  return Buffer.concat([bytes, Buffer.from(key.endsWith('UID') ? '\0' : ' ')]);
};

const writeElement = (element: number, value: Buffer): Buffer => {
  const header = Buffer.alloc(8);
  header.writeUInt16LE(element, 2);
  header.writeUInt32LE(value.length, 4);
  return Buffer.concat([header, value]);
};

/** Decodes the bytes of a text value. */
export type CharacterSet = {
  /** `delimiters` are the characters that reset code extensions: "\", in names also "^" and "=". */
  decode: (bytes: Uint8Array, delimiters: string) => string;
};

/**
 * Returns the character set that Specific Character Set (0008,0005) declares (PS3.3 §C.12.1.1.2, PS3.5 §6.1). Decode a
 * whole value first and split it afterwards. In GB18030, GBK, Shift JIS and JIS X 0208, the second byte of a character
 * may equal "\" or "^". Text outside the declared set is decoded as UTF-8 or Windows Latin-1, and `onMisfit` is called.
 * Users can recognize a name from such a guess, but not from question marks.
 */
export const characterSetOf = (declared: string, onMisfit: () => void): CharacterSet => {
  const names = declared.split('\\', 16).map((name) => name.trim().toUpperCase());
  const [first = ''] = names;
  const numbers = names.map(registrationOf);
  if (names.some((name, index) => name !== '' && !numbers[index])) onMisfit();

  const [initial] = numbers;
  const characterSet = initial && wholeSets[initial];
  if (characterSet) return orExtended(wholeSet(characterSet, onMisfit), characterSet, onMisfit);
  if (!numbers.some((number) => number && number !== '6')) {
    return orExtended(undeclaredSet(onMisfit), undefined, onMisfit);
  }
  const rightHalf = numbers.map((number) => number && rightHalves[number]).find((label) => label !== undefined);
  const isExtended = names.length > 1 || first.startsWith('ISO 2022');
  return rightHalf && !isExtended
    ? orExtended(wholeSet(rightHalf, onMisfit), rightHalf, onMisfit)
    : extendedSet(rightHalf, onMisfit);
};

/**
 * Decodes text with escape sequences as ISO 2022, although the declared set has none. No text contains such sequences
 * by accident, and many devices write them without the terms of ISO 2022.
 */
const orExtended = (set: CharacterSet, right: string | undefined, onMisfit: () => void): CharacterSet => ({
  decode: (bytes, delimiters) => {
    const isExtended = bytes.some((byte, at) => byte === escapeByte && designationAt(bytes, at) !== undefined);
    if (!isExtended) return set.decode(bytes, delimiters);
    onMisfit();
    return extendedSet(right, onMisfit).decode(bytes, delimiters);
  },
});

/** The key of a set in the tables below: its ISO registration number, or its name if it has no number. */
const registrationOf = (name: string): string | undefined => {
  if (name === 'GB18030' || name === 'GBK') return name;
  const number = /^ISO[ _-]?(?:2022)?[ _-]?IR[ _-]?(\d{1,3})$/.exec(name)?.[1];
  return number && (number in wholeSets || number in rightHalves || g0Sets.has(number)) ? number : undefined;
};

/** Sets that decode a whole value at once. */
const wholeSets: Record<string, string> = { '192': 'utf-8', GB18030: 'gb18030', GBK: 'gbk' };

/** Sets in the right half of the code table (bytes from 128), with ASCII in the left half. */
const rightHalves: Record<string, string> = {
  '13': 'shift_jis',
  '58': 'gb18030',
  '100': 'windows-1252',
  '101': 'iso-8859-2',
  '109': 'iso-8859-3',
  '110': 'iso-8859-4',
  '126': 'iso-8859-7',
  '127': 'iso-8859-6',
  '138': 'iso-8859-8',
  '144': 'iso-8859-5',
  '148': 'windows-1254',
  '149': 'euc-kr',
  '166': 'windows-874',
  '203': 'iso-8859-15',
};

/** Right halves with one byte for each character. */
const singleByteSets = new Set(['100', '101', '109', '110', '126', '127', '138', '144', '148', '166', '203']);

/** Sets in the left half: ASCII and the Japanese double-byte sets. */
const g0Sets = new Set(['6', '87', '159']);

type G0Set = 'ascii' | 'JIS X 0208' | 'JIS X 0212';
type Designation = { left: G0Set } | { right: string };

/** The bytes after ESC that select a set (PS3.3 tables C.12-3 and C.12-4). */
const designations = new Map<string, Designation>([
  ['(B', { left: 'ascii' }],
  ['(J', { left: 'ascii' }],
  ['$B', { left: 'JIS X 0208' }],
  ['$@', { left: 'JIS X 0208' }],
  ['$(D', { left: 'JIS X 0212' }],
  [')I', { right: 'shift_jis' }],
  ['$)A', { right: 'gb18030' }],
  ['$)C', { right: 'euc-kr' }],
  ['-A', { right: 'windows-1252' }],
  ['-B', { right: 'iso-8859-2' }],
  ['-C', { right: 'iso-8859-3' }],
  ['-D', { right: 'iso-8859-4' }],
  ['-F', { right: 'iso-8859-7' }],
  ['-G', { right: 'iso-8859-6' }],
  ['-H', { right: 'iso-8859-8' }],
  ['-L', { right: 'iso-8859-5' }],
  ['-M', { right: 'windows-1254' }],
  ['-T', { right: 'windows-874' }],
  ['-b', { right: 'iso-8859-15' }],
]);

type Decoder = InstanceType<typeof TextDecoder>;

const decoders = new Map<string, Decoder>();
const decoderOf = (label: string): Decoder => {
  const known = decoders.get(label);
  if (known) return known;
  const decoder = new TextDecoder(label);
  decoders.set(label, decoder);
  return decoder;
};

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

const wholeSet = (label: string, onMisfit: () => void): CharacterSet => {
  if (label === 'utf-8') return { decode: (bytes) => decodeUtf8(bytes, onMisfit) };
  return { decode: (bytes) => decoderOf(label).decode(bytes) };
};

const decodeUtf8 = (bytes: Uint8Array, onMisfit: () => void): string => {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    onMisfit();
    return decoderOf('windows-1252').decode(bytes);
  }
};

/**
 * Decodes text of a file that declares no set. Only ASCII is allowed there. Other text is read as UTF-8 if valid,
 * because text in other sets is very unlikely to be valid UTF-8.
 */
const undeclaredSet = (onMisfit: () => void): CharacterSet => ({
  decode: (bytes) => {
    if (bytes.some((byte) => byte >= 128)) onMisfit();
    return decodeUtf8(bytes, onMisfit);
  },
});

const escapeByte = 0x1b;

/** ISO 2022: escape sequences change the left and right half of the code table (PS3.5 §6.1.2.5). */
const extendedSet = (initialRight: string | undefined, onMisfit: () => void): CharacterSet => ({
  decode: (bytes, delimiters) => {
    let text = '';
    let left: G0Set = 'ascii';
    let right = initialRight;
    for (let at = 0; at < bytes.length;) {
      const escape = bytes[at] === escapeByte ? designationAt(bytes, at) : undefined;
      if (escape) {
        if ('left' in escape.designation) left = escape.designation.left;
        else right = escape.designation.right;
        at = escape.end;
        continue;
      }
      const run = runAt(bytes, at, left, delimiters);
      if (run.kind === 'double') text += decodeJapanese(run.bytes, left);
      else text += decoderOf(right ?? 'windows-1252').decode(run.bytes);
      if (!right && run.bytes.some((byte) => byte >= 128)) onMisfit();
      if (run.kind === 'delimiter') {
        left = 'ascii';
        right = initialRight;
      }
      at += run.bytes.length;
    }
    return text;
  },
});

const designationAt = (bytes: Uint8Array, at: number): { designation: Designation; end: number } | undefined => {
  if (!'(-)$'.includes(String.fromCharCode(bytes[at + 1] ?? 0))) return undefined;
  for (const length of [2, 3]) {
    const end = at + 1 + length;
    const designation = designations.get(String.fromCharCode(...bytes.subarray(at + 1, end)));
    if (designation) return { designation, end };
  }
  return undefined;
};

type Run = { kind: 'delimiter' | 'single' | 'double'; bytes: Uint8Array };

/**
 * Returns the longest run of bytes from here that one decoder can read, at least one byte. All right halves include
 * ASCII.
 */
const runAt = (bytes: Uint8Array, at: number, left: G0Set, delimiters: string): Run => {
  const kindOf = (byte: number): Run['kind'] => {
    if (byte >= 9 && byte <= 13) return 'delimiter';
    if (left !== 'ascii') return byte > 32 && byte < 128 ? 'double' : 'single';
    return delimiters.includes(String.fromCharCode(byte)) ? 'delimiter' : 'single';
  };
  const kind = kindOf(bytes[at] ?? 0);
  let end = at + 1;
  while (end < bytes.length && bytes[end] !== escapeByte && kindOf(bytes[end] ?? 0) === kind) end += 1;
  return { kind, bytes: bytes.subarray(at, end) };
};

/** EUC-JP encodes JIS X 0208 with the high bits set, and JIS X 0212 the same way after a byte 8F. */
const decodeJapanese = (bytes: Uint8Array, left: G0Set): string => {
  const high = bytes.map((byte) => byte | 0x80);
  if (left === 'JIS X 0208') return decoderOf('euc-jp').decode(high);
  const marked = Array.from(high, (byte, index) => (index % 2 === 0 ? [0x8f, byte] : [byte]));
  return decoderOf('euc-jp').decode(Uint8Array.from(marked.flat()));
};

/** Encodes text in a character set, with the name of the set. */
export type Encoder = {
  name: string;
  /** The bytes of a text, or undefined if the set lacks a character. */
  encode: (text: string) => Uint8Array | undefined;
};

/** The encoder of the declared set, or of the first of several. Undefined for sets that are not single-byte. */
export const encoderOf = (declared: string): Encoder | undefined => {
  const [first = ''] = declared.split('\\', 1);
  const number = registrationOf(first.trim().toUpperCase());
  const label = number && singleByteSets.has(number) ? rightHalves[number] : undefined;
  if (!label) return undefined;
  const codes = codesOf(label);
  const bytesOf = (text: string): Uint8Array | undefined => {
    const bytes = Array.from(text, (character) => codes.get(character));
    return bytes.every((byte) => byte !== undefined) ? Uint8Array.from(bytes) : undefined;
  };
  // Tries the text unchanged first, because NFC reorders signs in Thai.
  const encode = (text: string) => bytesOf(text) ?? bytesOf(text.normalize('NFC'));
  return { name: `ISO_IR ${number}`, encode };
};

/** The bytes of the characters of a set. DICOM has no characters from 80 to 9F, unlike Windows. */
const codesOf = (label: string): ReadonlyMap<string, number> => {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => byte < 128 || byte >= 0xa0);
  const characters = bytes.map((byte) => [decoderOf(label).decode(Uint8Array.of(byte)), byte] as const);
  return new Map(characters.filter(([character]) => character !== '\ufffd'));
};

import { randomUUID } from 'node:crypto';

export type MultipartErrorCode = 'NOT_MULTIPART' | 'TRUNCATED' | 'HEADERS' | 'TOO_MANY_PARTS';

/** The reason why a multipart message cannot be read. */
export class MultipartError extends Error {
  override readonly name = 'MultipartError';
  readonly code: MultipartErrorCode;

  constructor(code: MultipartErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export type MultipartLimits = {
  /** Bytes of the headers of one part. */
  headerBytes: number;
  parts: number;
};

const defaultLimits: MultipartLimits = { headerBytes: 16_384, parts: 100_000 };

/** One part, with headers by lower-case name. Its body can be read once, before the next part. */
export type Part = { headers: ReadonlyMap<string, string>; body: AsyncIterable<Buffer> };

/** RFC 2046 allows 70; Orthanc sends 73. */
const longestBoundary = 200;

/** The boundary in a Content-Type of multipart/related or multipart/form-data (RFC 2046 §5.1.1). */
export const boundaryOf = (contentType: string | undefined): string => {
  const isMultipart = /^\s*multipart\/(related|form-data)\s*;/i.test(contentType ?? '');
  const boundary = isMultipart ? parameterOf(contentType ?? '', 'boundary') : undefined;
  if (!boundary || boundary.length > longestBoundary) {
    throw new MultipartError('NOT_MULTIPART', 'The request must be multipart/related or multipart/form-data.');
  }
  return boundary;
};

/** A parameter of a header value: parameterOf('form-data; name="files"; filename="a.dcm"', 'filename') is "a.dcm". */
export const parameterOf = (headerValue: string, name: string): string | undefined => {
  const parameter = /;\s*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g;
  for (const [, key, quoted, bare] of headerValue.matchAll(parameter)) {
    if (key?.toLowerCase() === name) return quoted?.replace(/\\(.)/g, '$1') ?? bare;
  }
  return undefined;
};

/**
 * Reads a multipart message part by part as it arrives (RFC 2046 §5.1, RFC 7578, PS3.18 §8.6.1.2). Memory holds one
 * chunk of the stream and the headers of one part. Unread parts of a body are skipped.
 *
 * A message that ends before its closing boundary throws TRUNCATED, from the current body if there is one. The stream
 * is not destroyed when reading stops early, so that the request can still be answered.
 */
export async function* readMultipart(
  stream: AsyncIterable<Buffer>,
  boundary: string,
  limits: Partial<MultipartLimits> = {},
): AsyncGenerator<Part, void, undefined> {
  const { headerBytes, parts } = { ...defaultLimits, ...limits };
  const input = openInput(stream);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  await skip(openContent(input, delimiter));
  for (let count = 1; !(await isClosing(input)); count += 1) {
    if (count > parts) throw new MultipartError('TOO_MANY_PARTS', `More than ${parts} parts in one request.`);
    const headers = parseHeaders(await readHeaders(input, headerBytes));
    const content = openContent(input, delimiter);
    yield { headers, body: bodyOf(content) };
    await skip(content);
  }
  while (await input.more()) input.buffered = Buffer.alloc(0);
}

type Input = { buffered: Buffer; more: () => Promise<boolean> };

/** Starts with an extra line break, so that a delimiter at the very beginning looks like the other delimiters. */
const openInput = (stream: AsyncIterable<Buffer>): Input => {
  const chunks = stream[Symbol.asyncIterator]();
  const input: Input = {
    buffered: Buffer.from('\r\n'),
    more: async () => {
      const { done, value } = await chunks.next();
      if (done) return false;
      input.buffered = input.buffered.length > 0 ? Buffer.concat([input.buffered, value]) : value;
      return true;
    },
  };
  return input;
};

const demandMore = async (input: Input): Promise<void> => {
  if (!(await input.more())) throw new MultipartError('TRUNCATED', 'The upload was interrupted.');
};

const take = (input: Input, length: number): Buffer => {
  const bytes = input.buffered.subarray(0, length);
  input.buffered = input.buffered.subarray(length);
  return bytes;
};

/** The bytes up to the next delimiter, in pieces. Undefined after the delimiter. */
type Content = { next: () => Promise<Buffer | undefined> };

/** The line break before the content was left by the headers. It may be the start of the next delimiter. */
const openContent = (input: Input, delimiter: Buffer): Content => {
  let lineBreak = 2;
  let isAtEnd = false;
  const withoutLineBreak = (chunk: Buffer): Buffer => {
    const start = Math.min(lineBreak, chunk.length);
    lineBreak -= start;
    return chunk.subarray(start);
  };
  const next = async (): Promise<Buffer | undefined> => {
    while (!isAtEnd) {
      const end = input.buffered.indexOf(delimiter);
      isAtEnd = end >= 0;
      const contentEnd = isAtEnd ? end : input.buffered.length - beginningAtEnd(input.buffered, delimiter);
      const chunk = withoutLineBreak(take(input, contentEnd));
      if (isAtEnd) take(input, delimiter.length);
      if (chunk.length > 0) return chunk;
      if (!isAtEnd) await demandMore(input);
    }
    return undefined;
  };
  return { next };
};

/** Returns how many of the last bytes may begin a delimiter. Usually 0, so the next bytes need no copy. */
const beginningAtEnd = (bytes: Buffer, delimiter: Buffer): number => {
  for (let length = Math.min(bytes.length, delimiter.length - 1); length > 0; length -= 1) {
    if (delimiter.compare(bytes, bytes.length - length, bytes.length, 0, length) === 0) return length;
  }
  return 0;
};

async function* bodyOf(content: Content): AsyncGenerator<Buffer, void, undefined> {
  for (let chunk = await content.next(); chunk; chunk = await content.next()) yield chunk;
}

const skip = async (content: Content): Promise<void> => {
  while (await content.next());
};

const isClosing = async (input: Input): Promise<boolean> => {
  while (input.buffered.length < 2) await demandMore(input);
  return input.buffered.toString('latin1', 0, 2) === '--';
};

/** The lines between a delimiter and the empty line. The line break of the empty line remains. */
const readHeaders = async (input: Input, most: number): Promise<string> => {
  for (;;) {
    const end = input.buffered.indexOf('\r\n\r\n');
    if (end > most || (end < 0 && input.buffered.length > most)) {
      throw new MultipartError('HEADERS', 'The headers of a part are too long.');
    }
    if (end >= 0) return take(input, end + 2).toString();
    await demandMore(input);
  }
};

const parseHeaders = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split('\r\n').flatMap((line): [string, string][] => {
      const colon = line.indexOf(':');
      return colon > 0 ? [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]] : [];
    }),
  );

/** A random boundary of 122 bits, which will not occur in the content. */
export const newBoundary = (): string => `radwork-${randomUUID()}`;

/** The bytes before the body of a part. Cornerstone requires this spelling of "Content-Type:". */
export const partHeader = (part: { boundary: string; contentType: string; contentLocation?: string }): Buffer => {
  const lines = [
    `--${part.boundary}`,
    `Content-Type: ${part.contentType}`,
    ...(part.contentLocation ? [`Content-Location: ${part.contentLocation}`] : []),
  ];
  if (lines.some((line) => /[\r\n]/.test(line))) throw new RangeError('A part header must be one line');
  return Buffer.from(`\r\n${lines.join('\r\n')}\r\n\r\n`);
};

/** The bytes after the last part. */
export const closingBoundary = (boundary: string): Buffer => Buffer.from(`\r\n--${boundary}--\r\n`);

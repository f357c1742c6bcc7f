/** Finds bytes within other bytes, from an offset on. Returns the position, or -1. */
const indexOf = (bytes: Uint8Array, searched: Uint8Array, from: number): number => {
  const [first = 0] = searched;
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (searched.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return -1;
};

const encoder = new TextEncoder();
const endOfHeaders = encoder.encode('\r\n\r\n');

/**
 * Returns the bodies of the parts of a multipart message (RFC 2046 §5.1), as views. Throws Error if the boundary or the
 * closing boundary is missing. Without the closing boundary, the last part is incomplete.
 */
export const partsOf = (contentType: string, bytes: Uint8Array): Uint8Array[] => {
  const [, quoted, bare] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (!boundary) throw new Error('The answer is not in parts');
  const delimiter = encoder.encode(`--${boundary}`);
  const between = encoder.encode(`\r\n--${boundary}`);
  const parts: Uint8Array[] = [];
  let at = indexOf(bytes, delimiter, 0);
  while (at >= 0) {
    at += delimiter.length;
    // Two hyphens after a boundary close the message.
    if (bytes[at] === 0x2d && bytes[at + 1] === 0x2d) return parts;
    const headers = indexOf(bytes, endOfHeaders, at);
    const start = headers + endOfHeaders.length;
    const end = headers < 0 ? -1 : indexOf(bytes, between, start);
    if (end < 0) break;
    parts.push(bytes.subarray(start, end));
    at = end + 2;
  }
  throw new Error('The answer breaks off before its end');
};

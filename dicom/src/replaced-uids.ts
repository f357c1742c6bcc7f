/** UIDs that DICOM itself has registered: well-known frames of reference, palettes and services (PS3.6 Annex A). */
const registered = /^1\.2\.840\.10008\.(1\.(4|5|20|40|42)|2|15|5\.1\.1)\./;

/**
 * Replaces UIDs consistently throughout one upload, so that images stay in their series, and segmentations, plans and
 * doses still refer to their images. A new UID is not replaced again.
 */
export class ReplacedUids {
  readonly #replacements = new Map<string, string>();

  replace(uid: string): string {
    if (uid === '' || registered.test(uid)) return uid;
    const known = this.#replacements.get(uid);
    if (known) return known;
    const replacement = randomUid();
    this.#replacements.set(uid, replacement);
    this.#replacements.set(replacement, replacement);
    return replacement;
  }
}

/** A UID of 122 random bits, made from a version 4 UUID (PS3.5 §B.2, RFC 9562 §5.4). */
const randomUid = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  let digits = 0n;
  for (const [index, byte] of bytes.entries()) digits = (digits << 8n) | BigInt(withUuidMarks(byte, index));
  return `2.25.${digits}`;
};

const withUuidMarks = (byte: number, index: number): number => {
  if (index === 6) return (byte & 0x0f) | 0x40;
  return index === 8 ? (byte & 0x3f) | 0x80 : byte;
};

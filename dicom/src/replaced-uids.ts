/** Instances that DICOM itself has registered: well-known frames of reference, palettes and services (PS3.6 Annex A). */
const registered = /^1\.2\.840\.10008\.(1\.(4|5|20|40|42)|2|15|5\.1\.1)\./;

/**
 * New UIDs for old ones, the same for the same throughout one upload: so images stay in their series, and segmentations,
 * plans and dose still point at the images they belong to. What has been replaced once is not replaced again.
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

/** A UID made of 122 random bits, as PS3.5 §B.2 makes them from a UUID of version 4 (RFC 9562 §5.4). */
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

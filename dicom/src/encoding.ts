import { DicomError } from './dicom-error.ts';
import { requireBytes, vrAt, warn, type Encoding, type Reading } from './reading.ts';
import {
  explicitBigEndian,
  explicitLittleEndian,
  implicitLittleEndian,
  transferSyntaxOf,
  type TransferSyntax,
} from './transfer-syntax.ts';
import { isVr } from './vr.ts';

/** The transfer syntax of a UID, or undefined if the file declares none. Throws for an unknown UID. */
export const declaredTransferSyntax = (uid: string | undefined): TransferSyntax | undefined => {
  if (uid === undefined) return undefined;
  const syntax = transferSyntaxOf(uid);
  if (syntax) return syntax;
  throw new DicomError('syntaxUnsupported');
};

/**
 * Finds the actual transfer syntax of the data set. Files often declare a wrong transfer syntax. The first element
 * shows whether VRs are explicit and which byte order is used.
 */
export const actualTransferSyntax = (
  reading: Reading<Uint8Array>,
  declared: TransferSyntax | undefined,
): TransferSyntax => {
  const encoding = encodingSeen(reading, declared) ?? declared ?? { explicit: false, littleEndian: true };
  if (declared && declared.explicit === encoding.explicit && declared.littleEndian === encoding.littleEndian) {
    return declared;
  }
  if (declared)
    warn(reading, 'The encoding of the file differs from the one it declares. The actual encoding was used.');
  if (declared?.encapsulated || declared?.deflated) return { ...declared, ...encoding };
  if (!encoding.explicit) return implicitLittleEndian;
  return encoding.littleEndian ? explicitLittleEndian : explicitBigEndian;
};

/**
 * Finds the encoding from the first element. The low byte of its group is never zero, so the first byte shows the byte
 * order.
 */
const encodingSeen = (reading: Reading<Uint8Array>, declared: TransferSyntax | undefined): Encoding | undefined => {
  const { position } = reading;
  if (reading.size - position < 8) return undefined;
  requireBytes(reading, position + 8);
  const vr = vrAt(reading.bytes, position + 4);
  // Blanks and question marks are never the length of a first element in implicit VR.
  const explicit = isVr(vr) || (declared?.explicit === true && ['  ', '??'].includes(vr));
  return { explicit, littleEndian: !explicit || reading.bytes[position] !== 0 };
};

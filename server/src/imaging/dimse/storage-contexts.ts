import { explicitBigEndian, explicitLittleEndian, implicitLittleEndian } from '@radwork/dicom/transfer-syntax';
import type { AssociationProposal } from './open-association.ts';
import type { Role } from './pdu.ts';
import { studyRoot } from './sop-classes.ts';

/** Context IDs are odd numbers below 256. The retrieval itself needs one context (PS3.8 §9.3.2.2). */
const mostContexts = 127;

const compressed = (...ends: string[]) => ends.map((end) => [`1.2.840.10008.1.2.${end}`]);

/**
 * Encodings to propose, each in its own context, so that the archive can send each instance as stored. With several
 * encodings in one context, the archive would have to choose one before it knows the instance. Uncompressed encodings
 * share a context, because converting between them loses nothing. If a request has too many contexts, the last
 * encodings are left out.
 */
const encodings: readonly (readonly string[])[] = [
  [explicitLittleEndian.uid, implicitLittleEndian.uid],
  ...compressed('4.70', '4.90', '4.50', '4.80', '5', '4.91', '4.57', '4.51', '4.81', '4.201', '4.202', '4.203'),
  ...compressed('4.102', '4.103', '4.100', '4.101', '4.107', '4.108', '1.99', '4.110', '4.111', '4.112'),
  [explicitBigEndian.uid],
];

/** Common SOP classes. They are proposed when an archive does not name the classes of its instances. */
const usualClasses = [
  '2',
  '4',
  '1',
  '1.1',
  '2.1',
  '4.1',
  '128',
  '6.1',
  '3.1',
  '7',
  '12.1',
  '12.2',
  '20',
  '1.2',
  '1.1.1',
  '11.1',
  '88.11',
  '88.22',
  '88.33',
  '88.34',
  '88.59',
  '88.67',
  '66.4',
  '104.1',
  '481.1',
  '481.2',
  '481.3',
  '481.5',
  '77.1.4',
].map((end) => `1.2.840.10008.5.1.4.1.1.${end}`);

/**
 * Returns the contexts to propose for a C-GET: one for the retrieval, and for each SOP class as many encodings as
 * possible. Our side takes the receiving role (PS3.4 §C.5.3.1).
 */
export const storageContexts = (
  sopClassUIDs: readonly string[],
  inEncodings: readonly (readonly string[])[] = encodings,
): AssociationProposal => {
  const classes = (sopClassUIDs.length > 0 ? sopClassUIDs : usualClasses).slice(0, mostContexts);
  const perClass = Math.max(1, Math.floor(mostContexts / classes.length));
  const contexts = classes.flatMap((abstractSyntax) =>
    inEncodings.slice(0, perClass).map((syntaxes) => ({ abstractSyntax, transferSyntaxes: [...syntaxes] })),
  );
  const roles = classes.map((sopClassUID): Role => ({ sopClassUID, isUser: false, isProvider: true }));
  const retrieval = { abstractSyntax: studyRoot.get, transferSyntaxes: [...plainSyntaxes] };
  return { contexts: [retrieval, ...contexts], roles };
};

const plainSyntaxes = [explicitLittleEndian.uid, implicitLittleEndian.uid];

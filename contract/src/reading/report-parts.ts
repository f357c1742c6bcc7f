import { translated } from '../core/translate.ts';
import { z } from 'zod';

/** Author, reviewer or signer. */
export const person = z.object({ id: z.string(), username: z.string(), name: z.string() });

/** User who signed, with the name and credentials at that time. */
export const signer = person.extend({ credentials: z.string() });

/** Returns a user as a signature shows them: "Rosa Lind, MD, FACR". */
export const signerText = ({ name, credentials }: { name: string; credentials: string }): string =>
  credentials === '' ? name : `${name}, ${credentials}`;

/** An addendum adds to a signed report. A correction replaces a passage, which stays readable. */
export const addendumKinds = ['ADDENDUM', 'CORRECTION'] as const;
export type AddendumKind = (typeof addendumKinds)[number];

export const addendumKindLabels: Record<AddendumKind, string> = translated({
  ADDENDUM: 'Addendum',
  CORRECTION: 'Correction',
});

/** Label next to "Finalized" for a report with a signed addendum. */
export const amendedLabel = 'AMENDED';

/** Statement that the signer confirms. It is stored with the signature. */
export const signedStatement = 'I confirm that this report is complete and accurate';

/** Minutes after sign-in in which a user can sign without another proof. */
export const recentSignInMinutes = 15;

/** Error code when the last sign-in is too old, so that the signature requires a password. */
export const reauthenticationNeeded = 'session.reauthenticate';

/** One signed text of a report. */
export const signedPart = z.object({
  /** Number of the part: 0 is the report. Addenda and corrections count from 1, in signing order. */
  number: z.number(),
  kind: z.enum(['REPORT', ...addendumKinds]),
  content: z.string(),
  /** The passage that a correction replaces; otherwise empty. */
  passage: z.string(),
  /** Number of the part with that passage. */
  corrects: z.number().nullable(),
  finalizedBy: signer,
  finalizedAt: z.string(),
  /** Statement that the signer confirmed. Empty for signatures made before it was stored. */
  statement: z.string(),
  signatureData: z.string().nullable(),
  /** Note about the signature, such as an unconfirmed account; usually empty. */
  signingRemark: z.string(),
  /** Statement on how the signer identified the patient, if the identity question was open; usually empty. */
  identityStatement: z.string(),
  /** SHA-256 of `hashedText`, in hexadecimal. */
  contentHash: z.string(),
  /** Whether the stored part still has this hash. */
  isUnchanged: z.boolean(),
});
export type SignedPart = z.infer<typeof signedPart>;

/** Returns the text of a signed part that is hashed in UTF-8. For a correction, it includes the replaced passage. */
export const hashedText = ({ kind, content, passage, corrects }: Omit<SignedPart, keyof Signature>): string =>
  kind === 'CORRECTION' ? JSON.stringify({ corrects, passage, content }) : content;

type Signature = Pick<
  SignedPart,
  | 'number'
  | 'finalizedBy'
  | 'finalizedAt'
  | 'statement'
  | 'signatureData'
  | 'signingRemark'
  | 'identityStatement'
  | 'contentHash'
  | 'isUnchanged'
>;

/** Returns the title of a part: "Correction 2 of the report", "Addendum 1". */
export const partTitle = ({ kind, number, corrects }: Pick<SignedPart, 'kind' | 'number' | 'corrects'>): string => {
  if (kind === 'REPORT') return 'Report';
  return `${addendumKindLabels[kind]} ${number}${kind === 'CORRECTION' ? ` of ${correctedPart(corrects)}` : ''}`;
};

/** Returns the name of the part that a correction changes. */
export const correctedPart = (corrects: number | null): string => (corrects ? `part ${corrects}` : 'the report');

/** Draft of an addendum, visible only to its author. */
export const addendumDraft = z.object({
  id: z.string(),
  kind: z.enum(addendumKinds),
  content: z.string(),
  passage: z.string(),
  corrects: z.number().nullable(),
  revision: z.number(),
  updatedAt: z.string(),
});
export type AddendumDraft = z.infer<typeof addendumDraft>;

import { z } from 'zod';

/** Somebody who wrote, reviewed or signed. */
export const person = z.object({ id: z.string(), username: z.string(), name: z.string() });

/** An addendum adds to a signed report; a correction replaces a passage of it, which stays to be read (C38). */
export const addendumKinds = ['ADDENDUM', 'CORRECTION'] as const;
export type AddendumKind = (typeof addendumKinds)[number];

export const addendumKindLabels: Record<AddendumKind, string> = {
  ADDENDUM: 'Addendum',
  CORRECTION: 'Correction',
};

/** What stands beside "Finalized" wherever the status of a report with a signed addendum is shown (C37). */
export const amendedLabel = 'AMENDED';

/** What whoever signs states; it is kept with the signature (D-14). */
export const signedStatement = 'I confirm that this report is complete and accurate';

/** How long after somebody showed who they are they may sign without doing it again, in minutes (C43). */
export const signInCountsFor = 15;

/** How a server refuses to sign for somebody who showed who they are longer ago than that: a password has to come along. */
export const reauthenticationNeeded = 'session.reauthenticate';

/** One of the texts that make up a signed report, as it was signed. */
export const signedPart = z.object({
  /** 0 is the report's own text; addenda and corrections count from 1 as they were signed. */
  number: z.number(),
  kind: z.enum(['REPORT', ...addendumKinds]),
  content: z.string(),
  /** The words that a correction replaces by its content; empty for everything else. */
  passage: z.string(),
  /** The number of the part in which those words stand. */
  corrects: z.number().nullable(),
  finalizedBy: person,
  finalizedAt: z.string(),
  /** What the signer confirmed; empty for what was signed before that was kept. */
  statement: z.string(),
  signatureData: z.string().nullable(),
  /** The remark beside the signature, such as that the account was not confirmed; empty as a rule. */
  signingRemark: z.string(),
  /** SHA-256 in hexadecimal, of what contract/src/report-parts.ts calls `hashedText`. */
  contentHash: z.string(),
  /** Whether what is stored still has that hash. */
  isUnchanged: z.boolean(),
});
export type SignedPart = z.infer<typeof signedPart>;

/** What the hash of a signed part is made of: its text; of a correction, with what it replaces. In UTF-8. */
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
  | 'contentHash'
  | 'isUnchanged'
>;

/** "Correction 2 of addendum 1": what a part is called where it stands beside the others. */
export const partTitle = ({ kind, number, corrects }: Pick<SignedPart, 'kind' | 'number' | 'corrects'>): string => {
  if (kind === 'REPORT') return 'Report';
  return `${addendumKindLabels[kind]} ${number}${kind === 'CORRECTION' ? ` of ${correctedPart(corrects)}` : ''}`;
};

/** What a correction is of. */
export const correctedPart = (corrects: number | null): string => (corrects ? `part ${corrects}` : 'the report');

/** An addendum while its author writes it; nobody else sees it. */
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

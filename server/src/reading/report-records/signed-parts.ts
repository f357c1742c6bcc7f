import { hashedText, type SignedPart } from '@radwork/contract/reading/report-parts';
import type { Scope } from '#core/access/scope.ts';
import { hashOfContent } from './content.ts';
import { signerOf } from './stored-report.ts';

type StoredPart = Omit<SignedPart, 'contentHash' | 'isUnchanged'> & { content_hash: Buffer };

/** Converts a stored signed part for display. Compares its text with the hash that was stored with the signature. */
const toSignedPart = ({ content_hash, ...part }: StoredPart): SignedPart => ({
  ...part,
  contentHash: content_hash.toString('hex'),
  isUnchanged: hashOfContent(hashedText(part)).equals(content_hash),
});

/** Returns the text of the report, if it is signed. */
const textOf = async ({ db }: Pick<Scope, 'db'>, reportId: string): Promise<SignedPart[]> => {
  const signed = await db
    .selectFrom('reports as r')
    .innerJoin('users as signer', 'signer.id', 'r.finalized_by')
    .select(['r.content', 'r.statement', 'r.signature_data as signatureData', 'r.finalized_at as finalizedAt'])
    .select(['r.signing_remark as signingRemark', 'r.identity_statement as identityStatement'])
    .select(['r.content_hash', signerOf('r').as('finalizedBy')])
    .$narrowType<{ finalizedAt: string; content_hash: Buffer }>()
    .where('r.id', '=', reportId)
    .where('r.status', '=', 'FINALIZED')
    .execute();
  return signed.map((text) => toSignedPart({ ...text, number: 0, kind: 'REPORT', passage: '', corrects: null }));
};

/** Returns the signed addenda and corrections of a report in order. */
export const signedAddenda = async ({ db }: Pick<Scope, 'db'>, reportId: string): Promise<SignedPart[]> => {
  const signed = await db
    .selectFrom('report_addenda as a')
    .innerJoin('users as signer', 'signer.id', 'a.finalized_by')
    .select(['a.number', 'a.kind', 'a.content', 'a.passage', 'a.corrects', 'a.statement', 'a.content_hash'])
    .select(['a.signature_data as signatureData', 'a.finalized_at as finalizedAt'])
    .select(['a.signing_remark as signingRemark', 'a.identity_statement as identityStatement'])
    .select(signerOf('a').as('finalizedBy'))
    .$narrowType<{ number: number; finalizedAt: string; content_hash: Buffer }>()
    .where('a.report_id', '=', reportId)
    .where('a.finalized_at', 'is not', null)
    .orderBy('a.number')
    .execute();
  return signed.map(toSignedPart);
};

/**
 * Returns all signed parts of a report in order: the text, then addenda and corrections. Empty for a draft. The caller
 * must check whether the user may know of the report.
 */
export const signedParts = async (scope: Pick<Scope, 'db'>, reportId: string): Promise<SignedPart[]> => {
  const [text, addenda] = await Promise.all([textOf(scope, reportId), signedAddenda(scope, reportId)]);
  return text.length === 0 ? [] : [...text, ...addenda];
};

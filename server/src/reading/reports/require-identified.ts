import { t } from '@radwork/contract/core/translate';
import { identityOpenError } from '@radwork/contract/imaging/identities';
import { Problem } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { identityMarksOf } from '#imaging/identity-marks/identity-marks.ts';
import { refuseUnprintableStatement } from '#reading/report-delivery/printable-characters.ts';

/**
 * Throws 409 if the study has an open identity question and the reader does not state how the patient was identified.
 * With a statement, an emergency need not wait for the administrator's decision. Returns the statement to store, or ''
 * if none is needed. The caller must have locked the study. Opening and deciding a question lock the study too.
 */
export const requireIdentified = async (scope: Scope, studyId: string, statement = ''): Promise<string> => {
  const mark = (await identityMarksOf(scope, [studyId])).get(studyId);
  if (!mark) return '';
  if (statement !== '') {
    refuseUnprintableStatement(statement);
    return statement;
  }
  const words = t`The patient identity is not confirmed. Describe how the patient was identified, or wait for the decision.`;
  throw new Problem(409, identityOpenError, words, { fields: { identityStatement: words } });
};

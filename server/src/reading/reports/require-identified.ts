import { t } from '@radwork/contract/core/translate';
import { identityOpenError } from '@radwork/contract/imaging/identities';
import { Problem } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { identityMarksOf } from '#imaging/identity-marks/identity-marks.ts';
import { refuseUnprintableStatement } from '#reading/report-delivery/printable-characters.ts';

/**
 * Refuses a signature while the study has an open identity question, unless the reader states how the patient was
 * identified. An emergency does not wait for the administrator. Returns the statement to store, or an empty text if
 * none is needed. The caller must have locked the study. Opening and deciding a question lock the study too.
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

import { t } from '@lingui/core/macro';
import { Textarea } from '@mantine/core';
import { identityStatement, type IdentityMark } from '@radwork/contract/imaging/identities';
import { useState } from 'react';
import { ApiError } from '#core/http/api.ts';
import { IdentityDifference } from '#ui/marks/identity-difference.tsx';
import { Notice } from '#ui/feedback/notice.tsx';

type ReportIdentity = { identity: IdentityMark | null; patientName: string };

/**
 * State of the field in which the reader writes how they identified the patient. The field is required while the study
 * has an open identity question.
 */
export const useIdentityStatement = (report: ReportIdentity, error: Error | null) => {
  const [statement, setStatement] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const refusal = error instanceof ApiError ? error.fields.identityStatement : undefined;
  const isRequired = report.identity !== null || refusal !== undefined;
  const parsed = identityStatement.safeParse(statement);
  const missing = statement.trim() === '' ? t`Enter how the patient was identified` : undefined;
  const fault = isRequired ? (missing ?? parsed.error?.issues[0]?.message) : undefined;
  return {
    report,
    isAsked: isRequired,
    statement,
    setStatement,
    shown: isChecked ? (fault ?? refusal) : undefined,
    /** Returns the statement for the request body; undefined while it is missing. */
    check: () => {
      setIsChecked(true);
      if (fault) return undefined;
      return isRequired ? { identityStatement: statement.trim() } : {};
    },
  };
};

export function IdentityStatement({ stating }: { stating: ReturnType<typeof useIdentityStatement> }) {
  const { report, isAsked: isRequired, statement, setStatement, shown } = stating;
  if (!isRequired) return null;
  return (
    <>
      {report.identity && (
        <Notice tone="danger">
          <IdentityDifference mark={report.identity} patientName={report.patientName} />
        </Notice>
      )}
      <Textarea
        label={t`How was the patient identified?`}
        description={t`Required because the identity question is open. Stored with the signature.`}
        withAsterisk
        rows={3}
        maxLength={500}
        value={statement}
        error={shown}
        onChange={(event) => setStatement(event.currentTarget.value)}
      />
    </>
  );
}

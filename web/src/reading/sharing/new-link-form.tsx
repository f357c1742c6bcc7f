import { t } from '@lingui/core/macro';
import { NumberInput, SegmentedControl, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { reportLinks, type LinkTerms, reportLinkForm } from '@radwork/contract/reading/sharing';
import { type Report } from '@radwork/contract/reading/reports';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query } from '#core/http/api.ts';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { useMakeLink } from './link-actions.ts';
import styles from './share-dialog.module.css';

type Props = { report: Pick<Report, 'id' | 'patientRecordId'>; onCancel: () => void };

/** Creates a share link for a report: duration, passcode or date of birth, number of opens. */
export function NewLinkForm({ report, onCancel }: Props) {
  const terms = useQuery(query(reportLinks.terms, { params: { id: report.id } }));
  if (terms.isPending) return <Skeleton lines={4} label={t`Loading the form`} />;
  if (terms.isLoadingError || !terms.data) {
    return <ErrorState failed={t`Error sharing report`} error={terms.error} onRetry={() => void terms.refetch()} />;
  }
  return <Fields report={report} terms={terms.data} onCancel={onCancel} />;
}

type Values = {
  days: number | string;
  question: 'none' | 'passcode' | 'birth date';
  passcode: string;
  maxOpens: number | string;
};

const numberOf = (value: number | string): number | undefined => (value === '' ? undefined : Number(value));

const bodyOf = ({ days, question, passcode, maxOpens }: Values) => ({
  days: numberOf(days),
  asksBirthDate: question === 'birth date',
  maxOpens: numberOf(maxOpens) ?? null,
  ...(question === 'passcode' && { passcode }),
});

const faultsOf = (values: Values): Record<string, string> => {
  const parsed = reportLinkForm.safeParse(bodyOf(values));
  const issues = parsed.success ? [] : parsed.error.issues;
  return Object.fromEntries(issues.map(({ path, message }) => [path.join('.'), message]));
};

const isQuestion = (value: string): value is Values['question'] => ['none', 'passcode', 'birth date'].includes(value);

function Fields({ report, terms, onCancel }: Props & { terms: LinkTerms }) {
  const make = useMakeLink();
  // Patient record when the form opened. It must not follow a change of the report.
  const [patientRecordId] = useState(report.patientRecordId);
  const form = useForm<Values>({
    initialValues: {
      days: terms.days,
      // Preselects a link with a question. The user must choose explicitly that a link opens without one.
      question: terms.hasBirthDate ? 'birth date' : 'passcode',
      passcode: '',
      maxOpens: '',
    },
    validate: faultsOf,
  });
  const { question } = form.values;
  const submit = form.onSubmit((values) => {
    const { data: body } = reportLinkForm.safeParse(bodyOf(values));
    if (body) make.mutate({ params: { id: report.id }, body: { ...body, patientRecordId } });
  });
  const questions = [
    { value: 'none', label: t`No code`, disabled: terms.isCodeRequired },
    { value: 'passcode', label: t`Passcode` },
    { value: 'birth date', label: t`Date of birth`, disabled: !terms.hasBirthDate },
  ];
  return (
    <DialogForm verb={t`Create link`} action={make} onSubmit={submit} onCancel={onCancel}>
      <p>{t`Anyone with the link can view the finalized report without an account.`}</p>
      <div className={styles.question}>
        <span className={styles.label} id="link-asks-for">
          {t`Required code`}
        </span>
        <SegmentedControl
          aria-labelledby="link-asks-for"
          data={questions}
          value={question}
          onChange={(value) => {
            if (isQuestion(value)) form.setFieldValue('question', value);
          }}
        />
      </div>
      {terms.isCodeRequired && <p className="muted">{t`This organization requires a code for every link.`}</p>}
      {question === 'none' && (
        <Notice tone="warning">{t`Anyone who receives a link without a code can open it.`}</Notice>
      )}
      {question === 'passcode' && (
        <TextInput
          label={t`Passcode`}
          description={t`At least 6 characters. Write it down now. It is not shown again.`}
          withAsterisk
          autoComplete="off"
          maxLength={64}
          {...form.getInputProps('passcode')}
        />
      )}
      <div className={styles.pair}>
        <NumberInput label={t`Validity in days`} min={1} max={3650} {...form.getInputProps('days')} />
        <NumberInput
          label={t`Maximum opens`}
          placeholder={t`No limit`}
          min={1}
          max={1000}
          {...form.getInputProps('maxOpens')}
        />
      </div>
      <p className="muted">{t`Each opening of the page or its PDF counts.`}</p>
    </DialogForm>
  );
}

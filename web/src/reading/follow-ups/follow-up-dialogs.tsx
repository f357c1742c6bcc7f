import { t } from '@lingui/core/macro';
import { Select, Textarea } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { dueWindow } from '@radwork/contract/reading/follow-up-match';
import type { FollowUpState } from '@radwork/contract/reading/follow-up-states';
import {
  type FollowUp,
  followUpDecision,
  followUpForm,
  followUps,
  newFollowUpForm,
} from '@radwork/contract/reading/follow-ups';
import type { Report } from '@radwork/contract/reading/reports';
import { useQuery } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { userOptions } from '#ui/formats/user-options.ts';
import { ExaminationFields } from './examination-fields.tsx';
import { useAddFollowUp, useDecide, useEditFollowUp } from './follow-up-actions.ts';
import { examinationName } from './follow-up-words.ts';
import styles from './follow-ups.module.css';

type RowProps = { row: FollowUp; onClose: () => void };

/** Changes the examination, its days and its owner. */
export function EditFollowUpDialog({ row, onClose }: RowProps) {
  return (
    <Dialog opened onClose={onClose} title={t`Edit follow-up`} size={480}>
      <EditForm row={row} onClose={onClose} />
    </Dialog>
  );
}

function EditForm({ row, onClose }: RowProps) {
  const { id, modality, bodyPart, dueFrom, dueTo, owner, quote, revision } = row;
  const edit = useEditFollowUp();
  const owners = useQuery(query(followUps.owners, { params: { id } }));
  const form = useForm({
    initialValues: { modality, bodyPart, dueFrom, dueTo, ownerId: owner.id, revision },
    validate: schemaResolver(followUpForm, { sync: true }),
  });
  return (
    <DialogForm
      verb={t`Save`}
      action={edit}
      onCancel={onClose}
      onSubmit={form.onSubmit((body) => edit.mutate({ params: { id }, body }, { onSuccess: onClose }))}
    >
      {quote && <p className={styles.quote}>{quote}</p>}
      <ExaminationFields propsOf={(field) => form.getInputProps(field)} />
      {owners.isError && <Notice tone="warning">{t`Could not load the users. The owner stays.`}</Notice>}
      <Select
        label={t`Owner`}
        data={userOptions(owners.data ?? [owner])}
        allowDeselect={false}
        searchable
        {...form.getInputProps('ownerId')}
      />
    </DialogForm>
  );
}

/** Adds a follow-up to a report by hand. */
export function AddFollowUpDialog({ report, onClose }: { report: Report; onClose: () => void }) {
  return (
    <Dialog opened onClose={onClose} title={t`Add follow-up`} size={480}>
      <AddForm report={report} onClose={onClose} />
    </Dialog>
  );
}

/** Default: in 6 months. */
const usual = { from: 6, to: 6, unit: 'MONTH' } as const;
const usualWindow = ({ studyDate }: Report) => dueWindow((studyDate ?? new Date().toISOString()).slice(0, 10), usual);

function AddForm({ report, onClose }: { report: Report; onClose: () => void }) {
  const add = useAddFollowUp();
  const form = useForm({
    initialValues: { modality: '' as const, bodyPart: '' as const, ...usualWindow(report), quote: '' },
    validate: schemaResolver(newFollowUpForm, { sync: true }),
  });
  return (
    <DialogForm
      verb={t`Add follow-up`}
      action={add}
      onCancel={onClose}
      onSubmit={form.onSubmit((body) => add.mutate({ params: { id: report.id }, body }, { onSuccess: onClose }))}
    >
      {report.status !== 'FINALIZED' && <p className="muted">{t`The follow-up starts when the report is signed.`}</p>}
      <ExaminationFields propsOf={(field) => form.getInputProps(field)} />
      <Textarea label={t`Recommendation`} rows={2} maxLength={2000} {...form.getInputProps('quote')} />
    </DialogForm>
  );
}

type ClosingState = Extract<FollowUpState, 'DECLINED' | 'LOST'>;

/** Closes a row with a reason. */
export function CloseFollowUpDialog({ row, state, onClose }: RowProps & { state: ClosingState }) {
  return (
    <Dialog
      opened
      onClose={onClose}
      title={state === 'DECLINED' ? t`Decline follow-up` : t`Mark as lost to follow-up`}
      size={460}
    >
      <CloseForm row={row} state={state} onClose={onClose} />
    </Dialog>
  );
}

function CloseForm({ row, state, onClose }: RowProps & { state: ClosingState }) {
  const { action, decide } = useDecide();
  const form = useForm({
    initialValues: { state, reason: '', revision: row.revision },
    validate: schemaResolver(followUpDecision, { sync: true }),
  });
  return (
    <DialogForm
      verb={state === 'DECLINED' ? t`Decline follow-up` : t`Mark as lost`}
      action={action}
      onCancel={onClose}
      onSubmit={form.onSubmit(({ reason }) => decide(row, { state, reason }, onClose))}
    >
      <p className={styles.quote}>{row.quote || examinationName(row)}</p>
      <p>{t`Reminders stop. The follow-up stays on record with your reason and can be opened again.`}</p>
      <Textarea
        label={t`Reason`}
        withAsterisk
        rows={2}
        maxLength={1000}
        data-autofocus
        {...form.getInputProps('reason')}
      />
    </DialogForm>
  );
}

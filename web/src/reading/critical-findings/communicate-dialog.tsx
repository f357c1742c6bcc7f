import { t } from '@lingui/core/macro';
import { Checkbox, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import {
  type CriticalFinding,
  criticalFindings,
  type CriticalRecipient,
} from '@radwork/contract/reading/critical-findings';
import {
  type CommunicationMethod,
  communicationMethodLabels,
  communicationMethods,
} from '@radwork/contract/reading/critical-finding-states';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query, errorMessageOf } from '#core/http/api.ts';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { formatMoment } from '#ui/formats/formats.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { userOptions } from '#ui/formats/user-options.ts';
import { TimeInput } from '#ui/forms/time-input.tsx';
import styles from './dialogs.module.css';
import { useCommunicate } from './finding-actions.ts';

type Props = { finding: CriticalFinding; opened: boolean; onClose: () => void };

const methods = communicationMethods.map((value) => ({ value, label: communicationMethodLabels[value] }));

/** Records who was informed of a finding, or that the recipient could not be reached. */
export function CommunicateDialog({ finding, opened, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Record communication`} size={480}>
      <CommunicateForm finding={finding} onClose={onClose} />
    </Dialog>
  );
}

type Values = {
  kind: 'user' | 'outside';
  recipientId: string | null;
  recipientName: string;
  method: string | null;
  outcome: 'reached' | 'not reached';
  hasReadBack: boolean;
  toldAt: string;
  note: string;
};

const momentOf = (text: string): string | undefined => {
  const moment = new Date(text.trim().replace(' ', 'T'));
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
};

const bodyOf = (values: Values, method: CommunicationMethod, restarts: number) => ({
  recipientId: values.kind === 'user' ? values.recipientId : null,
  recipientName: values.kind === 'outside' ? values.recipientName : '',
  method,
  wasReached: values.outcome === 'reached',
  hasReadBack: values.outcome === 'reached' && values.hasReadBack,
  toldAt: momentOf(values.toldAt),
  note: values.note,
  restarts,
});

/** Returns an error for each missing value, by field. The server applies the same rules. */
const faultsOf = (values: Values): Record<string, string> => {
  const { recipientName, recipientId, method } = values;
  const isNobodyReached = values.kind === 'user' ? !recipientId : recipientName.trim() === '';
  return {
    ...(isNobodyReached && { [values.kind === 'user' ? 'recipientId' : 'recipientName']: t`Recipient is required` }),
    ...(!method && { method: t`Method is required` }),
    ...(momentOf(values.toldAt) === undefined && { toldAt: t`Use a date and time such as 2026-11-21 14:05` }),
  };
};

function CommunicateForm({ finding, onClose }: Omit<Props, 'opened'>) {
  const communicate = useCommunicate();
  const people = useQuery(query(criticalFindings.recipients, { params: { id: finding.id } }));
  const [begunAt] = useState(() => new Date());
  // Number of times that the study had moved to another patient when the dialog opened. If it has moved since, the
  // server refuses the communication.
  const [restarts] = useState(finding.restarts.length);
  const form = useForm<Values>({
    initialValues: {
      kind: 'user',
      recipientId: null,
      recipientName: '',
      method: null,
      outcome: 'reached',
      hasReadBack: false,
      toldAt: formatMoment(begunAt.toISOString()),
      note: '',
    },
    validate: faultsOf,
  });
  const { kind, outcome } = form.values;
  const submit = form.onSubmit((values) => {
    const method = communicationMethods.find((communicationMethod) => communicationMethod === values.method);
    if (method) {
      communicate.mutate(
        { params: { id: finding.id }, body: bodyOf(values, method, restarts) },
        { onSuccess: onClose },
      );
    }
  });
  return (
    <DialogForm verb={t`Record`} action={communicate} onSubmit={submit} onCancel={onClose}>
      <p className={styles.finding}>{finding.finding}</p>
      <SegmentedControl
        aria-label={t`Kind of recipient`}
        data={[
          { value: 'user', label: t`User` },
          { value: 'outside', label: t`External person` },
        ]}
        {...form.getInputProps('kind')}
      />
      {kind === 'user' ? (
        <Select
          label={t`Recipient`}
          withAsterisk
          searchable
          data-autofocus
          openOnFocus={false}
          placeholder={people.isPending ? t`Loading` : t`Select a user`}
          nothingFoundMessage={t`No users with access to this study match`}
          data={groupsOf(people.data)}
          {...form.getInputProps('recipientId')}
        />
      ) : (
        <TextInput
          label={t`Recipient`}
          withAsterisk
          maxLength={200}
          placeholder={t`Name and place, such as Dr Okafor, ward 3`}
          {...form.getInputProps('recipientName')}
        />
      )}
      {people.error && <Notice tone="danger">{errorMessageOf(people.error, t`Could not load recipients`)}</Notice>}
      <div className={styles.pair}>
        <Select
          label={t`Method`}
          withAsterisk
          placeholder={t`Select`}
          data={methods}
          {...form.getInputProps('method')}
        />
        <TimeInput
          label={t`Time`}
          value={form.values.toldAt}
          error={form.errors.toldAt}
          onChange={(text) => form.setFieldValue('toldAt', text)}
        />
      </div>
      <SegmentedControl
        aria-label={t`Outcome`}
        data={[
          { value: 'reached', label: t`Reached` },
          { value: 'not reached', label: t`Not reached` },
        ]}
        {...form.getInputProps('outcome')}
      />
      {outcome === 'reached' && (
        <Checkbox
          label={t`Recipient read back the finding`}
          description={
            kind === 'outside'
              ? t`Counts as the acknowledgment of an external person.`
              : t`The recipient must also acknowledge the finding in Radwork.`
          }
          {...form.getInputProps('hasReadBack', { type: 'checkbox' })}
        />
      )}
      <Textarea label={t`Note`} rows={2} maxLength={4000} {...form.getInputProps('note')} />
    </DialogForm>
  );
}

const groupsOf = (people: readonly CriticalRecipient[] = []) => {
  const all = userOptions(people);
  const options = (isConcerned: boolean) => all.filter(({ person }) => person.isConcerned === isConcerned);
  return [
    { group: t`Care team`, items: options(true) },
    { group: t`Others`, items: options(false) },
  ].filter(({ items }) => items.length > 0);
};

import { t } from '@lingui/core/macro';
import { Button, Checkbox, Switch, TextInput } from '@mantine/core';
import { type OutreachTopic, outreachTopicLabels, outreachTopics } from '@radwork/contract/reading/outreach';
import { type Webhook, webhookForm, webhooks } from '@radwork/contract/reading/webhooks';
import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import { useAction, errorMessageOf } from '#core/http/api.ts';
import { CancelButton } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { fieldErrorsOf, focusFirstInvalid, isShownAtFields } from '#ui/forms/field-errors.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from './webhooks-panel.module.css';

type Props = { opened: boolean; webhook: Webhook | undefined; onClose: () => void };

/** Dialog for a webhook. Shows the secret of a new webhook once. */
export function WebhookDialog({ opened, webhook, onClose }: Props) {
  const [secret, setSecret] = useState<string>();
  const close = () => {
    setSecret(undefined);
    onClose();
  };
  const title = webhook ? t`Edit webhook` : t`Create webhook`;
  return (
    <Dialog opened={opened} onClose={close} title={title} size={560}>
      {secret === undefined ? (
        <WebhookFields webhook={webhook} onClose={close} onSecret={setSecret} />
      ) : (
        <div className={styles.panel}>
          <p>{t`Copy the secret now. It is not shown again. The receiver needs it to check the header radwork-signature.`}</p>
          <TextInput label={t`Secret`} className="mono" readOnly value={secret} />
          <div>
            <Button onClick={close}>{t`Close`}</Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

const empty = {
  name: '',
  url: 'https://',
  topics: ['CRITICAL_ON_CALL', 'CRITICAL_LEAD'] as OutreachTopic[],
  isPlainHttp: false,
  isActive: true,
};
type WebhookValues = typeof empty;

const formOf = ({ name, url, topics, isPlainHttp, isActive }: Webhook): WebhookValues => ({
  name,
  url,
  topics,
  isPlainHttp,
  isActive,
});

type FieldsProps = Omit<Props, 'opened'> & { onSecret: (secret: string) => void };

function WebhookFields({ webhook, onClose, onSecret }: FieldsProps) {
  const form = useForm<WebhookValues>({
    initialValues: webhook ? formOf(webhook) : empty,
    validate: schemaResolver(webhookForm, { sync: true }),
  });
  const says = { done: t`Webhook saved`, failed: t`Failed to save the webhook` };
  const create = useAction(webhooks.create, says);
  const update = useAction(webhooks.update, says);
  const error = create.error ?? update.error;
  const onError = (fault: Error) => form.setErrors(fieldErrorsOf(fault));
  const send = (body: WebhookValues) =>
    webhook
      ? update.mutate(
          { params: { id: webhook.id }, body: { ...body, revision: webhook.revision } },
          { onSuccess: onClose, onError },
        )
      : create.mutate({ body }, { onSuccess: ({ secret }) => onSecret(secret), onError });
  return (
    <form
      className={styles.panel}
      noValidate
      onSubmit={form.onSubmit(send, (faults) => focusFirstInvalid(form.getInputNode, faults))}
    >
      <TextInput label={t`Name`} withAsterisk data-autofocus {...form.getInputProps('name')} />
      <TextInput label={t`Address`} withAsterisk {...form.getInputProps('url')} />
      <Switch
        label={t`Allow an address without encryption (http://)`}
        {...form.getInputProps('isPlainHttp', { type: 'checkbox' })}
      />
      <Checkbox.Group label={t`Events`} withAsterisk {...form.getInputProps('topics')}>
        <div className={styles.topics}>
          {outreachTopics.map((topic) => (
            <Checkbox key={topic} value={topic} label={outreachTopicLabels[topic]} />
          ))}
        </div>
      </Checkbox.Group>
      <Switch label={t`Active`} {...form.getInputProps('isActive', { type: 'checkbox' })} />
      {error && !isShownAtFields(error) && (
        <Notice tone="danger">{errorMessageOf(error, t`Failed to save the webhook`)}</Notice>
      )}
      <div className={styles.buttons}>
        <CancelButton onCancel={onClose} />
        <Button type="submit" loading={create.isPending || update.isPending}>
          {t`Save`}
        </Button>
      </div>
    </form>
  );
}

import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { outboundStates, type OutboundState, outreachTopicLabels } from '@radwork/contract/reading/outreach';
import { type Webhook, webhooks } from '@radwork/contract/reading/webhooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query, useAction } from '#core/http/api.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { formatMoment } from '#ui/formats/formats.ts';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { StatusPill } from '#ui/marks/status-pill.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import styles from './webhooks-panel.module.css';

const stateLabels: Record<OutboundState, string> = {
  QUEUED: t`Waiting`,
  SENT: t`Sent`,
  FAILED: t`Failed`,
  CANCELED: t`Canceled`,
};

/** Lists the addresses that receive the organization's events, such as gateways for text messages or pagers. */
export function WebhooksPanel() {
  const known = useQuery({
    ...query(webhooks.list, {}),
    // Polls while a test delivery is running.
    refetchInterval: ({ state }) => (state.data?.some(({ latest }) => latest?.state === 'QUEUED') ? 2000 : false),
  });
  const [edited, setEdited] = useState<Webhook>();
  const [opened, setOpened] = useState(false);
  const open = (webhook?: Webhook) => {
    setEdited(webhook);
    setOpened(true);
  };
  const { data, error } = known;
  return (
    <div className={styles.panel}>
      <div>
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => open()}>
          {t`Create webhook`}
        </Button>
      </div>
      {error && !data && (
        <ErrorState failed={t`Failed to load the webhooks`} error={error} onRetry={() => void known.refetch()} />
      )}
      {!error && !data && <Skeleton lines={4} label={t`Loading webhooks`} />}
      {data?.length === 0 && (
        <EmptyState
          icon={IconPlus}
          title={t`No webhooks`}
          detail={t`A webhook sends critical findings to other software, such as a pager service.`}
        />
      )}
      <ul className={styles.webhooks}>
        {data?.map((webhook) => (
          <WebhookRow key={webhook.id} webhook={webhook} onEdit={() => open(webhook)} />
        ))}
      </ul>
      <WebhookDialog opened={opened} webhook={edited} onClose={() => setOpened(false)} />
    </div>
  );
}

function WebhookRow({ webhook, onEdit }: { webhook: Webhook; onEdit: () => void }) {
  const { id, name, url, topics, isActive, latest, failed } = webhook;
  const test = useAction(webhooks.test, { done: t`Test queued`, failed: t`Failed to test the webhook` });
  const retry = useAction(webhooks.retry, { done: t`Messages queued again`, failed: t`Failed to retry` });
  const remove = useAction(webhooks.remove, { done: t`Webhook deleted`, failed: t`Failed to delete the webhook` });
  const askToRemove = async () => {
    const agreed = await confirm({
      question: t`Delete this webhook?`,
      consequence: t`${name} no longer receives messages.`,
      verb: t`Delete webhook`,
    });
    if (agreed) remove.mutate({ params: { id } });
  };
  const buttons = [
    { label: t`Test`, isPending: test.isPending, onClick: () => test.mutate({ params: { id } }) },
    ...(failed > 0
      ? [
          {
            label: t`${plural(failed, { one: 'Retry # message', other: 'Retry # messages' })}`,
            isPending: retry.isPending,
            onClick: () => retry.mutate({ params: { id } }),
          },
        ]
      : []),
    { label: t`Edit`, isPending: false, onClick: onEdit },
    { label: t`Delete`, isPending: remove.isPending, onClick: () => void askToRemove() },
  ];
  return (
    <li className={styles.webhook}>
      <div>
        <strong>{name}</strong> {!isActive && <StatusPill tone="secondary" shape="ring" label={t`Inactive`} />}
        <p className="mono">{url}</p>
        <p className="muted">{topics.map((topic) => outreachTopicLabels[topic]).join(', ')}</p>
        <p>{latest ? <Latest latest={latest} /> : <span className="muted">{t`No messages yet`}</span>}</p>
      </div>
      <div className={styles.buttons}>
        {buttons.map(({ label, isPending, onClick }) => (
          <Button
            key={label}
            variant="default"
            size="compact-sm"
            aria-label={`${label}: ${name}`}
            loading={isPending}
            onClick={onClick}
          >
            {label}
          </Button>
        ))}
      </div>
    </li>
  );
}

function Latest({ latest: { topic, state, attempts, error, at } }: { latest: NonNullable<Webhook['latest']> }) {
  const known = outboundStates.find((outboundState) => outboundState === state) ?? 'QUEUED';
  return (
    <>
      {outreachTopicLabels[topic]}: {stateLabels[known]} <time>{formatMoment(at)}</time>
      {attempts > 1 && <> · {t`${attempts} attempts`}</>}
      {error && ` · ${error}`}
    </>
  );
}

import { t } from '@lingui/core/macro';
import { Button, Checkbox, Switch } from '@mantine/core';
import {
  outreach,
  outreachChannelLabels,
  type OutreachSettings,
  outreachTopicLabels,
  outreachTopics,
  personalChannels,
} from '@radwork/contract/reading/outreach';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query, useAction, errorMessageOf } from '#core/http/api.ts';
import { toast } from '#core/browser/toasts.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { SettingsSection } from '#ui/forms/settings-section.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { canPush, subscribeToPush } from './push-device.ts';
import styles from './outreach-section.module.css';

const about = t`Messages by e-mail or push, without patient names. Critical findings need at least one channel.`;

/** Settings for messages that the user receives outside the application. */
export function OutreachSection() {
  const { data, error, refetch } = useQuery({
    ...query(outreach.settings, {}),
    // The settings are never refetched, because a refetch would overwrite the input.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <SettingsSection title={t`E-mail and push messages`} about={about}>
      {error && !data && (
        <ErrorState failed={t`Failed to load the channels`} error={error} onRetry={() => void refetch()} />
      )}
      {!error && !data && <Skeleton lines={6} label={t`Loading the channels`} />}
      {data && (
        <>
          <Devices settings={data} />
          <Choices settings={data} />
        </>
      )}
    </SettingsSection>
  );
}

function Choices({ settings }: { settings: OutreachSettings }) {
  const { mailAddress, timeZone } = settings;
  const [choices, setChoices] = useState(settings.choices);
  const [quietHours, setQuietHours] = useState(settings.quietHours);
  const save = useAction(outreach.save, { done: t`Channels saved`, failed: t`Failed to save the channels` });
  const isWanted = (topic: string, channel: string) =>
    choices.some((choice) => choice.topic === topic && choice.channel === channel && choice.isWanted);
  const choose = (topic: string, channel: string, isChosen: boolean) =>
    setChoices(
      choices.map((choice) =>
        choice.topic === topic && choice.channel === channel ? { ...choice, isWanted: isChosen } : choice,
      ),
    );
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ body: { choices, quietHours } });
      }}
    >
      <p className="muted">{mailAddress ? t`E-mail goes to ${mailAddress}.` : t`You receive no e-mail.`}</p>
      <table className={styles.choices}>
        <thead>
          <tr>
            <th scope="col">{t`Event`}</th>
            {personalChannels.map((channel) => (
              <th key={channel} scope="col">
                {outreachChannelLabels[channel]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {outreachTopics.map((topic) => (
            <tr key={topic}>
              <th scope="row">{outreachTopicLabels[topic]}</th>
              {personalChannels.map((channel) => (
                <td key={channel}>
                  <Checkbox
                    aria-label={`${outreachChannelLabels[channel]}: ${outreachTopicLabels[topic]}`}
                    checked={isWanted(topic, channel)}
                    onChange={(event) => choose(topic, channel, event.currentTarget.checked)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Switch
        label={t`Quiet hours`}
        description={t`Only critical findings are sent in these hours (${timeZone}).`}
        checked={quietHours !== null}
        onChange={(event) => setQuietHours(event.currentTarget.checked ? { begins: '22:00', ends: '07:00' } : null)}
      />
      {quietHours && (
        <div className={styles.hours}>
          <label>
            {t`From`}{' '}
            <input
              type="time"
              required
              value={quietHours.begins}
              onChange={(event) => setQuietHours({ ...quietHours, begins: event.currentTarget.value })}
            />
          </label>
          <label>
            {t`To`}{' '}
            <input
              type="time"
              required
              value={quietHours.ends}
              onChange={(event) => setQuietHours({ ...quietHours, ends: event.currentTarget.value })}
            />
          </label>
        </div>
      )}
      {save.error && <Notice tone="danger">{errorMessageOf(save.error, t`Failed to save the channels`)}</Notice>}
      <div>
        <Button type="submit" loading={save.isPending}>
          {t`Save channels`}
        </Button>
      </div>
    </form>
  );
}

function Devices({ settings: { devices, pushKey } }: { settings: OutreachSettings }) {
  const [isRequesting, setRequesting] = useState(false);
  const says = { failed: t`Failed to change the setting for push messages`, refreshes: ['outreach'] };
  const add = useAction(outreach.addDevice, { ...says, done: t`Push messages turned on in this browser` });
  const remove = useAction(outreach.removeDevice, { ...says, done: t`Push messages turned off` });
  const turnOn = async () => {
    setRequesting(true);
    try {
      const subscription = await subscribeToPush(pushKey);
      if (subscription) add.mutate({ body: subscription });
      else toast.failure(t`The browser does not allow notifications. Allow them in its settings and try again.`);
    } catch {
      toast.failure(t`The browser could not turn on push messages. Check the connection and try again.`);
    } finally {
      setRequesting(false);
    }
  };
  return (
    <div className={styles.form}>
      <ul className={styles.devices}>
        {devices.map(({ id, label }) => (
          <li key={id}>
            {label || t`Browser`}{' '}
            <Button
              variant="default"
              size="compact-sm"
              aria-label={t`Turn off push messages: ${label}`}
              onClick={() => remove.mutate({ params: { id } })}
            >
              {t`Turn off`}
            </Button>
          </li>
        ))}
      </ul>
      {canPush() ? (
        <div>
          <Button variant="default" loading={isRequesting || add.isPending} onClick={() => void turnOn()}>
            {t`Turn on push messages in this browser`}
          </Button>
        </div>
      ) : (
        <p className="muted">{t`This browser does not support push messages.`}</p>
      )}
    </div>
  );
}

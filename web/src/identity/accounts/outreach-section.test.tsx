import { outreach, type OutreachSettings, outreachTopics, personalChannels } from '@radwork/contract/reading/outreach';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, serve, show } from '#test/screen.tsx';
import { OutreachSection } from './outreach-section.tsx';

const settings: OutreachSettings = {
  choices: outreachTopics.flatMap((topic) =>
    personalChannels.map((channel) => ({ topic, channel, isWanted: topic.startsWith('CRITICAL') })),
  ),
  quietHours: null,
  timeZone: 'Europe/Berlin',
  mailAddress: 'e.moreau@example.org',
  devices: [{ id: 'd1', label: 'Firefox on Android', createdAt: '2026-11-21T10:00:00Z' }],
  pushKey: 'BKey',
};

test('the account screen saves channels and quiet hours, and turns off push in another browser', async () => {
  const calls = serve(
    answer(outreach.settings, () => settings),
    answer(outreach.save, () => settings),
    answer(outreach.removeDevice, () => ({ ...settings, devices: [] })),
  );
  show(<OutreachSection />);

  await userEvent.click(await screen.findByRole('checkbox', { name: 'E-mail: Report ready' }));
  await userEvent.click(screen.getByRole('switch', { name: /^Quiet hours/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Save channels' }));
  await screen.findByText('Channels saved');
  await userEvent.click(screen.getByRole('button', { name: 'Turn off push messages: Firefox on Android' }));
  await screen.findByText('Push messages turned off');

  const body = calls.find(({ method }) => method === 'PUT')?.body as Pick<OutreachSettings, 'choices' | 'quietHours'>;
  expect(body.quietHours).toEqual({ begins: '22:00', ends: '07:00' });
  expect(body.choices).toContainEqual({ topic: 'REPORT_READY', channel: 'MAIL', isWanted: true });
  expect(calls.find(({ method }) => method === 'DELETE')?.url.pathname).toBe('/api/outreach/devices/d1');
});

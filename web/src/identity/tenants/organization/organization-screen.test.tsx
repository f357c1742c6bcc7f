import { ownOrganization, type OrganizationSettings } from '@radwork/contract/identity/tenants';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, refuse, signIn, visit } from '#test/screen.tsx';

const stored = (more: Partial<OrganizationSettings> = {}): OrganizationSettings => ({
  name: 'North Clinic',
  timeZone: 'Europe/Berlin',
  locale: 'de-DE',
  productName: '',
  recycleBinDays: 30,
  auditYears: 6,
  referrersSee: 'OWN',
  secondFactorPolicy: 'OPTIONAL',
  contradictingPatients: 'REFUSE_TWO',
  uploadIssuer: '',
  revision: 3,
  subdomain: 'north',
  storedBytes: 512 * 2 ** 20,
  storageQuotaBytes: 2 ** 30,
  ...more,
});

const open = async (...answers: Parameters<typeof visit>[1][]) => {
  signIn('ADMIN');
  const view = visit(
    '/organization',
    answer(ownOrganization.read, () => stored()),
    ...answers,
  );
  await screen.findByRole('heading', { name: 'Identity' });
  return view;
};

const saved = (calls: { method: string; body: unknown }[]) => calls.filter(({ method }) => method === 'PUT');
const saveButton = () => screen.getByRole('button', { name: 'Save' });

test('changes to the organization are saved with the revision that was loaded', async () => {
  const { calls } = await open(answer(ownOrganization.save, () => stored({ recycleBinDays: 60, revision: 4 })));
  expect(saveButton()).toHaveProperty('disabled', true);
  expect(screen.getByText('512.00 MB')).toBeDefined();

  const days = screen.getByLabelText('Recycle bin');
  await userEvent.clear(days);
  await userEvent.type(days, '60');
  await userEvent.click(saveButton());

  expect(await screen.findByText('Organization saved')).toBeDefined();
  const { subdomain: _s, storedBytes: _b, storageQuotaBytes: _q, ...form } = stored();
  expect(saved(calls)[0]?.body).toEqual({ ...form, recycleBinDays: 60 });
});

test('turning on all studies for referring physicians asks first', async () => {
  const { calls } = await open(answer(ownOrganization.save, () => stored({ referrersSee: 'ALL', revision: 4 })));

  await userEvent.click(screen.getByRole('radio', { name: 'All studies of the organization' }));
  await userEvent.click(saveButton());
  const question = within(await screen.findByRole('dialog'));
  await userEvent.click(question.getByRole('button', { name: 'Cancel' }));
  expect(saved(calls)).toEqual([]);

  await userEvent.click(saveButton());
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /all studies/ }));

  expect(await screen.findByText('Organization saved')).toBeDefined();
  expect(saved(calls)[0]?.body).toMatchObject({ referrersSee: 'ALL' });
});

test('the rule for files that contradict a patient is saved as chosen', async () => {
  const { calls } = await open(
    answer(ownOrganization.save, () => stored({ contradictingPatients: 'KEEP', revision: 4 })),
  );
  const choices = within(screen.getByRole('radiogroup', { name: 'Files that contradict a patient' }));
  expect(choices.getAllByRole('radio', { checked: true })).toHaveLength(1);
  expect(
    choices.getByRole('radio', { name: /^Reject a file if both the name and the birth date differ/ }),
  ).toHaveProperty('checked', true);

  await userEvent.click(choices.getByRole('radio', { name: /^Keep all/ }));
  await userEvent.type(screen.getByLabelText('Issuer of the patient IDs in uploads'), 'NORTH');
  await userEvent.click(saveButton());

  expect(await screen.findByText('Organization saved')).toBeDefined();
  expect(saved(calls)[0]?.body).toMatchObject({ contradictingPatients: 'KEEP', uploadIssuer: 'NORTH' });
});

test('values outside their range show an error before the organization is saved', async () => {
  const { calls } = await open();
  const days = screen.getByLabelText('Recycle bin');
  await userEvent.clear(days);
  await userEvent.type(days, '3');

  await userEvent.click(saveButton());

  expect(screen.getByText('Use at least 7 days')).toBeDefined();
  expect(saved(calls)).toEqual([]);
});

test('a conflict in the organization overwrites nothing, and the saved settings can be loaded', async () => {
  await open(refuse(ownOrganization.save, 409, 'Another user changed the settings.'));
  await userEvent.type(screen.getByLabelText(/^Product name/), 'NorthView');

  await userEvent.click(saveButton());

  const words = await screen.findAllByText('Another user changed the settings.');
  expect(words.length).toBeGreaterThan(0);
  expect(screen.getByRole('button', { name: 'Reload settings' })).toBeDefined();
  expect(screen.getByDisplayValue('NorthView')).toBeDefined();
});

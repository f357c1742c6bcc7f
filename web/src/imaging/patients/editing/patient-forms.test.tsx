import { patientMerges } from '@radwork/contract/imaging/patient-merges';
import { patients } from '@radwork/contract/imaging/patients';
import { studies } from '@radwork/contract/imaging/studies';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { patientDetails } from '#test/patients.ts';
import { answer, refuse, type SentRequest, signIn, visit } from '#test/screen.tsx';
import { pageOf } from '#test/study-list.tsx';

const { id } = patientDetails();
const patientAnswers = [
  answer(patients.get, () => patientDetails()),
  answer(studies.ofPatient, () => pageOf([])),
  answer(patientMerges.differences, () => []),
];

const sentTo = (calls: SentRequest[], method: string) =>
  calls.filter((sent) => sent.method === method && sent.url.pathname.startsWith('/api/patients'));

const choose = async (label: string, option: string) => {
  await userEvent.click(screen.getByRole('combobox', { name: label }));
  await userEvent.click(await screen.findByRole('option', { name: option }));
};

const fillIn = async () => {
  await userEvent.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Doe, Jane');
  await userEvent.type(screen.getByRole('textbox', { name: /^Patient ID/ }), 'MRN1');
  await choose('Gender', 'Female');
  await userEvent.type(screen.getByRole('textbox', { name: /^Date of birth/ }), '1961-04-30');
};

test('a new patient is sent as typed and then opened', async () => {
  signIn();
  const { calls, address } = visit(
    '/patients/create',
    answer(patients.create, () => patientDetails()),
    ...patientAnswers,
  );
  await fillIn();

  await userEvent.click(screen.getByRole('button', { name: 'Create patient' }));

  await waitFor(() => expect(address()).toBe(`/patients/${id}`));
  expect(sentTo(calls, 'POST')[0]?.body).toEqual({
    patientName: 'Doe, Jane',
    patientId: 'MRN1',
    issuer: '',
    gender: 'F',
    dateOfBirth: '1961-04-30',
    address: '',
    phoneNumber: '',
    email: '',
  });
});

test('the patient form shows missing values at their fields before sending', async () => {
  signIn();
  const { calls } = visit('/patients/create');
  await userEvent.type(await screen.findByRole('textbox', { name: 'E-mail' }), 'jane');

  await userEvent.click(screen.getByRole('button', { name: 'Create patient' }));

  for (const fault of [
    'Name is required',
    'Patient ID is required',
    'Gender must be male, female or other',
    'Date of birth is required',
    'Please enter a valid email',
  ]) {
    expect(await screen.findByText(fault)).toBeDefined();
  }
  expect(sentTo(calls, 'POST')).toEqual([]);
});

test('a Patient ID that is already used leads to the patient who has it', async () => {
  signIn();
  const message = 'A patient with this ID already exists';
  visit(
    '/patients/create',
    refuse(patients.create, 409, message, {
      errors: [
        { field: 'patientId', message },
        { field: 'existingId', message: 'p-77' },
      ],
    }),
  );
  await fillIn();

  await userEvent.click(screen.getByRole('button', { name: 'Create patient' }));

  const link = await screen.findByRole('link', { name: 'Open patient' });
  expect(link.getAttribute('href')).toBe('/patients/p-77');
});

test('a failure without a server message shows a default message', async () => {
  signIn();
  visit('/patients/create', {
    method: 'POST',
    path: /^\/api\/patients$/,
    reply: () => new Response('<html>', { status: 502 }),
  });
  await fillIn();

  await userEvent.click(screen.getByRole('button', { name: 'Create patient' }));

  const words = await screen.findAllByText('Failed to create patient. Please try again.');
  expect(words.length).toBeGreaterThan(0);
});

test('a failed update without a server message shows a default message', async () => {
  signIn();
  visit(
    `/patients/${id}/edit`,
    answer(patients.get, () => patientDetails()),
    {
      method: 'PUT',
      path: new RegExp(`^/api/patients/${id}$`),
      reply: () => new Response('<html>', { status: 502 }),
    },
  );
  await userEvent.type(await screen.findByRole('textbox', { name: 'E-mail' }), 'chidi@example.org');

  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));

  const words = await screen.findAllByText('Failed to update patient. Please try again.');
  expect(words.length).toBeGreaterThan(0);
});

test('the sex of a new patient is male, female or other', async () => {
  signIn();
  visit('/patients/create');

  await userEvent.click(await screen.findByRole('combobox', { name: 'Gender' }));

  const options = await screen.findAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual(['Male', 'Female', 'Other']);
});

test("a conflict shows the other user's values next to the typed ones, and the user can keep either", async () => {
  signIn();
  let isChanged = false;
  const { calls } = visit(
    `/patients/${id}/edit`,
    answer(patients.get, () =>
      isChanged ? patientDetails({ revision: 2, phoneNumber: '+1 555 9999' }) : patientDetails(),
    ),
    {
      method: 'PUT',
      path: new RegExp(`^/api/patients/${id}$`),
      reply: () => {
        isChanged = true;
        return Response.json({ code: 409, error: 'patient.changed', message: 'Changed' }, { status: 409 });
      },
    },
  );
  const email = await screen.findByRole('textbox', { name: 'E-mail' });
  await userEvent.type(email, 'chidi@example.org');
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));

  const differences = within(await screen.findByRole('table'));
  expect(differences.getByRole('row', { name: 'E-mail chidi@example.org –' })).toBeDefined();
  expect(differences.getByRole('row', { name: 'Phone +1 555 0142 +1 555 9999' })).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Keep my values' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));

  await waitFor(() => expect(sentTo(calls, 'PUT')).toHaveLength(2));
  expect(sentTo(calls, 'PUT').at(-1)?.body).toMatchObject({
    revision: 2,
    email: 'chidi@example.org',
    phoneNumber: '+1 555 0142',
  });
});

test('a patient that fails to load for editing shows an error', async () => {
  signIn();
  visit(`/patients/${id}/edit`, refuse(patients.get, 500, 'Server error occurred'));

  expect(await screen.findByText('Failed to fetch patient data.')).toBeDefined();
});

const renumbering = async (overrides: Parameters<typeof patientDetails>[0]) => {
  signIn();
  const { calls } = visit(
    `/patients/${id}/edit`,
    answer(patients.get, () => patientDetails(overrides)),
    answer(patients.update, () => patientDetails(overrides)),
    ...patientAnswers,
  );
  const patientId = await screen.findByRole('textbox', { name: /^Patient ID/ });
  await userEvent.clear(patientId);
  await userEvent.type(patientId, 'MRN2');
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  return calls;
};

test('changing a Patient ID with studies asks the user what happens to the former Patient ID', async () => {
  const calls = await renumbering({ studyCount: 1 });

  expect(await screen.findByText('Choose whether to keep the former ID')).toBeDefined();
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: /Keep for this patient/ }));
  expect(sentTo(calls, 'PUT')).toEqual([]);
  await userEvent.click(screen.getByRole('radio', { name: /Release the ID, it was a mistake/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));

  await waitFor(() => expect(sentTo(calls, 'PUT')).toHaveLength(1));
  expect(sentTo(calls, 'PUT')[0]?.body).toMatchObject({ patientId: 'MRN2', isFormerIdKept: false });
});

test('changing a Patient ID without studies asks nothing', async () => {
  const calls = await renumbering({ studyCount: 0 });

  await waitFor(() => expect(sentTo(calls, 'PUT')).toHaveLength(1));
  expect(screen.queryByRole('radio')).toBeNull();
});

import { pageOf } from '@radwork/contract/core/paging';
import { type PatientDetails, type PatientRow, patients } from '@radwork/contract/imaging/patients';
import { studies } from '@radwork/contract/imaging/studies';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, refuse, signIn, visit } from '#test/screen.tsx';
import { studyPageAnswers } from '#test/study-page.ts';
import { studyDetails } from '#test/studies.ts';

type Answers = Parameters<typeof visit>[1][];

const ada: PatientRow = {
  id: '0190aaaa-0000-7000-8000-000000000002',
  patientId: 'MRN0042',
  issuer: '',
  patientName: 'Phantom, Ada',
  gender: 'F',
  dateOfBirth: '1961-03-02',
  phoneNumber: '',
  email: '',
  studyCount: 1,
  lastStudyDate: null,
  priority: null,
};

const adaInFull: PatientDetails = {
  ...ada,
  revision: 1,
  address: '',
  portalAccess: { isActive: false },
  createdDate: '2026-11-20T13:10:00Z',
  lastModifiedDate: '2026-11-20T13:10:00Z',
  formerIdentifiers: [],
  mergedInto: null,
  studies: [],
};

const register = async (address = '/studies/create?form=register', ...answers: Answers) => {
  signIn();
  const page = visit(
    address,
    ...answers,
    answer(patients.list, () => ({ ...pageOf([ada], 1, { page: 0, size: 8 }), isTotalExact: true })),
    answer(patients.get, () => adaInFull),
    ...studyPageAnswers(studyDetails()),
  );
  await screen.findByRole('heading', { level: 1, name: 'Register study' });
  return { ...page, user: userEvent.setup() };
};

const choose = async (user: ReturnType<typeof userEvent.setup>, label: string, option: string) => {
  await user.click(screen.getByRole('combobox', { name: label }));
  await user.click(await screen.findByRole('option', { name: option }));
};

const posted = (calls: { method: string; url: URL; body: unknown }[]) =>
  calls.find(({ method, url }) => method === 'POST' && url.pathname === '/api/studies')?.body;

test('the upload screen links to the form without images', async () => {
  signIn();
  const { address } = visit('/studies/create');
  const user = userEvent.setup();

  await user.click(await screen.findByRole('link', { name: 'Register without images' }));

  expect(await screen.findByRole('heading', { level: 1, name: 'Register study' })).toBeDefined();
  expect(address()).toBe('/studies/create?form=register');
  expect(document.title).toMatch(/^Register study · /);
});

test('a user can search for an existing patient and choose the patient by identifying details', async () => {
  const { user, calls, address } = await register(
    undefined,
    answer(studies.create, () => studyDetails()),
  );

  await user.type(screen.getByRole('combobox', { name: 'Patient' }), 'phan');
  await user.click(await screen.findByRole('option', { name: /Phantom, Ada.*MRN0042/ }));
  expect(await screen.findByText('MRN0042 · Female · born 1961-03-02')).toBeDefined();
  await choose(user, 'Modality', 'CT');
  await user.type(screen.getByLabelText('Study date'), '2026-11-20 14:05');
  await user.click(screen.getByRole('button', { name: 'Register study' }));

  await waitFor(() => expect(address()).toBe(`/studies/${studyDetails().id}`));
  expect(posted(calls)).toMatchObject({
    existingPatientId: ada.id,
    modality: 'CT',
    studyDate: '2026-11-20T14:05',
    priority: 'ROUTINE',
    accessionNumber: '',
  });
  expect(posted(calls)).not.toHaveProperty('newPatient');
});

test('a patient named in the address is already chosen', async () => {
  await register(`/studies/create?form=register&patientId=${ada.id}`);

  expect(await screen.findByText('Phantom, Ada')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Change' })).toBeDefined();
});

test('a new patient can be entered in the form for the study', async () => {
  const { user, calls } = await register(
    undefined,
    answer(studies.create, () => studyDetails()),
  );

  await user.click(screen.getByRole('radio', { name: 'New patient' }));
  await user.type(screen.getByLabelText(/^Name/), 'Phantom, Ada');
  await user.type(screen.getByLabelText(/^Patient ID/), 'MRN0043');
  await choose(user, 'Gender', 'Female');
  await user.type(screen.getByLabelText(/^Date of birth/), '1961-03-02');
  await choose(user, 'Modality', 'US');
  await user.click(screen.getByRole('button', { name: 'Register study' }));

  await waitFor(() => expect(posted(calls)).toBeDefined());
  expect(posted(calls)).toMatchObject({
    newPatient: { patientName: 'Phantom, Ada', patientId: 'MRN0043', gender: 'F', dateOfBirth: '1961-03-02' },
    modality: 'US',
  });
  expect(posted(calls)).not.toHaveProperty('existingPatientId');
});

test('the form reports all missing values together and sends nothing', async () => {
  const { user, calls } = await register();

  await user.click(screen.getByRole('button', { name: 'Register study' }));

  expect(await screen.findByText('Choose a patient or enter a new patient')).toBeDefined();
  expect(screen.getByText('Modality is required')).toBeDefined();
  expect(posted(calls)).toBeUndefined();
});

test('a server error about a new study appears at its field', async () => {
  const message = 'A patient with this ID already exists. Choose that patient.';
  const errors = [{ field: 'newPatient.patientId', message }];
  const { user } = await register(undefined, refuse(studies.create, 422, message, { errors }));

  await user.click(screen.getByRole('radio', { name: 'New patient' }));
  await user.type(screen.getByLabelText(/^Name/), 'Phantom, Ada');
  await user.type(screen.getByLabelText(/^Patient ID/), 'MRN0042');
  await choose(user, 'Gender', 'Female');
  await user.type(screen.getByLabelText(/^Date of birth/), '1961-03-02');
  await choose(user, 'Modality', 'US');
  await user.click(screen.getByRole('button', { name: 'Register study' }));

  const field = await screen.findByRole('textbox', { name: /^Patient ID/, description: message });
  expect(field.getAttribute('aria-invalid')).toBe('true');
});

test('unsaved text about one patient does not appear in the form of another patient', async () => {
  const bo = { ...adaInFull, id: '0190aaaa-0000-7000-8000-000000000009', patientName: 'Phantom, Bo' };
  const { user } = await register(`/studies/create?form=register&patientId=${ada.id}`);
  await user.type(screen.getByLabelText('Clinical history'), 'Known metastases');

  const second = visit(
    `/studies/create?form=register&patientId=${bo.id}`,
    answer(patients.get, ({ url }) => (url.pathname.endsWith(bo.id) ? bo : adaInFull)),
  );
  const other = within(second.container);

  expect(await other.findByText('Phantom, Bo')).toBeDefined();
  expect(other.getByLabelText<HTMLTextAreaElement>('Clinical history').value).toBe('');
  expect(other.queryByText('Your unsaved entries were restored.')).toBeNull();
});

test('leaving a form with input asks first', async () => {
  const { user, address } = await register();
  await user.type(screen.getByLabelText('Description'), 'Knee');

  await user.click(screen.getByRole('link', { name: 'Upload images instead' }));

  const question = within(await screen.findByRole('dialog'));
  expect(question.getByText('Leave without registering?')).toBeDefined();
  expect(address()).toBe('/studies/create?form=register');
});

test('two patients with the same name and ID are distinguished by issuer', async () => {
  const unknown = { ...ada, patientName: 'Unknown', patientId: '1', dateOfBirth: null };
  const two = [
    { ...unknown, issuer: 'HARBOUR' },
    { ...unknown, id: '0190aaaa-0000-7000-8000-000000000003', issuer: 'HILL', formerId: 'E-7' },
  ];
  const { user } = await register(
    undefined,
    answer(patients.list, () => ({ ...pageOf(two, 2, { page: 0, size: 8 }), isTotalExact: true })),
    answer(patients.get, () => ({ ...adaInFull, ...two[1] })),
  );

  await user.type(screen.getByRole('combobox', { name: 'Patient' }), 'unknown');
  const options = (await screen.findAllByRole('option', { name: /Unknown/ })).map(({ textContent }) => textContent);
  await user.click(screen.getByRole('option', { name: /HILL/ }));

  expect(options).toEqual([
    'Unknown1 · HARBOUR · Female · birth date unknown',
    'Unknown1 · formerly E-7 · HILL · Female · birth date unknown',
  ]);
  expect(await screen.findByText(/^1 · .*HILL · Female/)).toBeDefined();
});

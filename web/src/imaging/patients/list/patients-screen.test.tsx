import { patientMerges } from '@radwork/contract/imaging/patient-merges';
import { patientExport, patients } from '@radwork/contract/imaging/patients';
import { studies } from '@radwork/contract/imaging/studies';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { patientDetails, patientPage, patientRow } from '#test/patients.ts';
import { answer, answerBytes, refuse, signIn, visit } from '#test/screen.tsx';
import { pageOf, study } from '#test/study-list.tsx';
import { typeAtOnce } from '#test/insert-typed-text.ts';

const open = async (address: string, rows = [patientRow()], total = rows.length) => {
  signIn();
  const view = visit(
    address,
    answer(patients.list, ({ url }) => patientPage(rows, total, Number(url.searchParams.get('page')))),
    answer(studies.ofPatient, () => pageOf([study({ description: 'Follow-up' })])),
  );
  await screen.findByRole('heading', { name: 'Patient Management' });
  const searches = () =>
    view.calls.filter(({ url }) => url.pathname === '/api/patients').map(({ url }) => url.searchParams);
  return { ...view, searches };
};

const row = async (name: string) => within(await screen.findByRole('row', { name: new RegExp(name) }));

test('a row of the patient list shows the patient, the counts and the priority', async () => {
  await open('/patients');

  const cells = await row('Bergström');

  expect(cells.getByRole('link', { name: 'Bergström, Chidi' }).getAttribute('href')).toBe(
    `/patients/${patientRow().id}`,
  );
  for (const text of ['MRN1', 'Male', '+1 555 0142', '3', '2026-11-20 09:30', 'High']) {
    expect(cells.getByText(text)).toBeDefined();
  }
});

test('the patient list is exported with its filters and the file name of the server', async () => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined }));
  signIn();
  const { calls } = visit(
    '/patients?searchQuery=berg&page=2&minAge=0&maxAge=40',
    answer(patients.list, () => patientPage([patientRow()], 21, 2)),
    answerBytes(patientExport.path, () => new Response('"Patient Name"')),
  );

  await userEvent.click(await screen.findByRole('button', { name: 'Export CSV' }));

  expect(await screen.findByText('Patients exported. The audit log records the export.')).toBeDefined();
  const query = calls.find(({ url }) => url.pathname === patientExport.path)?.url.searchParams ?? [];
  expect(Object.fromEntries(query)).toEqual({
    searchQuery: 'berg',
    minAge: '0',
    maxAge: '40',
    sort: 'patientName,asc',
  });
});

test('a user who may not export lists sees no export of patients', async () => {
  signIn('REFERRING_PHYSICIAN');
  visit(
    '/patients',
    answer(patients.list, () => patientPage([patientRow()], 1, 0)),
  );

  expect(await screen.findByRole('row', { name: /Bergström/ })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Export CSV' })).toBeNull();
});

test('a patient found by a former Patient ID is listed with that ID', async () => {
  await open('/patients?searchQuery=OLD-7', [patientRow({ formerId: 'OLD-7' })]);

  expect((await row('Bergström')).getByText('was OLD-7')).toBeDefined();
});

test('a patient with an identity question has a mark that names the other person', async () => {
  await open('/patients', [patientRow({ identity: { otherName: 'Kowalski, Piotr', contradictions: ['NAME'] } })]);

  const mark = (await row('Bergström')).getByText('Identity to be confirmed');
  expect(mark.closest('[title]')?.getAttribute('title')).toBe('Bergström, Chidi or Kowalski, Piotr');
});

test('when the requested page no longer exists, the last page opens', async () => {
  signIn();
  const { address } = visit(
    '/patients?page=7',
    answer(patients.list, ({ url }) =>
      patientPage(url.searchParams.get('page') === '7' ? [] : [patientRow()], 11, Number(url.searchParams.get('page'))),
    ),
  );

  await waitFor(() => expect(address()).toBe('/patients?page=1'));
});

test.each([
  ['STAT', 'High'],
  ['URGENT', 'Medium'],
  ['ROUTINE', 'Low'],
] as const)('a patient whose most urgent open study is %s has priority %s', async (priority, label) => {
  await open('/patients', [patientRow({ priority })]);

  expect((await row('Bergström')).getByText(label)).toBeDefined();
});

test('a patient without an open study has no priority', async () => {
  await open('/patients', [patientRow({ priority: null })]);

  const cells = await row('Bergström');

  for (const label of ['High', 'Medium', 'Low']) expect(cells.queryByText(label)).toBeNull();
});

test('the patient list has the filters of the server', async () => {
  await open('/patients');

  const gender = within(await screen.findByLabelText('Gender')).getAllByRole('option');

  expect(gender.map((option) => option.getAttribute('value'))).toEqual(['', 'M', 'F', 'O']);
  for (const label of ['Search patients', 'From age', 'To age', 'Study from', 'Study to', 'Sort']) {
    expect(screen.getByLabelText(label)).toBeDefined();
  }
  const sizes = within(screen.getByLabelText('Entries per page')).getAllByRole('option');
  expect(sizes.map(({ textContent }) => textContent)).toEqual(['10 / page', '25 / page', '50 / page', '100 / page']);
});

test('the address of the list contains search and filters, and an unchanged age range is not sent', async () => {
  const { searches } = await open('/patients?searchQuery=berg&gender=F&fromDate=2026-01-01&size=25&sort=gender,desc');
  await screen.findByRole('link', { name: 'Bergström, Chidi' });

  expect(Object.fromEntries(searches()[0] ?? [])).toEqual({
    searchQuery: 'berg',
    gender: 'F',
    fromDate: '2026-01-01',
    page: '0',
    size: '25',
    sort: 'gender,desc',
  });
  expect(screen.getByLabelText('From age')).toHaveProperty('value', '0');
  expect(screen.getByLabelText('To age')).toHaveProperty('value', '100');
});

test('the list sends an age range once the user changes either end', async () => {
  const { address } = await open('/patients');
  const field = screen.getByLabelText('From age');

  await userEvent.clear(field);
  await userEvent.type(field, '40');

  await waitFor(() => expect(address()).toBe('/patients?minAge=40'));
});

test('a lowest age above the highest shows an error and is not sent', async () => {
  const { searches } = await open('/patients?maxAge=30');
  const field = screen.getByLabelText('From age');

  await userEvent.clear(field);
  await userEvent.type(field, '40');

  expect(await screen.findByText('The lowest age must not exceed the highest age')).toBeDefined();
  expect(searches().some((params) => params.has('minAge', '40'))).toBe(false);
});

test('typing in the patient search searches after a pause, from the first page', async () => {
  const { address, searches } = await open('/patients?page=2', [patientRow()], 47);
  await screen.findByText('Showing 21 to 30 of 47 entries');

  typeAtOnce(screen.getByPlaceholderText('Search patients...'), 'ber');

  await waitFor(() => expect(address()).toBe('/patients?searchQuery=ber'));
  expect(searches().map((params) => params.get('searchQuery'))).toEqual([null, 'ber']);
});

test('a search that waits for the end of typing does not close a patient opened in the meantime', async () => {
  signIn();
  const details = patientDetails();
  const { address } = visit(
    '/patients',
    answer(patients.list, () => patientPage([patientRow()])),
    answer(patients.get, () => details),
    answer(studies.ofPatient, () => pageOf([])),
    answer(patientMerges.differences, () => []),
  );
  const link = await screen.findByRole('link', { name: 'Bergström, Chidi' });

  typeAtOnce(screen.getByPlaceholderText('Search patients...'), 'b');
  fireEvent.click(link);

  expect(await screen.findByRole('heading', { name: /^Bergström, Chidi/ })).toBeDefined();
  expect(address()).toBe(`/patients/${details.id}`);
});

test('a change of gender, sort order or page size applies at once', async () => {
  const { address } = await open('/patients', [patientRow()], 200);

  await userEvent.selectOptions(await screen.findByLabelText('Gender'), 'Female');
  await waitFor(() => expect(address()).toBe('/patients?gender=F'));
  await userEvent.selectOptions(screen.getByLabelText('Sort'), 'Age, youngest first');
  await waitFor(() => expect(address()).toBe('/patients?gender=F&sort=dateOfBirth%2Cdesc'));
  await userEvent.selectOptions(screen.getByLabelText('Entries per page'), '100 / page');

  await waitFor(() => expect(address()).toBe('/patients?gender=F&sort=dateOfBirth%2Cdesc&size=100'));
});

test('a row of the patient list expands to the latest studies', async () => {
  await open('/patients');

  await userEvent.click(await screen.findByRole('button', { name: 'Show latest studies' }));

  const latest = within(await screen.findByRole('list', { name: 'Latest studies' }));
  expect(latest.getByRole('link', { name: 'Follow-up' }).getAttribute('href')).toBe(`/studies/${study().id}`);
});

test('an empty patient list offers to create a patient, and filters without matches can be cleared', async () => {
  const { address } = await open('/patients', []);
  expect(await screen.findByText('No patients yet')).toBeDefined();
  await userEvent.selectOptions(screen.getByLabelText('Gender'), 'Female');

  await userEvent.click(await screen.findByRole('button', { name: 'Clear filters' }));

  await waitFor(() => expect(address()).toBe('/patients'));
});

test('a patient list that fails to load shows the reason and a retry', async () => {
  signIn();
  visit('/patients', refuse(patients.list, 500, 'Server error occurred'));

  const alert = within(await screen.findByRole('alert'));

  expect(alert.getByText('Failed to fetch patients. Please try again.')).toBeDefined();
  expect(alert.getByText('Server error occurred')).toBeDefined();
  expect(alert.getByRole('button', { name: 'Retry' })).toBeDefined();
});

test('deleting a patient asks first, and a refusal stays on the screen', async () => {
  signIn();
  const { calls } = visit(
    '/patients',
    answer(patients.list, () => patientPage([patientRow()])),
    refuse(patients.remove, 409, 'This patient has studies and cannot be deleted.'),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Delete Bergström, Chidi' }));
  expect(calls.some(({ method }) => method === 'DELETE')).toBe(false);

  await userEvent.click(await screen.findByRole('button', { name: 'Delete patient' }));

  const alerts = await screen.findAllByText('This patient has studies and cannot be deleted.');
  expect(alerts.length).toBeGreaterThan(0);
});

test('a failed deletion without a server message shows a default message', async () => {
  signIn();
  visit(
    '/patients',
    answer(patients.list, () => patientPage([patientRow()])),
    { method: 'DELETE', path: /^\/api\/patients\//, reply: () => new Response('<html>', { status: 502 }) },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Delete Bergström, Chidi' }));

  await userEvent.click(await screen.findByRole('button', { name: 'Delete patient' }));

  const words = await screen.findAllByText('Failed to delete patient. Please try again.');
  expect(words.length).toBeGreaterThan(0);
});

test('a user who may only read patients sees no buttons to change them', async () => {
  signIn('REFERRING_PHYSICIAN');
  visit(
    '/patients',
    answer(patients.list, () => patientPage([patientRow()])),
  );

  await screen.findByRole('link', { name: 'Bergström, Chidi' });

  expect(screen.queryByRole('link', { name: 'Create patient' })).toBeNull();
  expect(screen.queryByRole('button', { name: /Delete/ })).toBeNull();
});

test('rows of the patient list do not move under the pointer when a patient is registered', async () => {
  const [first, second] = [patientRow({ id: 'p1', patientName: 'One' }), patientRow({ id: 'p2', patientName: 'Two' })];
  const rows = [first, second];
  const { client } = await open('/patients', rows);
  const names = () =>
    screen.getAllByRole('rowheader').map(({ textContent }) => /One|Two|New/.exec(textContent ?? '')?.[0]);
  await userEvent.hover(await screen.findByRole('link', { name: 'Two' }));

  rows.unshift(patientRow({ id: 'p3', patientName: 'New' }));
  await act(() => client.invalidateQueries({ queryKey: ['patients'] }));

  expect(await screen.findByText('The list has changed.')).toBeDefined();
  expect(names()).toEqual(['One', 'Two']);
});

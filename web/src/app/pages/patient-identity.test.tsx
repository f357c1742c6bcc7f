import { type Duplicate, type PatientMerge, patientMerges } from '@radwork/contract/imaging/patient-merges';
import { patients } from '@radwork/contract/imaging/patients';
import { studies } from '@radwork/contract/imaging/studies';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { patientDetails, patientPage, patientRow } from '#test/patients.ts';
import { answer, refuse, type SentRequest, signIn, visit } from '#test/screen.tsx';
import { pageOf } from '#test/study-list.tsx';
// Loads the screen in advance, because the first test would otherwise wait for it.
import './patient-page.tsx';

const survivor = patientDetails();
const source = patientDetails({ id: '01a1fe1f-0000-7000-8000-00000000000b', patientId: 'MRN2', revision: 4 });
const { id } = survivor;

const duplicate: Duplicate = {
  patient: patientRow({ id: source.id, patientId: 'MRN2' }),
  reasons: ['SAME_NAME'],
  contradictions: ['gender'],
};

const merged: PatientMerge = {
  id: '01a1fe1f-0000-7000-8000-00000000000c',
  kind: 'MERGE',
  survivor: { id, patientName: 'Bergström, Chidi', patientId: 'MRN1' },
  source: { id: source.id, patientName: 'Bergstrom, C', patientId: 'MRN2' },
  studyCount: 2,
  signedSince: 0,
  madeBy: 'Mona Haddad',
  madeDate: '2026-11-20T10:00:00Z',
  undoneDate: null,
  undoUntil: '2026-12-20T10:00:00Z',
  reason: '',
};

const preview = answer(patientMerges.previewMerge, () => ({
  survivor,
  source,
  differences: [{ field: 'phoneNumber' as const, survivor: '555-1', source: '555-2', kept: 'survivor' as const }],
  contradictions: [],
  moves: { studies: 2, reports: 1, identifiers: [{ patientId: 'MRN2', issuer: '' }] },
}));

const open = (...more: Parameters<typeof visit>[1][]) => {
  signIn('ADMIN');
  return visit(
    `/patients/${id}`,
    ...more,
    answer(patients.get, () =>
      patientDetails({
        studies: [{ id: 's1', studyInstanceUID: '1.2', studyDate: null, modality: 'CT', description: 'Chest' }],
      }),
    ),
    answer(studies.ofPatient, () => pageOf([])),
    answer(patientMerges.differences, () => []),
    answer(patientMerges.duplicates, () => [duplicate]),
    answer(patientMerges.history, () => [merged]),
  );
};

const posted = (calls: SentRequest[]) =>
  calls.filter(({ method, url }) => method === 'POST' && url.pathname.startsWith('/api/patients'));

const openMenu = async (item: string) => {
  await userEvent.click(await screen.findByRole('button', { name: 'More actions' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: item }));
};

test('the user finds another record, merges both with chosen values, and can undo the merge', async () => {
  const { calls } = open(
    answer(patients.list, () => patientPage([patientRow(), patientRow({ id: source.id, patientId: 'MRN2' })])),
    preview,
    answer(patientMerges.merge, () => merged),
    answer(patientMerges.undo, () => merged),
  );
  await openMenu('Merge another record into this one');
  await userEvent.type(await screen.findByRole('searchbox', { name: 'Other record of the same person' }), 'berg');
  const results = within(await screen.findByRole('list', { name: 'Patients found' }));
  await userEvent.click(await results.findByRole('button', { name: /MRN2/ }));

  expect(await screen.findByText(/receives 2 studies, 1 report and the ID MRN2/)).toBeDefined();
  await userEvent.click(screen.getByRole('radio', { name: '555-2' }));
  await userEvent.click(screen.getByRole('button', { name: 'Merge records' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));

  expect(results.queryByRole('button', { name: /MRN1/ })).toBeNull();
  await waitFor(() => expect(posted(calls)).toHaveLength(2));
  expect(posted(calls)[0]?.body).toEqual({
    sourceId: source.id,
    revision: 1,
    sourceRevision: 4,
    keep: { phoneNumber: 'source' },
    isOnePerson: false,
  });
  expect(posted(calls)[1]?.url.pathname).toBe(`/api/patients/${id}/merges/${merged.id}/undo`);
});

test('records with different birth date or gender merge only after the user confirms that they are one person', async () => {
  const difference = { survivor: '1961-04-12', source: '1970-01-01', kept: 'survivor' as const };
  const message = 'The records differ in date of birth.';
  let isRefused = true;
  const { calls } = open(
    answer(patientMerges.previewMerge, () => ({
      survivor,
      source,
      differences: [{ ...difference, field: 'dateOfBirth' as const }],
      contradictions: ['dateOfBirth' as const],
      moves: { studies: 2, reports: 1, identifiers: [] },
    })),
    {
      method: 'POST',
      path: new RegExp(`^/api/patients/${id}/merges$`),
      reply: () => {
        const errors = [{ field: 'isOnePerson', message }];
        const refused = Response.json({ code: 422, error: 'form.invalid', message, errors }, { status: 422 });
        return isRefused ? refused : Response.json({ code: 200, data: merged });
      },
    },
  );
  await userEvent.click(await screen.findByRole('tab', { name: 'Identity' }));
  await userEvent.click(await screen.findByRole('button', { name: /Compare and merge with/ }));
  expect(await screen.findByText(/The records contradict each other: Date of birth/)).toBeDefined();

  await userEvent.click(screen.getByRole('button', { name: 'Merge records' }));
  const dialog = within(screen.getByRole('dialog'));
  expect(await dialog.findByText(message)).toBeDefined();
  isRefused = false;
  await userEvent.click(dialog.getByRole('checkbox', { name: /The records are of the same person/ }));
  await userEvent.click(dialog.getByRole('button', { name: 'Merge records' }));

  await waitFor(() => expect(posted(calls)).toHaveLength(2));
  expect(posted(calls).map(({ body }) => body)).toMatchObject([{ isOnePerson: false }, { isOnePerson: true }]);
});

test('a refused merge shows the reason in the dialog', async () => {
  open(preview, refuse(patientMerges.merge, 409, 'Another user changed patient MRN2'));
  await userEvent.click(await screen.findByRole('tab', { name: 'Identity' }));
  await userEvent.click(await screen.findByRole('button', { name: /Compare and merge with/ }));

  await userEvent.click(await screen.findByRole('button', { name: 'Merge records' }));

  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText('Another user changed patient MRN2')).toBeDefined();
});

test('a study moves to another patient after the user has seen both patients', async () => {
  const { calls } = open(
    answer(patients.list, () => patientPage([patientRow({ id: source.id, patientId: 'MRN2' })])),
    answer(patientMerges.previewMove, () => ({
      study: { id: 's1', revision: 7, description: 'Chest', modality: 'CT', studyDate: null, accessionNumber: '' },
      from: survivor,
      to: source,
      moves: { studies: 1, reports: 1, signedReports: 0, links: 0 },
      nameToConfirm: 'Bergstrom, C',
      differences: [{ field: 'dateOfBirth' as const, survivor: '1961-04-12', source: '1970-01-01' }],
    })),
    answer(patientMerges.move, () => ({ ...merged, kind: 'MOVE' as const })),
  );
  await openMenu('Move a study to another patient');
  await userEvent.type(await screen.findByRole('searchbox', { name: 'Patient of the study' }), 'berg');
  await userEvent.click(await screen.findByRole('button', { name: /MRN2/ }));

  expect(await screen.findByText(/The patients differ in these fields: Date of birth/)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Move study' }));

  await waitFor(() => expect(posted(calls)).toHaveLength(1));
  expect(posted(calls)[0]).toMatchObject({
    body: { studyId: 's1', studyRevision: 7, fromId: id, toRevision: source.revision },
  });
});

test('the dialog moves the study that it shows, even if the list of studies changed meanwhile', async () => {
  const study = (studyId: string, description: string) =>
    ({ id: studyId, studyInstanceUID: '1.2', studyDate: null, modality: 'CT', description }) as const;
  let isUndone = false;
  const { calls } = open(
    answer(patients.get, () => patientDetails({ studies: isUndone ? [study('s2', 'Knee')] : [study('s1', 'Chest')] })),
    answer(patientMerges.undo, () => {
      isUndone = true;
      return merged;
    }),
    answer(patients.list, () => patientPage([patientRow({ id: source.id, patientId: 'MRN2' })])),
    refuse(patientMerges.previewMove, 500, 'Server error occurred'),
  );
  await userEvent.click(await screen.findByRole('tab', { name: 'Identity' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Undo merge' }));
  await openMenu('Move a study to another patient');
  const dialog = within(await screen.findByRole('dialog', { name: 'Move a study to another patient' }));
  await dialog.findByRole('option', { name: 'No date · CT · Knee' });
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Study' }), 'No date · CT · Knee');

  await userEvent.type(dialog.getByRole('searchbox', { name: 'Patient of the study' }), 'berg');
  await userEvent.click(await dialog.findByRole('button', { name: /MRN2/ }));

  const previewPath = () => calls.find(({ url }) => url.pathname.includes('move-preview'))?.url.pathname;
  await waitFor(() => expect(previewPath()).toBe(`/api/studies/s2/move-preview/${source.id}`));
});

test('a study that arrives does not replace the study that the dialog moves', async () => {
  const study = (studyId: string, description: string) =>
    ({ id: studyId, studyInstanceUID: '1.2', studyDate: null, modality: 'CT', description }) as const;
  let shownStudies = [study('s1', 'Chest')];
  const { calls, client } = open(
    answer(patients.get, () => patientDetails({ studies: shownStudies })),
    answer(patients.list, () => patientPage([patientRow({ id: source.id, patientId: 'MRN2' })])),
    refuse(patientMerges.previewMove, 500, 'Server error occurred'),
  );
  const arrive = async (now: typeof shownStudies) => {
    shownStudies = now;
    await act(() => client.refetchQueries({ queryKey: ['patients', patients.get.path] }));
  };
  await openMenu('Move a study to another patient');
  const dialog = within(await screen.findByRole('dialog', { name: 'Move a study to another patient' }));

  await arrive([study('s2', 'Knee'), study('s1', 'Chest')]);
  await userEvent.type(dialog.getByRole('searchbox', { name: 'Patient of the study' }), 'berg');
  await userEvent.click(await dialog.findByRole('button', { name: /MRN2/ }));
  await arrive([study('s3', 'Hip'), study('s2', 'Knee')]);

  const previewPaths = () =>
    calls.filter(({ url }) => url.pathname.includes('move-preview')).map(({ url }) => url.pathname);
  await waitFor(() => expect(previewPaths()).not.toEqual([]));
  expect(new Set(previewPaths())).toEqual(new Set([`/api/studies/s1/move-preview/${source.id}`]));
});

/** Opens the dialog that moves a study to another patient. The study has a signed report with a share link. */
const openSignedMove = async (...more: Parameters<typeof visit>[1][]) => {
  const { calls } = open(
    answer(patients.list, () => patientPage([patientRow({ id: source.id, patientId: 'MRN2' })])),
    answer(patientMerges.previewMove, () => ({
      study: { id: 's1', revision: 7, description: 'Chest', modality: 'CT', studyDate: null, accessionNumber: '' },
      from: survivor,
      to: source,
      moves: { studies: 1, reports: 1, signedReports: 1, links: 1 },
      nameToConfirm: 'Bergstrom, C',
      differences: [],
    })),
    ...more,
  );
  await openMenu('Move a study to another patient');
  await userEvent.type(await screen.findByRole('searchbox', { name: 'Patient of the study' }), 'berg');
  await userEvent.click(await screen.findByRole('button', { name: /MRN2/ }));
  return calls;
};

test("moving a signed report warns that its text has the former name, and asks for the new patient's name", async () => {
  const calls = await openSignedMove(answer(patientMerges.move, () => ({ ...merged, kind: 'MOVE' as const })));

  expect(await screen.findByText(/Signed text does not change and may name Bergström, Chidi/)).toBeDefined();
  expect(screen.getByText(/1 share link of the study will stop working/)).toBeDefined();
  await userEvent.type(screen.getByRole('textbox', { name: /Name of the new patient.*Bergstrom, C/ }), 'Bergstrom, C');
  await userEvent.click(screen.getByRole('button', { name: 'Move study' }));

  await waitFor(() => expect(posted(calls)[0]).toMatchObject({ body: { confirmedName: 'Bergstrom, C' } }));
});

test('moving a signed report without the typed name shows an error at the field', async () => {
  const message = 'Enter the name of the new patient';
  const errors = [{ field: 'confirmedName', message }];
  await openSignedMove(refuse(patientMerges.move, 422, message, { errors }));

  await userEvent.click(await screen.findByRole('button', { name: 'Move study' }));

  const field = screen.getByRole('textbox', { name: /Name of the new patient/ });
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
  expect(within(screen.getByRole('dialog')).getByText(message)).toBeDefined();
});

test('undoing a merge warns about reports that were signed since the merge', async () => {
  open(answer(patientMerges.history, () => [{ ...merged, signedSince: 2 }]));
  await userEvent.click(await screen.findByRole('tab', { name: 'Identity' }));

  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));

  expect(
    await screen.findByText('2 reports were signed after the merge under the name Bergström, Chidi.'),
  ).toBeDefined();
});

test('the lists of merges and moves show no name of a patient that the user may not see', async () => {
  const nobody = { id: source.id, patientName: '', patientId: '' };
  open(answer(patientMerges.history, () => [{ ...merged, kind: 'MOVE' as const, source: nobody }]));
  await userEvent.click(await screen.findByRole('tab', { name: 'Identity' }));

  expect(
    await screen.findByText(/2 studies of a patient you cannot view moved to Bergström, Chidi \(MRN1\)/),
  ).toBeDefined();
});

test('suggested merges show reasons for and against, and can be undone after a confirmation', async () => {
  const { calls } = open(answer(patientMerges.undo, () => merged));
  await userEvent.click(await screen.findByRole('tab', { name: 'Identity' }));

  expect(await screen.findByText(/same name/)).toBeDefined();
  expect(screen.getByText('Contradictions: Gender')).toBeDefined();
  expect(
    screen.getByText(/Bergstrom, C \(MRN2\) was merged into Bergström, Chidi \(MRN1\), with 2 studies/),
  ).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(posted(calls)).toEqual([]);
  await userEvent.click(await screen.findByRole('button', { name: 'Undo merge' }));

  await waitFor(() => expect(posted(calls)).toHaveLength(1));
});

test('differences in the files appear at the top of the page, and the user accepts or dismisses each', async () => {
  const difference = {
    id: 'd1',
    field: 'patientName' as const,
    recorded: 'Bergström, Chidi',
    arrived: 'Bergström-Lund, Chidi',
    studyId: 's1',
    foundDate: '2026-11-20T10:00:00Z',
  };
  const { calls } = open(
    answer(patientMerges.differences, () => [difference]),
    answer(patientMerges.acceptDifference, () => survivor),
  );
  const list = within(await screen.findByRole('list', { name: 'Differing data in files' }));
  expect(list.getByText('Bergström-Lund, Chidi')).toBeDefined();

  await userEvent.click(list.getByRole('button', { name: 'Accept Name: Bergström-Lund, Chidi' }));

  await waitFor(() => expect(posted(calls)).toHaveLength(1));
  expect(posted(calls)[0]?.body).toEqual({ differenceId: 'd1', revision: 1 });
});

test('a double click resolves only one difference, and the resolved difference stays at its place in the list', async () => {
  const says = (arrived: string) => ({
    id: arrived,
    field: 'patientName' as const,
    recorded: 'Bergström, Chidi',
    arrived,
    studyId: 's1',
    foundDate: '2026-11-20T10:00:00Z',
  });
  let differences = [says('Lund, Chidi'), says('Lind, Chidi')];
  open(
    answer(patientMerges.differences, () => differences),
    answer(patientMerges.acceptDifference, () => {
      differences = differences.slice(1);
      return survivor;
    }),
  );

  await userEvent.click(await screen.findByRole('button', { name: 'Accept Name: Lund, Chidi' }));

  expect(await screen.findByText('Resolved')).toBeDefined();
  const items = screen.getByRole('list', { name: 'Differing data in files' }).querySelectorAll('li');
  expect([...items].map(({ textContent }) => /Lund|Lind/.exec(textContent)?.[0])).toEqual(['Lund', 'Lind']);
  expect(screen.queryByRole('button', { name: 'Accept Name: Lund, Chidi' })).toBeNull();
  await userEvent.unhover(screen.getByText('Resolved'));
  await waitFor(() => expect(screen.queryByText('Lund, Chidi')).toBeNull());
});

test('a user without the permission sees neither merge nor move', async () => {
  signIn('RADIOLOGIST');
  visit(
    `/patients/${id}`,
    answer(patients.get, () => survivor),
    answer(studies.ofPatient, () => pageOf([])),
    answer(patientMerges.differences, () => []),
  );

  await userEvent.click(await screen.findByRole('button', { name: 'More actions' }));

  expect(await screen.findByRole('menuitem', { name: 'Delete patient' })).toBeDefined();
  expect(screen.queryByRole('menuitem', { name: /Merge/ })).toBeNull();
});

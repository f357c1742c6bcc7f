import { type SavedView, savedViews } from '@radwork/contract/imaging/saved-views';
import { studyExport } from '@radwork/contract/imaging/study-export';
import { studies } from '@radwork/contract/imaging/studies';
import { type Group, groups } from '@radwork/contract/identity/groups';
import { workflow } from '@radwork/contract/reading/workflow';
import { bulkChanges, type StudyOutcome } from '@radwork/contract/reading/bulk-changes';
import { studyPreviews } from '@radwork/contract/reading/study-previews';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { answer, answerBytes, refuse, type SentRequest } from '#test/screen.tsx';
import { named, openStudies, pageOf, study } from '#test/study-list.tsx';

const savedView = (overrides: Partial<SavedView> = {}): SavedView => ({
  id: '0190aaaa-0000-4000-8000-0000000000a1',
  name: 'Night',
  search: { where: 'modality.is:CT', sort: 'dueDate,asc' },
  owner: 'USER',
  group: null,
  isDefault: false,
  revision: 1,
  updatedBy: 'Dr Haddad',
  updatedAt: '2026-11-22T09:12:00Z',
  ...overrides,
});

const thorax: Group = {
  id: '0190f6f0-0000-7000-8000-00000000000c',
  name: 'Thorax',
  kind: 'SUBSPECIALTY',
  isLimiting: false,
  arrivalNames: [],
  memberCount: 3,
  viewCount: 0,
  ruleCount: 0,
  isOwn: false,
  revision: 1,
};

const three = () => pageOf([named('One'), named('Two'), named('Three')], 47);

test('conditions of the address are chips that are removed one by one, by keyboard too', async () => {
  const { address, searches } = await openStudies(
    '/studies?where=modality.isNot%3ACT%2CMR%3Bdue.overdue%3Bsize.is%3A4',
    () => pageOf([study()]),
  );
  const filters = within(await screen.findByRole('group', { name: 'Filters' }));

  expect(searches()[0]?.searchParams.get('where')).toBe('modality.isNot:CT,MR;due.overdue');
  expect(filters.getByRole('button', { name: 'Remove Due: overdue' })).toBeDefined();
  filters.getByRole('button', { name: 'Remove Modality is not CT, MR' }).focus();
  await userEvent.keyboard('{Enter}');

  await waitFor(() => expect(address()).toBe('/studies?where=due.overdue'));
  expect(document.activeElement?.textContent).toBe('Add filter');
});

test('a condition is added in a form, which refuses an incomplete one', async () => {
  const { address } = await openStudies('/studies?page=2', () => pageOf([study()], 47, 2));
  await userEvent.click(await screen.findByRole('button', { name: 'Add filter' }));
  const form = within(await screen.findByRole('dialog', { name: 'Add filter' }));

  await userEvent.selectOptions(await form.findByLabelText('Field'), 'Study date');
  await userEvent.selectOptions(form.getByLabelText('Condition'), 'last days');
  await userEvent.click(form.getByRole('button', { name: 'Add filter' }));
  expect(form.getByText('Enter a number from 1 to 3,650')).toBeDefined();
  await userEvent.type(form.getByLabelText('Days'), '7');
  await userEvent.click(form.getByRole('button', { name: 'Add filter' }));

  await waitFor(() => expect(address()).toBe('/studies?where=studyDate.last%3A7'));
  expect(screen.getByRole('button', { name: 'Remove Study date: last 7 days' })).toBeDefined();
});

test('the sort order is a chip that leads back to the order by urgency', async () => {
  const { searches } = await openStudies('/studies?sort=patientName,asc', () => pageOf([study()]));

  await userEvent.click(await screen.findByRole('button', { name: 'Remove Sorted by Patient Name' }));

  await waitFor(() => expect(searches().at(-1)?.searchParams.get('sort')).toBe('urgency,desc'));
});

test('a saved view is a tab with its count, and opens its filters and order', async () => {
  const view = savedView();
  const { address } = await openStudies('/studies?view=MINE&query=had', () => pageOf([study()]), {
    answers: [
      answer(savedViews.list, () => [view]),
      answer(savedViews.counts, () => [{ id: view.id, total: 12, isMore: false }]),
    ],
  });

  await userEvent.click(await screen.findByRole('button', { name: 'Night 12' }));

  await waitFor(() =>
    expect(Object.fromEntries(new URLSearchParams(address().split('?')[1]))).toEqual({
      where: 'modality.is:CT',
      savedView: view.id,
      sort: 'dueDate,asc',
    }),
  );
  expect(screen.getByRole('button', { name: 'Night 12', pressed: true })).toBeDefined();
});

test('the default view opens with the list, and the tab All still shows all studies', async () => {
  const { address } = await openStudies('/studies', () => pageOf([study()]), {
    answers: [answer(savedViews.list, () => [savedView({ isDefault: true })])],
  });
  await waitFor(() => expect(address()).toContain('savedView='));

  await userEvent.click(screen.getByRole('button', { name: 'All 1,000+' }));

  await waitFor(() => expect(address()).toBe('/studies'));
});

test('the filters of the list are saved as a view, for the organization by an administrator', async () => {
  const created: SentRequest[] = [];
  const { address } = await openStudies('/studies?where=due.overdue&page=2', () => pageOf([study()], 47, 2), {
    as: 'ADMIN',
    answers: [
      answer(savedViews.create, (sent) => {
        created.push(sent);
        return savedView({ name: 'Late', owner: 'ORGANIZATION' });
      }),
    ],
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Saved views' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Save as view' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Save view' }));

  await userEvent.click(dialog.getByRole('button', { name: 'Save view' }));
  expect(dialog.getByText('Name is required')).toBeDefined();
  await userEvent.type(dialog.getByLabelText(/^Name/), 'Late');
  await userEvent.selectOptions(dialog.getByLabelText('For'), 'All users of the organization');
  await userEvent.click(dialog.getByRole('button', { name: 'Save view' }));

  await waitFor(() => expect(address()).toContain('savedView='));
  expect(created[0]?.body).toEqual({
    name: 'Late',
    search: { where: 'due.overdue' },
    isDefault: false,
    owner: 'ORGANIZATION',
  });
});

test('an administrator saves a view for a group, which is no tab of the list without membership', async () => {
  const created: SentRequest[] = [];
  const group = { id: thorax.id, name: 'Thorax', isOwn: false };
  await openStudies('/studies?where=due.overdue', () => pageOf([study()]), {
    as: 'ADMIN',
    answers: [
      answer(groups.list, () => [thorax]),
      answer(savedViews.list, () => [savedView({ name: 'Chest', owner: 'GROUP', group })]),
      answer(savedViews.create, (sent) => {
        created.push(sent);
        return savedView({ name: 'Late', owner: 'GROUP', group });
      }),
    ],
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Saved views' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Manage views' }));
  const managed = await screen.findByRole('list', { name: 'Views of the group Thorax' });
  expect(within(managed).getByRole('button', { name: 'Delete Chest' })).toBeDefined();
  expect(within(managed).queryByRole('button', { name: /Open the list with/ })).toBeNull();
  expect(screen.queryByRole('tab', { name: /Chest/ })).toBeNull();
  await userEvent.keyboard('{Escape}');

  await userEvent.click(await screen.findByRole('button', { name: 'Saved views' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Save as view' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Save view' }));
  await userEvent.type(dialog.getByLabelText(/^Name/), 'Late');
  await screen.findByRole('option', { name: 'Members of Thorax' });
  await userEvent.selectOptions(dialog.getByLabelText('For'), 'Members of Thorax');
  expect(dialog.queryByRole('checkbox')).toBeNull();
  await userEvent.click(dialog.getByRole('button', { name: 'Save view' }));

  await waitFor(() => expect(created[0]?.body).toMatchObject({ name: 'Late', owner: 'GROUP', groupId: thorax.id }));
});

test('a deleted view can be restored at its place', async () => {
  const views = [savedView(), savedView({ id: '0190aaaa-0000-4000-8000-0000000000a2', name: 'Day' })];
  const restored: SentRequest[] = [];
  await openStudies('/studies', () => pageOf([study()]), {
    answers: [
      answer(savedViews.list, () => views),
      answer(savedViews.remove, () => undefined),
      answer(savedViews.create, (sent) => {
        restored.push(sent);
        return savedView();
      }),
    ],
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Saved views' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Manage views' }));

  await userEvent.click(await screen.findByRole('button', { name: 'Delete Day' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));

  await waitFor(() => expect(restored[0]?.body).toMatchObject({ name: 'Day', owner: 'USER', at: 1 }));
});

test('rows are selected by checkbox, by range with Shift, and by key, and the selection ends with other filters', async () => {
  const user = userEvent.setup();
  await openStudies('/studies', three);
  const box = (name: string) => screen.getByRole('checkbox', { name: `Select study of ${name}, X` });
  await screen.findByRole('link', { name: 'One, X' });

  await user.click(box('One'));
  await user.keyboard('{Shift>}');
  await user.click(box('Three'));
  await user.keyboard('{/Shift}');
  const bar = within(screen.getByRole('group', { name: 'Selected studies' }));
  expect(bar.getByText('3 studies selected')).toBeDefined();
  expect(screen.getByRole('checkbox', { name: 'Select all rows of this page' })).toHaveProperty('checked', true);

  box('Two').closest('tr')?.focus();
  await user.keyboard('x');
  expect(bar.getByText('2 studies selected')).toBeDefined();

  await user.selectOptions(screen.getByLabelText('Status'), 'Pending');
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Selected studies' })).toBeNull());
});

test('all studies that match are selected with one button', async () => {
  const ids = Array.from({ length: 47 }, (_, at) => `id-${at}`);
  await openStudies('/studies?modality=CT', three, {
    answers: [answer(studies.matching, () => ({ ids, isMore: false }))],
  });
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select study of One, X' }));

  await userEvent.click(screen.getByRole('button', { name: 'Select all 47' }));

  expect(await screen.findByText('47 studies selected')).toBeDefined();
});

const outcome = (studyId: string, more: Partial<StudyOutcome> = {}): StudyOutcome => ({
  studyId,
  outcome: 'CHANGED',
  reason: '',
  before: 'ROUTINE',
  ...more,
});

test('a change of many studies first says what will change, then changes it, and can be undone', async () => {
  const sent: unknown[] = [];
  await openStudies('/studies', three, {
    answers: [
      answer(bulkChanges.prioritize, ({ body }) => {
        sent.push(body);
        const unchanged = { outcome: 'UNCHANGED', reason: 'The study already has this priority' } as const;
        return [outcome('id-of-One'), outcome('id-of-Two', { before: 'URGENT' }), outcome('id-of-Three', unchanged)];
      }),
    ],
  });
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all rows of this page' }));
  const bar = within(await screen.findByRole('group', { name: 'Selected studies' }));
  await userEvent.click(await bar.findByRole('button', { name: 'Priority' }, { timeout: 5000 }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'STAT' }));

  const question = within(await screen.findByRole('dialog', { name: 'Set the priority of 3 studies to STAT?' }));
  expect(question.getByText('2 studies change.')).toBeDefined();
  expect(question.getByText('1 × The study already has this priority')).toBeDefined();
  await userEvent.click(question.getByRole('button', { name: 'Set priority' }));
  expect(await screen.findByText(/2 studies changed\. 1 study stays as it is\./)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));

  await waitFor(() => expect(sent).toHaveLength(4));
  const studyIds = ['id-of-One', 'id-of-Two', 'id-of-Three'];
  expect(sent).toEqual([
    { studyIds, priority: 'STAT', isDryRun: true },
    { studyIds, priority: 'STAT', isDryRun: false },
    { studyIds: ['id-of-One'], priority: 'ROUTINE', onlyFrom: 'STAT' },
    { studyIds: ['id-of-Two'], priority: 'URGENT', onlyFrom: 'STAT' },
  ]);
  expect(screen.queryByRole('group', { name: 'Selected studies' })).toBeNull();
});

test('studies are assigned to a group in one act, and the undo names the same group', async () => {
  const sent: unknown[] = [];
  const noteAndChange = ({ body }: { body: unknown }) => {
    sent.push(body);
    return [outcome('id-of-One', { before: '' })];
  };
  await openStudies('/studies', three, {
    answers: [
      answer(bulkChanges.assign, noteAndChange),
      answer(bulkChanges.unassign, noteAndChange),
      answer(workflow.assignable, () => []),
      answer(groups.list, () => [thorax]),
    ],
  });
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select study of One, X' }));
  const bar = within(await screen.findByRole('group', { name: 'Selected studies' }));
  await userEvent.click(await bar.findByRole('button', { name: 'Assign' }, { timeout: 5000 }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Assign studies' }));
  await userEvent.click(await dialog.findByLabelText('Groups', { selector: 'input' }));
  await userEvent.click(await dialog.findByRole('option', { name: 'Thorax' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Assign studies' }));

  const question = within(await screen.findByRole('dialog', { name: 'Assign 1 study?' }));
  expect(question.getByText('Members of the group will see these studies.')).toBeDefined();
  await userEvent.click(question.getByRole('button', { name: 'Assign studies' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));

  await waitFor(() => expect(sent).toHaveLength(3));
  const body = { studyIds: ['id-of-One'], userIds: [], groupIds: [thorax.id] };
  expect(sent).toMatchObject([
    { ...body, isDryRun: true },
    { ...body, isDryRun: false },
    { ...body, isUndo: true },
  ]);
});

test('a change of statuses says which status the user saw of each study', async () => {
  const sent: unknown[] = [];
  await openStudies('/studies', three, {
    answers: [
      answer(bulkChanges.changeStatus, ({ body }) => {
        sent.push(body);
        return [
          outcome('id-of-One', { before: 'PENDING' }),
          outcome('id-of-Two', { before: 'ASSIGNED' }),
          outcome('id-of-Three', { outcome: 'REFUSED', reason: 'The study is archived', before: '' }),
        ];
      }),
    ],
  });
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all rows of this page' }));
  const bar = within(await screen.findByRole('group', { name: 'Selected studies' }));
  await userEvent.click(await bar.findByRole('button', { name: 'Status' }, { timeout: 5000 }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Completed' }));
  const question = within(await screen.findByRole('dialog'));
  await userEvent.click(question.getByRole('button', { name: 'Set status' }));

  await waitFor(() => expect(sent).toHaveLength(2));
  const body = { studyIds: ['id-of-One', 'id-of-Two', 'id-of-Three'], newStatus: 'COMPLETED', comments: '' };
  expect(sent).toEqual([
    { ...body, isDryRun: true },
    { ...body, onlyFrom: { 'id-of-One': 'PENDING', 'id-of-Two': 'ASSIGNED' }, isDryRun: false },
  ]);
});

test('selected studies are exported with the columns shown', async () => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined }));
  const sent: unknown[] = [];
  const exported = {
    ...answerBytes(studyExport.path, ({ body }) => {
      sent.push(body);
      return new Response('"Patient Name"');
    }),
    method: 'POST',
  };
  await openStudies('/studies?status=PENDING', three, { answers: [exported] });
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select study of Two, X' }));

  await userEvent.click(screen.getByRole('button', { name: 'Export CSV' }));

  expect(await screen.findByText('1 study exported')).toBeDefined();
  expect(sent).toEqual([
    {
      search: { status: 'PENDING', sort: 'urgency,desc' },
      columns: ['patientName', 'studyDate', 'modality', 'status', 'seriesCount', 'description', 'priority'],
      studyIds: ['id-of-Two'],
    },
  ]);
});

test('Space previews the current row, the arrow keys move the preview, and Escape closes it', async () => {
  const user = userEvent.setup();
  await openStudies(
    '/studies',
    () => pageOf([named('One', { instanceCount: 0 }), named('Two', { instanceCount: 0 })]),
    {
      answers: [
        answer(studyPreviews.read, ({ url }) => ({
          clinicalHistory: url.pathname.includes('Two') ? 'Fall' : 'Cough',
          keyImage: null,
          keyImageCount: 0,
          prior: {
            id: 'p1',
            studyDate: '2025-03-01T08:00:00',
            modality: 'CT',
            description: 'CT chest',
            impression: 'Nodule of 4 mm.',
          },
        })),
      ],
    },
  );
  (await screen.findByRole('row', { name: /One, X/ })).focus();

  await user.keyboard(' ');
  const first = within(await screen.findByRole('complementary', { name: 'Preview of One, X' }));
  expect(await first.findByText('Cough')).toBeDefined();
  expect(first.getByText('Nodule of 4 mm.')).toBeDefined();
  await user.keyboard('{ArrowDown}');
  const second = within(await screen.findByRole('complementary', { name: 'Preview of Two, X' }));
  expect(await second.findByText('Fall')).toBeDefined();
  await user.keyboard('{Escape}');

  expect(screen.queryByRole('complementary', { name: /^Preview/ })).toBeNull();
});

test('a preview that fails to load shows the reason and a retry button', async () => {
  await openStudies('/studies', () => pageOf([named('One')]), {
    answers: [refuse(studyPreviews.read, 500, 'Server error occurred')],
  });
  (await screen.findByRole('row', { name: /One, X/ })).focus();

  await userEvent.keyboard(' ');

  const preview = within(await screen.findByRole('complementary', { name: 'Preview of One, X' }));
  expect(await preview.findByText('Failed to load the preview')).toBeDefined();
  expect(preview.getByRole('button', { name: 'Retry' })).toBeDefined();
});

test('a study shows its due time: calm, then a warning in the last quarter, then overdue', async () => {
  const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();
  const waiting = { createdDate: minutes(-80) };
  await openStudies('/studies', () =>
    pageOf([
      named('Calm', { ...waiting, dueDate: minutes(90.5) }),
      named('Soon', { ...waiting, dueDate: minutes(20.5) }),
      named('Late', { ...waiting, dueDate: minutes(-30.5) }),
    ]),
  );
  await screen.findByRole('link', { name: 'Calm, X' });

  expect(screen.getByText('due in 1h 30').dataset['state']).toBe('calm');
  expect(screen.getByText('due in 20m').dataset['state']).toBe('soon');
  expect(screen.getByText('30m overdue').dataset['state']).toBe('over');
});

test('a referring physician selects no rows', async () => {
  await openStudies('/studies', three, { as: 'REFERRING_PHYSICIAN' });
  await screen.findByRole('link', { name: 'One, X' });

  expect(screen.queryByRole('checkbox', { name: /^Select/ })).toBeNull();
});

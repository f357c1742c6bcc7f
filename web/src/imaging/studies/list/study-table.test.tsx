import { studies } from '@radwork/contract/imaging/studies';
import type { SeriesSummary } from '@radwork/contract/imaging/study-rows';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readSession } from '#core/state/session.ts';
import { answer, refuse } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import { studyPageAnswers } from '#test/study-page.ts';
import { choose, named, openStudies, pageOf, study } from '#test/study-list.tsx';

const rowOf = async (name: string) =>
  within((await screen.findByRole('link', { name })).closest('tr') ?? document.body);

test('a row of the study list shows the facts that decide the reading order', async () => {
  await openStudies('/studies', () => pageOf([study()]));

  const cells = (await screen.findByRole('row', { name: /Bergström, Chidi/ })).querySelectorAll('th, td');

  expect([...cells].map(({ textContent }) => textContent)).toEqual([
    '',
    'Bergström, ChidiMRN1 · M · 65y',
    '2026-11-20 09:30waiting 1h 23',
    'CT+1',
    'Pending',
    '2',
    'CT Angiography Chest',
    'STAT',
    '',
  ]);
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Show series',
    'Patient Name',
    'Study Date',
    'Modality',
    'Status',
    'Series count',
    'Description',
    'Priority',
    'Actions',
  ]);
  expect(screen.getByText('Showing 1 to 1 of 1 entries')).toBeDefined();
});

test('the description by the department replaces that of the scanner', async () => {
  await openStudies('/studies', () => pageOf([study({ description: 'PE protocol' })]));

  expect(await screen.findByText('PE protocol')).toBeDefined();
  expect(screen.queryByText('CT Angiography Chest')).toBeNull();
});

test('a study that is being read shows the reader and the start time', async () => {
  const since = new Date(new Date().setHours(9, 12, 0, 0)).toISOString();
  const reading = { username: 'rex', name: 'Rex Reviewer', since, isMe: false, expiresAt: since };
  await openStudies('/studies', () => pageOf([study({ readingBy: reading }), named('Okafor')]));

  const [first, second] = [await rowOf('Bergström, Chidi'), await rowOf('Okafor, X')];

  expect(first.getByRole('rowheader').textContent).toContain('Being read by Rex Reviewer since 09:12');
  expect(second.getByRole('rowheader').textContent).not.toContain('Being read');
});

test('a study with a critical finding shows the state of the finding next to the patient', async () => {
  await openStudies('/studies', () => pageOf([study({ criticalState: 'OPEN' }), named('Okafor')]));

  const [first, second] = [await rowOf('Bergström, Chidi'), await rowOf('Okafor, X')];

  expect(first.getByRole('rowheader').textContent).toContain('Critical: not communicated');
  expect(second.getByRole('rowheader').textContent).not.toContain('Critical');
});

test('a completed study shows no waiting time', async () => {
  await openStudies('/studies', () => pageOf([study({ status: 'COMPLETED' })]));

  await screen.findByText('Completed', { selector: 'td *' });
  expect(screen.queryByText('waiting')).toBeNull();
});

const series: SeriesSummary = {
  id: 's1',
  seriesInstanceUID: '1.2.3.4',
  seriesNumber: 1,
  seriesDescription: 'Axial 1.0 mm',
  modality: 'CT',
  bodyPartExamined: 'CHEST',
  instanceCount: 211,
};

test('a row of the study list expands to its series', async () => {
  await openStudies('/studies', () => pageOf([study()]), { answers: [answer(studies.series, () => [series])] });
  const expander = await screen.findByRole('button', { name: 'Show series' });
  expect(expander.getAttribute('aria-expanded')).toBe('false');

  await userEvent.click(expander);

  const table = within(await screen.findByRole('table', { name: 'Series' }));
  expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Series UID',
    'Modality',
    'Series Number',
    'Description',
    'Instance Count',
    'Actions',
  ]);
  expect(table.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual([
    '1.2.3.4',
    'CT',
    '1',
    'Axial 1.0 mm',
    '211',
    'MPR/3D',
  ]);
  expect(table.getByRole('link').getAttribute('href')).toBe(`/mpr/${study().id}/1.2.3.4`);
  expect(expander.getAttribute('aria-expanded')).toBe('true');
});

test('pointing at or focusing a row prefetches its series once, and never counts as viewing the study', async () => {
  const { calls } = await openStudies('/studies', () => pageOf([named('One'), named('Two')]));
  const fetched = () => calls.map(({ url }) => url.pathname).filter((path) => path.startsWith('/api/studies/id-of-'));

  await userEvent.hover(await screen.findByRole('link', { name: 'Two, X' }));
  await waitFor(() => expect(fetched()).toEqual(['/api/studies/id-of-Two/series']));
  await userEvent.keyboard('j');
  await waitFor(() => expect(fetched()).toContain('/api/studies/id-of-One/series'));
  await userEvent.hover(screen.getByRole('link', { name: 'Two, X' }));
  await userEvent.click(
    within(screen.getByRole('row', { name: /Two, X/ })).getByRole('button', { name: 'Show series' }),
  );

  await screen.findByText('This study has no images yet.');
  expect(fetched().filter((path) => !path.endsWith('/series'))).toEqual([]);
});

test('optional columns of the study list show assignees, due date and further identifiers', async () => {
  const assignee = { id: 'u2', username: 'k.ito', name: 'Kei Ito', userType: 'RADIOLOGIST', active: true } as const;
  const due = { assignees: [assignee], dueDate: '2026-01-02T10:00:00Z', referringPhysicianName: 'Moreau, Elise' };
  await openStudies('/studies', () => pageOf([study(due)]));

  await choose('Patient ID', 'Accession', 'Assignees', 'Due', 'Referring physician');

  const row = within(screen.getByRole('row', { name: /Bergström, Chidi/ }));
  for (const text of ['MRN1', 'A1', 'Kei Ito', 'Moreau, Elise'])
    expect(row.getByRole('cell', { name: text })).toBeDefined();
  expect(row.getByRole('cell', { name: /^2026-01-02 \d\d:\d\dOverdue$/ })).toBeDefined();
});

test('series of a row that fail to load show the reason and a retry button', async () => {
  await openStudies('/studies', () => pageOf([study()]), {
    answers: [refuse(studies.series, 500, 'Server error occurred')],
  });

  await userEvent.click(await screen.findByRole('button', { name: 'Show series' }));

  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByText('Server error occurred')).toBeDefined();
  expect(alert.getByRole('button', { name: 'Retry' })).toBeDefined();
});

test.each([
  [['CT', 'SR'], '/viewer/'],
  [['US', 'SR'], '/usviewer/'],
  [['US', 'CT'], '/viewer/'],
])('a study with the modalities %j opens in the viewer %s', async (modalities, path) => {
  await openStudies('/studies', () => pageOf([study({ modalities })]));

  const link = await screen.findByRole('link', { name: 'Open viewer of Bergström, Chidi' });
  const details = screen.getByRole('link', { name: 'View details of Bergström, Chidi' });

  expect(details.getAttribute('href')).toBe(`/studies/${study().id}`);
  expect(link.getAttribute('href')).toBe(`${path}${study().id}`);
});

test('fusion is offered for suitable studies and disabled with a reason for others', async () => {
  await openStudies('/studies', () => pageOf([named('Fit', { modalities: ['PT', 'CT'] }), named('Unfit')]));

  const fit = await rowOf('Fit, X');
  const unfit = await rowOf('Unfit, X');

  expect(fit.getByRole('link', { name: 'Open fusion of Fit, X' }).getAttribute('href')).toBe('/petct/id-of-Fit');
  const fusionButton = unfit.getByRole('button', { name: /Open fusion of Unfit, X\. Fusion needs a PT or NM series/ });
  expect(fusionButton.getAttribute('aria-disabled')).toBe('true');
});

test('deleting a study asks first, names the contents, and does nothing if canceled', async () => {
  let deleted = 0;
  const { searches } = await openStudies('/studies', () => pageOf([study()]), {
    as: 'ADMIN',
    answers: [answer(studies.remove, () => void deleted++)],
  });

  await userEvent.click(await screen.findByRole('button', { name: 'Delete study of Bergström, Chidi' }));
  const question = within(await screen.findByRole('dialog', { name: 'Are you sure you want to delete this study?' }));
  expect(question.getByText(/2 series with 212 images/)).toBeDefined();
  await userEvent.click(question.getByRole('button', { name: 'Cancel' }));
  expect(deleted).toBe(0);
  await userEvent.click(screen.getByRole('button', { name: 'Delete study of Bergström, Chidi' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete study' }));

  expect(await screen.findByText('Study deleted successfully')).toBeDefined();
  await waitFor(() => expect(searches()).toHaveLength(2));
});

test('a deleted study can be restored immediately', async () => {
  let isDeleted = false;
  await openStudies('/studies', () => pageOf(isDeleted ? [] : [study()]), {
    as: 'ADMIN',
    answers: [
      answer(studies.remove, () => void (isDeleted = true)),
      answer(studies.restore, () => {
        isDeleted = false;
        return studyDetails();
      }),
    ],
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Delete study of Bergström, Chidi' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete study' }));
  await screen.findByText('No studies yet');

  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));

  expect(await screen.findByText('Study restored successfully')).toBeDefined();
  expect(await screen.findByRole('link', { name: 'Bergström, Chidi' })).toBeDefined();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
});

test('a failed undo of a deletion shows a message', async () => {
  await openStudies('/studies', () => pageOf([study()]), {
    as: 'ADMIN',
    answers: [answer(studies.remove, () => undefined), refuse(studies.restore, 500, 'Server error occurred')],
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Delete study of Bergström, Chidi' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete study' }));

  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));

  expect(await screen.findByText('Server error occurred')).toBeDefined();
});

test('a refused deletion shows a message that stays', async () => {
  const message = 'This study has a finalized report and cannot be deleted. Archive it instead.';
  await openStudies('/studies', () => pageOf([study()]), {
    as: 'ADMIN',
    answers: [refuse(studies.remove, 409, message)],
  });

  await userEvent.click(await screen.findByRole('button', { name: 'Delete study of Bergström, Chidi' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete study' }));

  const alerts = await screen.findAllByRole('alert');
  expect(alerts.some(({ textContent }) => textContent === message)).toBe(true);
});

test('the error for a deletion without a server response names the study', async () => {
  await openStudies('/studies', () => pageOf([study()]), {
    as: 'ADMIN',
    answers: [answer(studies.remove, () => Promise.reject(new TypeError('Failed to fetch')))],
  });

  await userEvent.click(await screen.findByRole('button', { name: 'Delete study of Bergström, Chidi' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete study' }));

  const alert = await within(screen.getByRole('main')).findByRole('alert');
  expect(alert.textContent).toBe(`Error deleting study ${study().id}`);
});

test('actions without permission are not offered', async () => {
  await openStudies('/studies', () => pageOf([study()]), { as: 'REFERRING_PHYSICIAN' });
  await screen.findByRole('link', { name: 'Bergström, Chidi' });

  expect(screen.queryByRole('button', { name: /Delete study/ })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Create New Study' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'More' })).toBeNull();
});

test('the keyboard moves between rows and opens series and study', async () => {
  const { address } = await openStudies('/studies', () => pageOf([named('One'), named('Two')]), {
    answers: [answer(studies.series, () => [series])],
  });
  await screen.findByRole('link', { name: 'Two, X' });

  await userEvent.keyboard('jj');
  expect(document.activeElement).toBe(screen.getByRole('row', { name: /Two, X/, current: true }));
  await userEvent.keyboard('k');
  expect(document.activeElement).toBe(screen.getByRole('row', { name: /One, X/, current: true }));
  await userEvent.keyboard('e');
  expect(await screen.findByRole('table', { name: 'Series' })).toBeDefined();
  await userEvent.keyboard('/');
  expect(document.activeElement).toBe(screen.getByPlaceholderText('Search studies...'));
  await userEvent.keyboard('j');
  expect(screen.getByPlaceholderText('Search studies...')).toHaveProperty('value', 'j');
  // The typed text becomes a search after a pause. It must not open a row.
  expect(address()).toMatch(/^\/studies(\?query=j)?$/);
});

test('Enter opens the study of the focused row', async () => {
  const ada = studyDetails();
  const { address } = await openStudies('/studies', () => pageOf([named('One'), ada]), {
    answers: studyPageAnswers(ada),
  });
  await screen.findByRole('link', { name: 'Phantom, Ada' });

  await userEvent.keyboard('jj{Enter}');

  expect(await screen.findByRole('heading', { level: 1, name: /Phantom, Ada/ })).toBeDefined();
  expect(address()).toBe(`/studies/${ada.id}`);
});

test('row shortcuts do nothing while the user types in a field', async () => {
  const { address } = await openStudies('/studies', () => pageOf([named('One'), named('Two')]));
  await screen.findByRole('link', { name: 'One, X' });
  await userEvent.keyboard('{Home}');
  const field = screen.getByPlaceholderText('Search studies...');

  await userEvent.type(field, 'jkev?');

  expect(field).toHaveProperty('value', 'jkev?');
  await waitFor(() => expect(address()).toBe('/studies?query=jkev%3F'));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.queryAllByRole('button', { name: 'Hide series' })).toEqual([]);
  expect(screen.getByRole('row', { name: /One, X/, current: true })).toBeDefined();
});

test('row shortcuts do nothing while a dialog is open', async () => {
  const { address } = await openStudies('/studies', () => pageOf([named('One'), named('Two')]), { as: 'ADMIN' });
  await screen.findByRole('link', { name: 'One, X' });
  await userEvent.keyboard('{Home}?');
  await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });

  await userEvent.keyboard('jevsa{Enter}');

  expect(address()).toBe('/studies');
  expect(screen.getAllByRole('dialog')).toHaveLength(1);
  expect(document.querySelector('tr[aria-current]')?.textContent).toContain('One, X');
  expect(document.querySelector('tr[data-open]')).toBeNull();
});

test('a link to one study shows only this study with its series open', async () => {
  const ada = studyDetails();
  const { address } = await openStudies(`/studies?studyId=${ada.id}`, () => pageOf([named('Other')]), {
    answers: [answer(studies.series, () => [series]), answer(studies.get, () => ada)],
  });

  expect(await screen.findByRole('link', { name: 'Phantom, Ada' })).toBeDefined();
  expect(await screen.findByRole('table', { name: 'Series' })).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Other, X' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Show all studies' }));

  expect(await screen.findByRole('link', { name: 'Other, X' })).toBeDefined();
  expect(address()).toBe('/studies');
});

test('the browser remembers the setting for dense rows', async () => {
  await openStudies('/studies', () => pageOf([study()]));

  await userEvent.click(await screen.findByRole('button', { name: 'Compact rows', pressed: false }));

  expect(screen.getByRole('button', { name: 'Compact rows', pressed: true })).toBeDefined();
  const user = readSession()?.user.id;
  expect(localStorage.getItem(`preference.studies.density.${user}`)).toBe('compact');
});

test('the key V opens the viewer of the focused row', async () => {
  // The viewer requests the study when the viewer opens.
  const answers = [refuse(studies.get, 503, 'Try again in a moment')];
  const { address } = await openStudies('/studies', () => pageOf([study({ modalities: ['US'] })]), { answers });
  await screen.findByRole('link', { name: 'Bergström, Chidi' });

  await userEvent.keyboard('jv');

  await waitFor(() => expect(address()).toBe(`/usviewer/${study().id}`));
});

test('a double click on a button of a row does not open the study', async () => {
  const { address } = await openStudies('/studies', () => pageOf([study()]), {
    answers: [answer(studies.series, () => [series])],
  });

  await userEvent.dblClick(await screen.findByRole('button', { name: 'Show series' }));

  expect(address()).toBe('/studies');
});

test('rows of the study list do not move under the pointer when the list changes', async () => {
  let content = [named('One'), named('Two')];
  const { client } = await openStudies('/studies', () => pageOf(content));
  const names = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent?.split(',')[0]);
  await userEvent.hover(await screen.findByRole('link', { name: 'Two, X' }));

  content = [named('New'), named('Two', { status: 'COMPLETED' }), named('One')];
  await act(() => client.invalidateQueries({ queryKey: ['studies'] }));

  expect(await screen.findByText('The list has changed.')).toBeDefined();
  expect(names()).toEqual(['One', 'Two']);
  expect(within(screen.getByRole('row', { name: /Two, X/ })).getByText('Completed')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Update list' }));
  expect(names()).toEqual(['New', 'Two', 'One']);
  expect(screen.queryByText('The list has changed.')).toBeNull();
});

test('while the pointer is on the list, changes wait at most 30 seconds, because new studies may be urgent', async () => {
  let content = [named('One'), named('Two')];
  const { client } = await openStudies('/studies', () => pageOf(content));
  const names = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent?.split(',')[0]);
  const row = await screen.findByRole('link', { name: 'Two, X' });
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  fireEvent.pointerEnter(row);

  content = [named('New'), ...content];
  await act(() => client.invalidateQueries({ queryKey: ['studies'] }));
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  fireEvent.pointerMove(row);
  await act(() => vi.advanceTimersByTimeAsync(20_000));

  expect(names()).toEqual(['One', 'Two']);
  await act(() => vi.advanceTimersByTimeAsync(11_000));
  expect(names()).toEqual(['New', 'One', 'Two']);
});

test('a list without a pointer on it shows changes immediately', async () => {
  let content = [named('One')];
  const { client } = await openStudies('/studies', () => pageOf(content));
  await userEvent.hover(await screen.findByRole('link', { name: 'One, X' }));
  await userEvent.unhover(screen.getByRole('link', { name: 'One, X' }));

  content = [named('New'), named('One')];
  await act(() => client.invalidateQueries({ queryKey: ['studies'] }));

  expect(await screen.findByRole('link', { name: 'New, X' })).toBeDefined();
  expect(screen.queryByText('The list has changed.')).toBeNull();
});

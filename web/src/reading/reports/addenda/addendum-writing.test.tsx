import { reportAddenda } from '@radwork/contract/reading/report-addenda';
import type { SignedPart } from '@radwork/contract/reading/report-parts';
import { type Report, reports } from '@radwork/contract/reading/reports';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Editor } from '@tiptap/core';
import { expect, onTestFinished, test } from 'vitest';
import { markOf } from '#test/identities.ts';
import { answer, bodiesOf, refuse, serve, show } from '#test/screen.tsx';
import { editorIn, jane, reportFor, stubCanvas, write } from '#test/written-report.ts';
import { formatMoment } from '#ui/formats/formats.ts';
import { noteUnwrittenPhrases } from '#reading/editor/dictation/unwritten-phrases.ts';
import { ReportReading } from '#reading/reports/panel/report-reading.tsx';

const signer = { id: 'u1', username: 'm.haddad', name: 'Mona Haddad', credentials: '' };

const signed = (overrides: Partial<Report> = {}): Report =>
  reportFor({
    status: 'FINALIZED',
    content: '<p>Nodule in the left upper lobe.</p>',
    finalizedAt: '2026-11-21T12:00:00Z',
    finalizedBy: signer,
    contentHash: 'ab12',
    isUnchanged: true,
    statement: 'I confirm that this report is complete and accurate',
    signatureRequired: false,
    ...overrides,
  });

const part = (overrides: Partial<SignedPart>): SignedPart => ({
  number: 1,
  kind: 'ADDENDUM',
  content: '<p>Compared with 2024.</p>',
  passage: '',
  corrects: null,
  finalizedBy: signer,
  finalizedAt: '2026-11-22T08:00:00Z',
  statement: '',
  signatureData: null,
  signingRemark: '',
  identityStatement: '',
  contentHash: 'cd34',
  isUnchanged: true,
  ...overrides,
});

const showReading = (report: Report) => {
  const reading = () => <ReportReading report={report} beingRead={null} slots={{}} onStart={undefined} />;
  const routeTree = createRootRoute({ staticData: { can: 'public' }, component: reading });
  return show(<RouterProvider router={createRouter({ routeTree, history: createMemoryHistory() }) as never} />);
};

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const draft = {
  id: 'd1',
  kind: 'ADDENDUM',
  content: '<p>Begun.</p>',
  passage: '',
  corrects: null,
  revision: 3,
  updatedAt: '',
} as const;

test('a notice above the text announces addenda, which follow below it, numbered and signed', async () => {
  serve();
  const correction = part({
    number: 2,
    kind: 'CORRECTION',
    passage: 'left upper',
    corrects: 0,
    content: '<p>right upper</p>',
  });
  showReading(signed({ amended: true, addenda: [part({}), correction] }));

  expect(await screen.findByText('AMENDED')).toBeDefined();
  expect(screen.getByText(/^AMENDED: 1 correction and 1 addendum below\./)).toBeDefined();
  const [first, second] = screen.getAllByRole('region', { name: /^(Addendum|Correction) \d/ });
  expect(first?.getAttribute('aria-label')).toBe('Addendum 1');
  expect(second?.getAttribute('aria-label')).toBe('Correction 2 of the report');
  expect(second?.querySelector('del')?.textContent).toBe('left upper');
  expect(within(second as HTMLElement).getByText('right upper')).toBeDefined();
  expect(within(second as HTMLElement).getByText('Mona Haddad')).toBeDefined();
});

test('a signature shows its statement and time, and that the text is unchanged', async () => {
  serve();
  showReading(signed({ signatureData: 'data:image/png;base64,c2ln' }));

  expect(await screen.findByText('Text unchanged since signing')).toBeDefined();
  expect(screen.getByAltText('Signature of Mona Haddad').getAttribute('src')).toBe('data:image/png;base64,c2ln');
  expect(screen.getByText(/I confirm that this report is complete and accurate/)).toBeDefined();
  expect(screen.getByText('ab12')).toBeDefined();
  const moment = formatMoment('2026-11-21T12:00:00Z');
  expect(screen.getByText(/^Signed by/).textContent).toBe(`Signed by Mona Haddad, ${moment}`);
});

test('the report warns when its text differs from the signed text', async () => {
  serve();
  showReading(signed({ isUnchanged: false }));

  expect((await screen.findByRole('alert')).textContent).toContain('This is not the text that was signed.');
  expect(screen.queryByText('Text unchanged since signing')).toBeNull();
});

test('an addendum is saved before signing, and the stored text is signed', async () => {
  const report = signed();
  const calls = serve(
    answer(reportAddenda.begin, () => ({ ...report, addendumDraft: { ...draft, revision: 1 } })),
    answer(reportAddenda.sign, () => report),
  );
  showReading(report);
  await userEvent.click(await screen.findByRole('button', { name: 'Add addendum' }));
  write(await editorIn(), '<p>Compared with 2024.</p>');

  await press('Sign');
  await userEvent.click(await screen.findByRole('checkbox', { name: /^I confirm/ }));
  await press('Sign addendum');

  expect(await screen.findByText('Addendum signed successfully')).toBeDefined();
  const words = { kind: 'ADDENDUM', content: '<p>Compared with 2024.</p>', passage: '', corrects: null };
  expect(bodiesOf(calls, reportAddenda.begin, reportAddenda.sign)).toEqual([
    { ...words, patientRecordId: jane.id },
    { ...words, revision: 1 },
  ]);
  expect(screen.queryByRole('region', { name: 'Your addendum' })).toBeNull();
});

test('an addendum is not signed while dictated words are missing from it', async () => {
  const calls = serve();
  showReading(signed());
  await userEvent.click(await screen.findByRole('button', { name: 'Add addendum' }));
  write(await editorIn(), '<p>Compared with 2024.</p>');
  onTestFinished(() => noteUnwrittenPhrases('s1', undefined));
  act(() => noteUnwrittenPhrases('s1', 'writing'));

  await press('Sign');

  expect(await screen.findByText('Dictated words are still being written.')).toBeDefined();
  expect(bodiesOf(calls, reportAddenda.begin, reportAddenda.sign)).toEqual([]);
});

test('the signature of an addendum must be the account name and accepts no other name', async () => {
  const drawnNames = stubCanvas();
  const report = signed({ signatureRequired: true });
  const calls = serve(
    answer(reportAddenda.begin, () => ({ ...report, addendumDraft: { ...draft, revision: 1 } })),
    answer(reportAddenda.sign, () => report),
  );
  showReading(report);
  await userEvent.click(await screen.findByRole('button', { name: 'Add addendum' }));
  write(await editorIn(), '<p>Compared with 2024.</p>');
  await press('Sign');
  await userEvent.click(await screen.findByRole('radio', { name: 'Type' }));

  const name = screen.getByRole('textbox', { name: 'Full name' });
  await userEvent.type(name, 'Gregory House');
  await userEvent.click(screen.getByRole('checkbox', { name: /^I confirm/ }));
  await press('Sign addendum');

  expect(name).toHaveProperty('value', 'Mona Haddad');
  expect(await screen.findByText('Addendum signed successfully')).toBeDefined();
  expect(bodiesOf(calls, reportAddenda.begin, reportAddenda.sign).at(-1)).toMatchObject({ typedName: 'Mona Haddad' });
  expect(new Set(drawnNames())).toEqual(new Set(['Mona Haddad']));
});

test('an addendum with an open identity question requires a statement on how the patient was identified', async () => {
  const report = signed({ identity: markOf(), addendumDraft: draft });
  const calls = serve(answer(reportAddenda.sign, () => ({ ...report, addendumDraft: null })));
  showReading(report);
  await editorIn();
  await press('Sign');
  await userEvent.click(await screen.findByRole('checkbox', { name: /^I confirm/ }));
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.getByText(/Doe, Jane or Kowalski, Piotr/)).toBeDefined();

  await press('Sign addendum');
  expect(dialog.getByText('Enter how the patient was identified')).toBeDefined();
  expect(bodiesOf(calls, reportAddenda.begin, reportAddenda.sign)).toEqual([]);

  await userEvent.type(
    dialog.getByRole('textbox', { name: /^How was the patient identified/ }),
    'Wristband, and asked',
  );
  await press('Sign addendum');

  expect(await screen.findByText('Addendum signed successfully')).toBeDefined();
  expect(bodiesOf(calls, reportAddenda.begin, reportAddenda.sign)).toMatchObject([
    { identityStatement: 'Wristband, and asked' },
  ]);
});

test('a correction requires a selected passage and quotes it', async () => {
  const report = signed();
  const calls = serve(answer(reportAddenda.begin, () => ({ ...report, addendumDraft: draft })));
  showReading(report);
  await userEvent.click(await screen.findByRole('button', { name: 'Add addendum' }));
  await userEvent.click(screen.getByRole('radio', { name: 'Correction' }));
  write(await editorIn(), '<p>right</p>');

  await press('Quote selected text');
  expect(screen.getByText('Select text in the report or an addendum first')).toBeDefined();
  await press('Save addendum');
  expect(screen.getByText('Quote the passage to correct')).toBeDefined();
  expect(bodiesOf(calls, reportAddenda.begin, reportAddenda.sign)).toEqual([]);
  const text = screen.getByText('Nodule in the left upper lobe.').firstChild as Text;
  window.getSelection()?.setBaseAndExtent(text, 14, text, 18);
  await press('Quote selected text');
  await press('Save addendum');

  expect(bodiesOf(calls, reportAddenda.begin, reportAddenda.sign)).toMatchObject([
    { kind: 'CORRECTION', content: '<p>right</p>', passage: 'left', corrects: 0 },
  ]);
});

test('if the study moves, a begun addendum is saved only after its author confirms the new patient', async () => {
  const before = signed();
  const now = signed({ patientRecordId: 'p2', patientName: 'Doe, Janet', patientId: 'P-2' });
  const refiled = 'The study was moved to another patient. It now belongs to Doe, Janet.';
  const calls = serve(refuse(reportAddenda.begin, 409, refiled));
  const { unmount } = showReading(before);
  await userEvent.click(await screen.findByRole('button', { name: 'Add addendum' }));
  write(await editorIn(), '<p>Jane was seen before.</p>');
  await press('Save addendum');
  expect(await screen.findByText(refiled, { selector: '[role=alert] *' })).toBeDefined();
  unmount();

  showReading(now);
  await editorIn();
  await press('Save addendum');
  await userEvent.click(await screen.findByRole('button', { name: 'Keep my text' }));
  await press('Save addendum');

  expect(bodiesOf(calls, reportAddenda.begin, reportAddenda.sign)).toMatchObject([
    { patientRecordId: jane.id },
    { patientRecordId: jane.id },
    { patientRecordId: 'p2', content: '<p>Jane was seen before.</p>' },
  ]);
});

test('when an author opens a begun addendum, its unsaved text returns', async () => {
  serve();
  const { unmount } = showReading(signed({ addendumDraft: draft }));
  const editor = await editorIn();
  expect(editor.getText()).toBe('Begun.');
  write(editor, '<p>Half a sentence</p>');
  expect(await screen.findByText('Not saved')).toBeDefined();

  unmount();
  showReading(signed({ addendumDraft: draft }));

  expect((await editorIn()).getText()).toBe('Half a sentence');
});

/** Returns the editor of a window. All windows share the browser storage. */
const editorInWindow = async ({ container }: { container: HTMLElement }): Promise<Editor> => {
  const element = await within(container).findByRole('textbox', { name: 'Report text' });
  return (element as HTMLElement & { editor: Editor }).editor;
};

test('unsaved text of an addendum survives when another window saves the same addendum', async () => {
  const report = signed({ addendumDraft: draft });
  const saved = { ...report, addendumDraft: { ...draft, content: '<p>From the second.</p>', revision: 4 } };
  serve(answer(reportAddenda.save, () => saved));
  const first = showReading(report);
  write(await editorInWindow(first), '<p>From the first</p>');
  expect(await within(first.container).findByText('Not saved')).toBeDefined();
  const second = showReading(report);
  write(await editorInWindow(second), '<p>From the second.</p>');
  write(await editorInWindow(first), '<p>From the first, and more</p>');
  // Stores the last keystrokes without waiting for a pause in typing.
  act(() => void window.dispatchEvent(new Event('pagehide')));
  await userEvent.click(within(second.container).getByRole('button', { name: 'Save addendum' }));
  expect(await within(second.container).findByText(/^Saved/)).toBeDefined();
  first.unmount();
  second.unmount();

  showReading(saved);

  expect((await editorIn()).getText()).toBe('From the first, and more');
});

test('a text is saved as a new addendum after another window signed its draft', async () => {
  const calls = serve(
    refuse(reportAddenda.save, 404, 'There is no such addendum'),
    answer(reportAddenda.begin, () => signed({ addendumDraft: { ...draft, id: 'd2', revision: 1 } })),
  );
  const { unmount } = showReading(signed({ addendumDraft: draft }));
  write(await editorIn(), '<p>And more.</p>');
  expect(await screen.findByText('Not saved')).toBeDefined();
  unmount();

  showReading(signed({ addenda: [part({ content: draft.content })] }));
  await editorIn();
  await press('Save addendum');
  await userEvent.click(await screen.findByRole('button', { name: 'Keep my text' }));
  await press('Save addendum');

  expect(await screen.findByText(/^Saved/)).toBeDefined();
  expect(bodiesOf(calls, reportAddenda.begin, reportAddenda.sign)).toMatchObject([{ content: '<p>And more.</p>' }]);
});

test('a draft addendum is discarded after a confirmation, at the revision on the screen', async () => {
  const calls = serve(answer(reportAddenda.discard, () => signed()));
  showReading(signed({ addendumDraft: draft }));
  await editorIn();

  await press('Discard');
  expect(calls.some(({ method }) => method === 'DELETE')).toBe(false);
  await userEvent.click(await screen.findByRole('button', { name: 'Discard addendum' }));

  expect(await screen.findByRole('button', { name: 'Add addendum' })).toBeDefined();
  expect(calls.find(({ method }) => method === 'DELETE')?.url.search).toBe('?revision=3');
});

test('a draft addendum changed in another window is not overwritten until the author decides', async () => {
  const words = 'The addendum was changed in another window';
  const calls = serve(refuse(reportAddenda.save, 409, words));
  showReading(signed({ addendumDraft: draft }));
  write(await editorIn(), '<p>Mine.</p>');

  await press('Save addendum');

  expect(await screen.findByText(words)).toBeDefined();
  expect((await editorIn()).getText()).toBe('Mine.');
  expect(screen.getByRole('button', { name: 'Keep my text' })).toBeDefined();
  expect(bodiesOf(calls, reportAddenda.save)).toMatchObject([{ content: '<p>Mine.</p>', revision: 3 }]);
});

test('every reader sees a notice of new images since signing, and permitted users can add an addendum', async () => {
  serve();
  const report = signed({ newImages: 2 });
  const { unmount } = showReading(report);
  const words = '2 images have arrived since this report was signed.';
  expect(await screen.findByText(`${words} Review the new images and add an addendum if needed.`)).toBeDefined();
  unmount();

  showReading({ ...report, rights: { ...report.rights, canAddend: false } });

  expect(await screen.findByText(words)).toBeDefined();
});

test('a user who may not sign is not offered an addendum', async () => {
  serve(answer(reports.get, () => signed()));
  const report = signed();
  showReading({ ...report, rights: { ...report.rights, canAddend: false } });

  expect(await screen.findByText('Text unchanged since signing')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Add addendum' })).toBeNull();
});

test('a signed report and its addendum show how the signers identified the patient', async () => {
  showReading(
    reportFor({
      status: 'FINALIZED',
      finalizedBy: signer,
      finalizedAt: '2026-11-21T12:00:00Z',
      contentHash: 'ab12',
      isUnchanged: true,
      identityStatement: 'Wristband and referral',
      addenda: [part({ identityStatement: 'Asked at the bedside' })],
    }),
  );

  expect(await screen.findByText(/The signer stated: “Wristband and referral”/)).toBeDefined();
  expect(screen.getByText(/The signer stated: “Asked at the bedside”/)).toBeDefined();
});

import type { Reply } from '@radwork/contract/core/endpoint';
import { measurements } from '@radwork/contract/reading/measurements';
import { checkReport, reportChecks } from '@radwork/contract/reading/report-checks';
import { layOutFields } from '@radwork/contract/reading/template-fields-html';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Editor } from '@tiptap/core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { reportExtensions } from '#reading/editor/extensions/editor-extensions.ts';
import { writeField } from '#reading/editor/fields/field-entry.ts';
import { typedRangesIn } from '#reading/editor/fields/field-ranges.ts';
import { blocksOf } from '#reading/editor/reading/report-blocks.ts';
import { answer, refuse, serve, show, signIn } from '#test/screen.tsx';
import { reportFor } from '#test/written-report.ts';
import { ChecksTool } from './checks-tool.tsx';
import { SigningChecks } from './signing-checks.tsx';

const facts: Reply<typeof reportChecks.facts> = {
  patientRecordId: 'p1',
  sex: 'F',
  age: 54,
  modality: 'CT',
  studyDate: '2026-11-20',
  priorDates: [],
  hangingPrior: null,
  bodyParts: [],
  measurements: [],
  isFlaggedCritical: false,
  openCriticalFindings: 0,
  newImages: 0,
};

const doubtful =
  '<h2>Findings</h2><ul><li><p>The <strong>prostate</strong> is<br>enlarged.</p></li></ul><table><tbody><tr><td><p>Size [size]</p></td></tr></tbody></table><h2>Impression</h2><p>As above.</p>';

const editorWith = (content: string) => {
  const editor = new Editor({ extensions: reportExtensions(() => {}), content, injectCSS: false });
  document.body.append(editor.view.dom);
  onTestFinished(() => {
    editor.view.dom.remove();
    editor.destroy();
  });
  return editor;
};

const selected = ({ state }: Editor) => state.doc.textBetween(state.selection.from, state.selection.to, '\n');

const warning = {
  kind: 'SEX',
  message: 'The report mentions “prostate”.',
  quote: 'prostate',
  about: '',
  from: 13,
  to: 21,
} as const;

test('the number of remarks follows the text, and the list links each remark to its words', async () => {
  serve(answer(reportChecks.facts, () => facts));
  const editor = editorWith(doubtful);
  show(<ChecksTool editor={editor as never} studyId="s1" />);
  const tool = await screen.findByRole('button', { name: 'Checks: 2 warnings' });
  expect(screen.queryByRole('list', { name: 'Warnings' })).toBeNull();

  await userEvent.click(tool);
  await userEvent.click(screen.getByRole('button', { name: 'Show “prostate”' }));
  expect(selected(editor)).toBe('prostate');
  await userEvent.click(screen.getByRole('button', { name: 'Show “[size]”' }));
  expect(selected(editor)).toBe('[size]');

  act(() => {
    editor.commands.setContent('<h2>Findings</h2><p>Normal.</p><h2>Impression</h2><p>Normal.</p>');
  });
  expect(await screen.findByRole('button', { name: 'Checks: no warnings' })).toBeDefined();
  expect(screen.getByText(/Checks cover the text only/)).toBeDefined();
});

test('the check shows no result while the study data is missing', async () => {
  serve(refuse(reportChecks.facts, 500, 'No'));
  show(<ChecksTool editor={editorWith(doubtful) as never} studyId="s1" />);

  expect(await screen.findByRole('button', { name: 'Checks' })).toBeDefined();
});

test('a remark finds its words again after they moved, and reports words that were deleted', async () => {
  serve(answer(reportChecks.facts, () => facts));
  const editor = editorWith(doubtful);
  show(<ChecksTool editor={editor as never} studyId="s1" />);
  await userEvent.click(await screen.findByRole('button', { name: 'Checks: 2 warnings' }));
  const toSize = screen.getByRole('button', { name: 'Show “[size]”' });
  const toProstate = screen.getByRole('button', { name: 'Show “prostate”' });

  act(() => {
    editor.commands.setContent('<p>New first line.</p><p>Size [size]</p>');
  });
  await userEvent.click(toSize);
  expect(selected(editor)).toBe('[size]');
  await userEvent.click(toProstate);

  expect(await screen.findByText('This text is no longer in the report.')).toBeDefined();
});

test("the dialog for signing shows the server's remarks with their words and links to the text", async () => {
  serve(
    answer(reportChecks.facts, () => facts),
    answer(reportChecks.check, () => ({ contentHash: '', warnings: [warning] })),
  );
  const editor = editorWith(doubtful);
  const close = vi.fn<() => void>();
  show(
    <>
      <ChecksTool editor={editor as never} studyId="s1" />
      <SigningChecks report={reportFor()} onClose={close} />
    </>,
  );

  const remarks = await screen.findByRole('region', { name: 'Before you sign' });
  expect(within(remarks).getByText('The report mentions “prostate”.')).toBeDefined();
  expect(within(remarks).getByText(/You can sign anyway/)).toBeDefined();
  await userEvent.click(within(remarks).getByRole('button', { name: 'Show “prostate”' }));

  expect(close).toHaveBeenCalledOnce();
  await waitFor(() => expect(selected(editor)).toBe('prostate'));
});

test('a warning about critical words names the class of the finding', async () => {
  const critical = { ...warning, kind: 'CRITICAL_WORD', severity: 'URGENT' } as const;
  serve(answer(reportChecks.check, () => ({ contentHash: '', warnings: [critical] })));
  show(<SigningChecks report={reportFor()} onClose={() => {}} />);

  expect(await screen.findByText('Not flagged as critical (Urgent: within hours)')).toBeDefined();
});

const place = (about: string, from: number) =>
  ({ kind: 'PLACEHOLDER', message: '“[x]” is left.', quote: '[x]', about, from, to: from + 3 }) as const;

test('the most harmful remark comes first, and all unfilled fields share one row with links', async () => {
  const critical = { ...warning, kind: 'CRITICAL_WORD', message: 'Pneumothorax.', from: 90, to: 95 } as const;
  const warnings = [place('Lungs', 7), place('', 9), warning, place('Pleura', 19), critical];
  serve(
    answer(reportChecks.facts, () => facts),
    answer(reportChecks.check, () => ({ contentHash: '', warnings })),
  );
  const editor = editorWith('<p>Lungs: [x]</p><p>Pleura: [x]</p>');
  show(
    <>
      <ChecksTool editor={editor as never} studyId="s1" />
      <SigningChecks report={reportFor()} onClose={() => {}} />
    </>,
  );

  const remarks = await screen.findByRole('list', { name: 'Warnings' });
  const rows = within(remarks).getAllByText(/./, { selector: 'b' });
  expect(rows.map(({ textContent }) => textContent)).toEqual(['Not flagged as critical', 'Sex', 'Unfilled field']);
  const places = within(remarks).getByRole('list', { name: 'Unfilled fields' });
  expect(within(places).getAllByRole('button')).toHaveLength(3);
  await userEvent.click(within(places).getByRole('button', { name: 'Show “Pleura: [x]”' }));

  await waitFor(() => expect(editor.state.selection.$from.parent.textContent).toBe('Pleura: [x]'));
  expect(selected(editor)).toBe('[x]');
});

const template = [
  '<p>Side: [Side: laterality]</p>',
  '<p>Signs: [Signs: any of edema|effusion]</p>',
  '<p>Nodule: [Nodule: none|solid][if Nodule is solid], [Size: number mm 0-200][end][if Nodule is none], [Reason: text][end]</p>',
  '<p>Onset: [Onset: date]; note: [Note: text]; other: [other findings]</p>',
].join('');

test('unfilled fields of every kind are one list before signing, and the keyboard goes from there to each field', async () => {
  const editor = editorWith(`<h2>Findings</h2>${layOutFields(template)}<h2>Impression</h2><p>Normal.</p>`);
  const [, , nodule] = typedRangesIn(editor.state.doc);
  if (!nodule) throw new Error('no field');
  writeField(editor.view, nodule, 'solid');
  serve(
    answer(reportChecks.facts, () => facts),
    answer(reportChecks.check, () => ({ contentHash: '', warnings: checkReport(blocksOf(editor), facts) })),
  );
  show(
    <>
      <ChecksTool editor={editor as never} studyId="s1" />
      <SigningChecks report={reportFor()} onClose={() => {}} />
    </>,
  );

  const list = within(await screen.findByRole('list', { name: 'Unfilled fields' }));
  const names = ['Side', 'Signs', 'Size', 'Onset', 'Note', 'other findings'];
  const buttons = list.getAllByRole('button');
  expect(buttons.map(({ textContent }) => textContent?.match(/\[.*\]/)?.[0])).toEqual(names.map((name) => `[${name}]`));
  for (const [index, name] of names.entries()) {
    buttons[index]?.focus();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(selected(editor)).toBe(`[${name}]`));
    expect(document.activeElement).toBe(editor.view.dom);
  }
});

test('while a passage is undecided, the hint that the report can be signed despite remarks is hidden', async () => {
  serve(answer(reportChecks.check, () => ({ contentHash: '', warnings: [warning] })));
  const content = '<p><ins data-ai-passage="0197c0de-0000-7000-8000-0000000000aa">x</ins></p>';
  show(<SigningChecks report={reportFor({ content })} onClose={() => {}} />);

  expect(await screen.findByText(/The open AI passages above do/)).toBeDefined();
  expect(screen.queryByText(/You can sign anyway/)).toBeNull();
});

test('remarks on a read-only report quote its words without links', async () => {
  serve(answer(reportChecks.check, () => ({ contentHash: '', warnings: [warning] })));
  show(<SigningChecks report={reportFor({ status: 'APPROVED' })} onClose={() => {}} />);

  expect(await screen.findByText('The report mentions “prostate”.')).toBeDefined();
  expect(screen.queryByRole('button', { name: /Show/ })).toBeNull();
});

test('a failed check shows a message and does not prevent signing', async () => {
  serve(refuse(reportChecks.check, 500, 'No'));
  show(<SigningChecks report={reportFor()} onClose={() => {}} />);

  expect(await screen.findByText(/Could not check the text/)).toBeDefined();
});

test('a dismissed remark disappears from the list and the count, until the user shows all again', async () => {
  serve(answer(reportChecks.facts, () => facts));
  show(<ChecksTool editor={editorWith(doubtful) as never} studyId="s1" />);
  await userEvent.click(await screen.findByRole('button', { name: 'Checks: 2 warnings' }));

  await userEvent.click(screen.getByRole('button', { name: 'Dismiss Sex' }));

  expect(screen.getByRole('button', { name: 'Checks: 1 warning' })).toBeDefined();
  expect(screen.queryByText(/The report mentions “prostate”/)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Show all' }));
  expect(screen.getByRole('button', { name: 'Checks: 2 warnings' })).toBeDefined();
});

test('a wrong date of a prior is replaced by that of the prior that hangs', async () => {
  const hangingPrior = { date: '2026-03-14', description: 'CT chest' };
  serve(answer(reportChecks.facts, () => ({ ...facts, priorDates: ['2026-03-14'], hangingPrior })));
  const editor = editorWith(
    '<h2>Comparison</h2><p>CT of 2025-03-14.</p><h2>Impression</h2><p>The lungs are clear.</p>',
  );
  show(<ChecksTool editor={editor as never} studyId="s1" />);
  await userEvent.click(await screen.findByRole('button', { name: 'Checks: 1 warning' }));

  await userEvent.click(screen.getByRole('button', { name: 'Replace “2025-03-14” with 2026-03-14' }));

  expect(editor.getText()).toContain('CT of 2026-03-14.');
});

test('a value that was measured in the images is compared with the text', async () => {
  signIn();
  const measured = {
    id: 'm1',
    tool: 'LENGTH',
    seriesInstanceUID: '1.2',
    sopInstanceUID: '1.2.3',
    frame: 1,
    frameOfReferenceUID: null,
    points: [[0, 0, 0]],
    plane: null,
    label: '',
    values: [{ quantity: 'LENGTH', value: 12.1, unit: 'mm' }],
    revision: 1,
    author: { username: 'mona', name: 'Mona Haddad' },
    createdDate: '2026-11-20T09:30:00Z',
    updatedDate: '2026-11-20T09:30:00Z',
    isMine: true,
  } satisfies Reply<typeof measurements.ofStudy>[number];
  serve(
    answer(reportChecks.facts, () => facts),
    answer(measurements.ofStudy, () => [measured]),
  );
  const text =
    '<h2>Findings</h2><p>The nodule in the lung measures 14 mm.</p><h2>Impression</h2><p>Nodule in the lung.</p>';
  show(<ChecksTool editor={editorWith(text) as never} studyId="s1" />);
  await userEvent.click(await screen.findByRole('button', { name: 'Checks: 1 warning' }));

  expect(screen.getByText('The report says “14 mm”. A measurement of this study is 12.1 mm.')).toBeDefined();
});

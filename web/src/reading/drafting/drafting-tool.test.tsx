import { type DraftedPassage, drafting, type DraftingEvent } from '@radwork/contract/reading/drafting';
import { reportingSettings } from '@radwork/contract/reading/reporting-settings';
import { studies } from '@radwork/contract/imaging/studies';
import { RichTextEditor } from '@mantine/tiptap';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Editor } from '@tiptap/core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { reportExtensions } from '#reading/editor/extensions/editor-extensions.ts';
import { lockText } from '#reading/editor/text-lock.ts';
import { answer, refuse, serve, show } from '#test/screen.tsx';
import { writingSettings } from '#test/usual-replies.ts';
import { studyDetails } from '#test/studies.ts';
import { reportFor } from '#test/written-report.ts';
import { DraftingTool } from './drafting-tool.tsx';
import { EnhanceTool } from './enhance-tool.tsx';
import { OpenPassagesNotice } from './open-passages-notice.tsx';

type Answer = Parameters<typeof serve>[number];

const id = '0197c0de-0000-7000-8000-0000000000aa';
const passage: DraftedPassage = {
  id,
  kind: 'IMPRESSION',
  text: 'Fracture of rib 5.',
  html: `<p><ins data-ai-passage="${id}">Fracture of rib 5.</ins></p>`,
  provider: 'OPENAI',
  providerName: 'OpenAI-compatible server',
  model: 'm-1',
  isRuleBased: false,
  strangeNumbers: [],
  strangeWords: [],
};
const sent: DraftingEvent = {
  kind: 'sent',
  sent: { instructions: 'Draft.', prompt: 'Findings:\nfracture of [NAME 1]' },
};
const done: DraftingEvent = { kind: 'done', passages: [passage] };

/** Response stream that the test writes to. Also returns whether the client has canceled it. */
const streaming = (path: RegExp) => {
  const { readable, writable } = new TransformStream<string, string>();
  const writer = writable.getWriter();
  const stream: Answer = {
    method: 'POST',
    path,
    reply: ({ signal }) => {
      signal?.addEventListener('abort', () => void writer.abort(signal.reason).catch(() => {}));
      return new Response(readable.pipeThrough(new TextEncoderStream()));
    },
  };
  const send = (...events: DraftingEvent[]) =>
    act(async () => {
      for (const event of events) await writer.write(`data: ${JSON.stringify(event)}\n\n`);
    });
  return { stream, tell: send, close: () => act(() => writer.close()) };
};

const streamAnswer = (path: RegExp, ...events: DraftingEvent[]): Answer => ({
  method: 'POST',
  path,
  reply: () => new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')),
});

const generates = /^\/api\/gemini\/generate$/;
const reports = /^\/api\/gemini\/medical-report$/;

const open = (content: string, ...answers: Answer[]) => {
  const calls = serve(...answers);
  const editor = new Editor({ extensions: reportExtensions(() => {}), content, injectCSS: false });
  onTestFinished(() => editor.destroy());
  show(
    <RichTextEditor editor={editor as never}>
      <DraftingTool editor={editor as never} studyId="s1" />
      <EnhanceTool editor={editor as never} />
    </RichTextEditor>,
  );
  return { editor, calls };
};

const choose = async (name: string) => {
  await userEvent.click(await screen.findByRole('button', { name: 'AI drafting' }));
  await userEvent.click(await screen.findByRole('menuitem', { name }));
};

const sentTo = (calls: ReturnType<typeof serve>, path: RegExp) => calls.filter(({ url }) => path.test(url.pathname));

test('an impression is drafted from the text and appears as a proposal below its heading', async () => {
  const content = '<h2>Findings</h2><p>fracture of rib 5</p><h2>Impression</h2><p></p>';
  const { editor, calls } = open(content, streamAnswer(generates, sent, done));

  await choose('Generate impression');

  await waitFor(() => expect(editor.getHTML()).toContain(`<h2>Impression</h2>${passage.html}`));
  const [call] = sentTo(calls, generates);
  expect(call?.url.search).toBe('?stream=1');
  expect(call?.body).toEqual({
    kind: 'IMPRESSION',
    prompt: 'Findings\nfracture of rib 5\nImpression',
    studyId: 's1',
  });
});

test('parts of a draft appear as they arrive, and the user can keep typing', async () => {
  const { stream, tell: send, close } = streaming(generates);
  const { editor } = open('<p>fracture of rib 5</p>', stream);
  await choose('Generate impression');
  expect(await screen.findByText('Drafting impression')).toBeDefined();

  await send(sent, { kind: 'piece', text: 'Fracture ' });
  await waitFor(() => expect(editor.view.dom.textContent).toContain('Fracture '));
  act(() => void editor.commands.insertContentAt(1, 'Old '));
  expect(editor.getText()).toBe('Old fracture of rib 5');
  await send(done);
  await close();

  await waitFor(() => expect(editor.getHTML()).toBe(`<p>Old fracture of rib 5</p>${passage.html}`));
  expect(screen.queryByText('Drafting impression')).toBeNull();
});

test('a draft that arrives during signing is inserted after signing ends', async () => {
  const { stream, tell: send } = streaming(generates);
  const { editor } = open('<p>Fracture.</p>', stream);
  await choose('Generate impression');
  await send(sent);

  act(() => lockText(editor, true));
  await send(done);
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  expect(editor.getText()).toBe('Fracture.');
  act(() => lockText(editor, false));

  await waitFor(() => expect(editor.getText()).toContain('Fracture of rib 5.'));
});

test('canceling a draft removes all of it', async () => {
  const { stream, tell: send } = streaming(generates);
  const { editor } = open('<p>fracture of rib 5</p>', stream);
  await choose('Generate impression');
  await send(sent, { kind: 'piece', text: 'Fracture ' });

  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));

  expect(await screen.findByRole('button', { name: 'AI drafting' })).toBeDefined();
  await waitFor(() => expect(editor.view.dom.textContent).toBe('fracture of rib 5'));
});

test('an enhanced text appears next to the original, and rejecting it restores the original', async () => {
  const enhanced = {
    ...passage,
    kind: 'ENHANCEMENT' as const,
    text: 'nodule',
    html: `<p><ins data-ai-passage="${id}">nodule</ins></p>`,
  };
  const decided = answer(drafting.decide, () => ({ id, decision: 'REJECTED' as const }));
  const { editor, calls } = open(
    '<p>a noodle here</p>',
    streamAnswer(generates, sent, { kind: 'done', passages: [enhanced] }),
    decided,
  );
  act(() => void editor.commands.setTextSelection({ from: 3, to: 9 }));

  await userEvent.click(await screen.findByRole('button', { name: 'Enhance wording' }));
  await waitFor(() => expect(editor.getHTML()).toContain('<del data-ai-passage'));
  const group = await screen.findByRole('group', { name: 'Open AI passages' });
  expect(within(group).getByText('1 AI passage open')).toBeDefined();
  await userEvent.click(within(group).getByRole('button', { name: 'Reject' }));

  await waitFor(() => expect(editor.getHTML()).toBe('<p>a noodle here</p>'));
  expect(calls.at(-1)).toMatchObject({ method: 'POST', body: { decision: 'REJECTED' } });
  expect(calls.at(-1)?.url.pathname).toBe(`/api/studies/s1/ai-passages/${id}/decision`);
});

test('the command "Enhance selection" without a selection shows a hint', async () => {
  open('<p>words</p>');

  await choose('Enhance selection');

  expect(await screen.findByText('No text selected')).toBeDefined();
});

test('the server records the acceptance of a proposal before the text changes', async () => {
  const { editor } = open(`<p>a</p>${passage.html}`, refuse(drafting.decide, 404, 'Passage not found'));

  await userEvent.click(await screen.findByRole('button', { name: 'Accept' }));

  expect(await screen.findByText('Passage not found')).toBeDefined();
  expect(editor.getHTML()).toContain('<ins');
});

test('the editor scrolls to a new proposal', async () => {
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
  onTestFinished(() => scrolled.mockRestore());
  open('<p>fracture of rib 5</p>', streamAnswer(generates, sent, done));

  await choose('Generate impression');
  await screen.findByRole('group', { name: 'Open AI passages' });

  const passageTexts = scrolled.mock.contexts.map((element) => (element as Element).textContent);
  expect(passageTexts).toContain('Fracture of rib 5.');
});

test('a passage that is not visible must first scroll into view before it can be accepted', async () => {
  let show = () => {};
  class Observer {
    callback: (entries: object[]) => void;
    constructor(callback: (entries: object[]) => void) {
      this.callback = callback;
    }
    observe(target: Element) {
      const rect = new DOMRect(0, 0, 1, 1);
      show = () => this.callback([{ target, isIntersecting: true, boundingClientRect: rect, intersectionRect: rect }]);
    }
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', Observer);
  onTestFinished(() => void vi.unstubAllGlobals());
  const decided = answer(drafting.decide, () => ({ id, decision: 'ACCEPTED' as const }));
  const { editor, calls } = open(`<p>a</p>${passage.html}`, decided);

  await userEvent.click(await screen.findByRole('button', { name: 'Accept' }));
  expect(await screen.findByText(/^The unread part of the passage/)).toBeDefined();
  expect(editor.getHTML()).toContain('<ins');
  expect(calls.filter(({ url }) => url.pathname.endsWith('/decision'))).toEqual([]);
  show();
  await userEvent.click(await screen.findByRole('button', { name: 'Accept' }));

  await waitFor(() => expect(editor.getHTML()).toBe('<p>a</p><p>Fracture of rib 5.</p>'));
});

test.each([
  ['Accept', 'ACCEPTED'],
  ['Reject', 'REJECTED'],
] as const)('after %s of the last passage, the focus returns to the text', async (verb, decision) => {
  const decided = answer(drafting.decide, () => ({ id, decision }));
  const { editor } = open(`<p>a</p>${passage.html}`, decided);
  document.body.append(editor.view.dom);
  onTestFinished(() => editor.view.dom.remove());

  await userEvent.click(await screen.findByRole('button', { name: verb }));

  await waitFor(() => expect(document.activeElement).toBe(editor.view.dom));
  expect(editor.getHTML()).not.toContain('<ins');
});

test('a report is drafted from the text without unfilled fields, below existing headings', async () => {
  const study = answer(studies.get, () => studyDetails({ description: 'CT thorax' }));
  const other = id.replace('aa', 'bb');
  const html = (of: string, heading: string) =>
    `<h2><ins data-ai-passage="${of}">${heading}</ins></h2><p><ins data-ai-passage="${of}">Fracture.</ins></p>`;
  const passages: [DraftedPassage, DraftedPassage] = [
    { ...passage, kind: 'REPORT', html: html(id, 'Findings') },
    { ...passage, kind: 'REPORT', id: other, html: html(other, 'Impression') },
  ];
  const { editor } = open(
    '<h2>Findings</h2><p>Ribs: [fractures]</p><p>fracture</p><h2>Impression</h2><p>[conclusion]</p>',
    study,
    streamAnswer(reports, sent, { kind: 'done', passages }),
  );
  await choose('Generate report');
  const dialog = await screen.findByRole('dialog');
  expect(await within(dialog).findByLabelText(/Findings/)).toHaveProperty('value', 'Findings\nfracture\nImpression');

  await userEvent.click(within(dialog).getByRole('button', { name: 'Generate report' }));

  expect(await screen.findByText('AI passage 1 of 2')).toBeDefined();
  expect(editor.getHTML().match(/<h2>/g)).toHaveLength(2);
});

test('a user can reject a passage that the server does not know', async () => {
  const { editor } = open(`<p>a</p>${passage.html}`, refuse(drafting.decide, 404, 'Passage not found'));

  await userEvent.click(await screen.findByRole('button', { name: 'Reject' }));

  await waitFor(() => expect(editor.getHTML()).toBe('<p>a</p>'));
});

test('the request to draft a report contains study and findings, and the tool names missing parts', async () => {
  const study = answer(studies.get, () => studyDetails({ description: 'CT thorax' }));
  const { editor, calls } = open(
    '<p></p>',
    study,
    streamAnswer(reports, { kind: 'sent', sent: null }, { kind: 'done', passages: [{ ...passage, kind: 'REPORT' }] }),
  );
  await choose('Generate report');
  const dialog = await screen.findByRole('dialog');
  const description = await within(dialog).findByLabelText(/Study description/);
  expect(description).toHaveProperty('value', 'CT thorax');

  await userEvent.clear(description);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Generate report' }));
  expect(within(dialog).getByText('Study description is required')).toBeDefined();
  expect(within(dialog).getByText('Findings are required')).toBeDefined();
  expect(within(dialog).getByText('Please fill in all required fields')).toBeDefined();
  expect(sentTo(calls, reports)).toEqual([]);

  await userEvent.type(description, 'CT chest');
  await userEvent.type(within(dialog).getByLabelText(/Findings/), 'fracture of rib 5');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Generate report' }));

  expect(await screen.findByText('Report generated successfully')).toBeDefined();
  expect(sentTo(calls, reports)[0]?.body).toMatchObject({
    studyDescription: 'CT chest',
    findings: 'fracture of rib 5',
    studyId: 's1',
  });
  expect(editor.getHTML()).toContain(passage.html);
});

test.each([
  ['Generate impression', generates, 'Error generating impression: The model is busy'],
  ['Enhance selection', generates, 'Error enhancing text: The model is busy'],
])('a failure of "%s" shows its message, which stays visible', async (item, path, words) => {
  const { editor } = open('<p>words</p>', streamAnswer(path, sent, { kind: 'failed', message: 'The model is busy' }));
  act(() => void editor.commands.selectAll());

  await choose(item);

  expect(await within(await screen.findByRole('group', { name: 'AI' })).findByRole('alert')).toHaveProperty(
    'textContent',
    words,
  );
  expect(editor.getHTML()).toBe('<p>words</p>');
});

test("a report that cannot be drafted shows the server's message", async () => {
  const study = answer(studies.get, () => studyDetails({ description: 'CT thorax' }));
  open('<p>words</p>', study, refuse(drafting.medicalReport, 503, 'AI service is not configured'));
  await choose('Generate report');

  await userEvent.click(await screen.findByRole('button', { name: 'Generate report' }));

  expect(await screen.findAllByText('Error generating report: AI service is not configured')).not.toEqual([]);
});

test('the user can read in full the text that was sent to the provider', async () => {
  open('<p>words</p>', streamAnswer(generates, sent, done));
  await choose('Generate impression');
  await screen.findByRole('group', { name: 'Open AI passages' });

  await choose('Show sent text');

  const dialog = await screen.findByRole('dialog', { name: 'Sent text' });
  expect(within(dialog).getByText('Draft.')).toBeDefined();
  expect(dialog.textContent).toContain('Findings:\nfracture of [NAME 1]');
});

test('the tool shows the provider and the destination of the text before the first request', async () => {
  open('<p></p>');

  await userEvent.click(await screen.findByRole('button', { name: 'AI drafting' }));

  expect(await screen.findByText('Built-in drafter · rule-based')).toBeDefined();
  expect(screen.getByText(/No text leaves this server/)).toBeDefined();
});

test('without a provider the tool has no draft buttons, but open passages can be accepted or rejected', async () => {
  const off = { ...writingSettings, drafting: { ...writingSettings.drafting, isOn: false, provider: 'NONE' as const } };
  open(
    passage.html,
    answer(reportingSettings.forWriting, () => off),
  );

  expect(await screen.findByRole('group', { name: 'Open AI passages' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'AI drafting' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Enhance wording' })).toBeNull();
});

test('the sign button shows the number of undecided passages and leads to the first', async () => {
  const content = `${passage.html}<p><ins data-ai-passage="${id.replace('aa', 'bb')}">x</ins></p>`;
  const { editor } = open(content);
  document.body.append(editor.view.dom);
  onTestFinished(() => editor.view.dom.remove());
  const close = vi.fn<() => void>();
  show(<OpenPassagesNotice report={reportFor({ content })} onClose={close} />);

  expect(screen.getByRole('alert').textContent).toMatch(
    /^The report has 2 undecided AI passages. Accept or reject them first./,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Show first passage' }));

  expect(close).toHaveBeenCalledOnce();
  await waitFor(() =>
    expect(document.activeElement).toBe(within(editor.view.dom).getByRole('button', { name: 'Accept AI passage 1' })),
  );
});

test("the proposal lists its numbers that are missing in the writer's text", async () => {
  const event: DraftingEvent = { kind: 'done', passages: [{ ...passage, strangeNumbers: ['7', '12'] }] };
  open('<p>words</p>', streamAnswer(generates, sent, event));

  await choose('Generate impression');

  expect(await screen.findByText(/^Numbers not in your text: 7, 12\./)).toBeDefined();
});

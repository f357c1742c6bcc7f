import { dictation } from '@radwork/contract/reading/dictation';
import { reportingSettings } from '@radwork/contract/reading/reporting-settings';
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { act, renderHook, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Editor } from '@tiptap/core';
import { expect, onTestFinished, test } from 'vitest';
import { useUnwrittenPhrases } from '#reading/editor/dictation/unwritten-phrases.ts';
import { reportExtensions } from '#reading/editor/extensions/editor-extensions.ts';
import { lockText } from '#reading/editor/text-lock.ts';
import { MicrophoneStandIn, standInForMicrophone } from '#test/microphone.ts';
import { answer, refuse, serve, type SentRequest, show } from '#test/screen.tsx';
import { SpeechStandIn, standInForSpeech } from '#test/speech.ts';
import { noise, sounds, speech } from '#test/spoken-sound.ts';
import { writingSettings } from '#test/usual-replies.ts';
import { mayLeave } from '#ui/dialogs/use-leave-warning.ts';
import { DictationTool } from './dictation-tool.tsx';

const phrase = sounds(noise(0.5), speech(1), noise(1));

const withServer = (isBrowserAllowed = true) =>
  answer(reportingSettings.forWriting, () => ({
    ...writingSettings,
    dictation: { server: 'whisper.lan:8000', isBrowserAllowed },
  }));

/** Replies to the phrases with these texts, one after another. */
const says = (...texts: string[]) => answer(dictation.transcribe, () => ({ text: texts.shift() ?? '' }));

/** Shows the tool on a page that warns before it is left. */
const showTool = (editor: Editor) => {
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
  return show(
    <RouterContextProvider router={router}>
      <DictationTool editor={editor as never} studyId="s1" />
    </RouterContextProvider>,
  );
};

const open = async (content: string, ...answers: Parameters<typeof serve>) => {
  const calls = serve(...answers, withServer());
  const editor = new Editor({ extensions: reportExtensions(() => {}), content, injectCSS: false });
  editor.commands.setTextSelection(editor.state.doc.content.size - 1);
  onTestFinished(() => editor.destroy());
  const view = showTool(editor);
  await waitFor(() => expect(dictate().dataset.refused).toBeUndefined());
  return { editor, calls, ...view };
};

const dictate = () => screen.getByRole('button', { name: /^(?:Dictate|(?:Starting|Listening), stop dictation)$/ });

const begin = async () => {
  await userEvent.click(dictate());
  await userEvent.click(await screen.findByRole('button', { name: 'Start dictation' }));
  await screen.findByText('Listening');
};

const hears = (sound: Float32Array) => MicrophoneStandIn.current?.hears(sound);

test('the first dictation names the server that hears the voice, and the phrases become text with commands', async () => {
  standInForMicrophone();
  const { editor } = await open(
    '<p></p>',
    says('No pleural effusion.', 'New paragraph. The heart is normal.', 'Stop dictation.'),
  );
  await userEvent.click(dictate());
  expect(await screen.findByText(/are sent to whisper\.lan:8000, the dictation server/)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Start dictation' }));
  await screen.findByText('Listening');

  hears(phrase);
  await waitFor(() => expect(editor.getText()).toBe('No pleural effusion.'));
  hears(phrase);
  await waitFor(() => expect(editor.getText()).toContain('The heart is normal.'));
  hears(phrase);

  expect(await screen.findByText('Dictate')).toBeDefined();
  expect(editor.getHTML()).toBe('<p>No pleural effusion.</p><p>The heart is normal.</p>');
  expect(MicrophoneStandIn.current?.isOpen).toBe(false);
});

test('each phrase is sent with the language and the words before the cursor, and "Writing" is shown meanwhile', async () => {
  standInForMicrophone();
  const bodies: object[] = [];
  const reply = Promise.withResolvers<{ text: string }>();
  await open(
    '<p>The liver is normal.</p>',
    answer(dictation.transcribe, ({ body }) => {
      bodies.push(body as object);
      return reply.promise;
    }),
  );
  await begin();

  hears(phrase);
  expect(await screen.findByText('Writing')).toBeDefined();
  reply.resolve({ text: 'so is the spleen' });

  await waitFor(() => expect(screen.queryByText('Writing')).toBeNull());
  expect(bodies).toEqual([{ audio: expect.any(String), language: 'en', before: 'The liver is normal.' }]);
});

test('a failed phrase is written after a retry, before the phrases that waited', async () => {
  standInForMicrophone();
  const busy = refuse(dictation.transcribe, 503, 'The dictation server whisper.lan:8000 is busy.');
  const failures = [true];
  const texts = ['first words', 'second words'];
  const { editor } = await open('<p></p>', {
    ...busy,
    reply: (sent: SentRequest) => (failures.shift() ? busy.reply(sent) : says(texts.shift() ?? '').reply(sent)),
  });
  await begin();
  hears(phrase);
  expect(await screen.findByText(/The dictation server whisper\.lan:8000 is busy\./)).toBeDefined();
  hears(phrase);
  expect(await screen.findByText(/1 more phrase waits\./)).toBeDefined();

  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  await waitFor(() => expect(editor.getText()).toBe('First words. Second words.'));
});

test('words that arrive while the report is being signed do not enter the text and are shown', async () => {
  standInForMicrophone();
  const reply = Promise.withResolvers<{ text: string }>();
  const { editor } = await open(
    '<p>Lungs clear.</p>',
    answer(dictation.transcribe, () => reply.promise),
  );
  await begin();
  hears(phrase);
  await screen.findByText('Writing');

  act(() => lockText(editor, true));
  reply.resolve({ text: 'tension pneumothorax' });

  expect(await screen.findByText(/tension pneumothorax/)).toBeDefined();
  expect(editor.getText()).toBe('Lungs clear.');
  await waitFor(() => expect(MicrophoneStandIn.current?.isOpen).toBe(false));
});

test('words that arrive after the editor has closed are kept and shown', async () => {
  standInForMicrophone();
  const reply = Promise.withResolvers<{ text: string }>();
  const { editor } = await open(
    '<p>Lungs clear.</p>',
    answer(dictation.transcribe, () => reply.promise),
  );
  await begin();
  hears(phrase);
  await screen.findByText('Writing');

  editor.destroy();
  reply.resolve({ text: 'tension pneumothorax' });

  expect(await screen.findByText(/tension pneumothorax/)).toBeDefined();
});

test('the text counts as incomplete until the last phrase is written or discarded', async () => {
  standInForMicrophone();
  const reply = Promise.withResolvers<never>();
  await open(
    '<p></p>',
    answer(dictation.transcribe, () => reply.promise),
  );
  const { result } = renderHook(() => useUnwrittenPhrases('s1'));
  await begin();
  expect(result.current).toBeUndefined();

  hears(phrase);
  expect(result.current).toBe('Dictated words are still being written.');
  reply.reject(new Error('no'));
  await screen.findByText(/A phrase was not written\./);
  expect(result.current).toBe('A dictated phrase was not written. Retry or discard it above the text.');
  await userEvent.click(screen.getByRole('button', { name: 'Discard phrase' }));

  expect(result.current).toBeUndefined();
});

test('a phrase replaces what was selected before it, and not what was selected later', async () => {
  standInForMicrophone();
  const reply = Promise.withResolvers<{ text: string }>();
  const replies = [Promise.resolve({ text: 'a small' }), reply.promise];
  const { editor } = await open(
    '<p>There is [no] effusion. Spleen normal.</p>',
    answer(dictation.transcribe, () => replies.shift() ?? reply.promise),
  );
  editor.commands.setTextSelection({ from: 10, to: 14 });
  await begin();
  hears(phrase);
  await waitFor(() => expect(editor.getText()).toBe('There is a small effusion. Spleen normal.'));

  hears(phrase);
  await screen.findByText('Writing');
  const at = editor.getText().indexOf('Spleen') + 1;
  editor.commands.setTextSelection({ from: at, to: at + 'Spleen'.length });
  reply.resolve({ text: 'is' });

  await waitFor(() => expect(editor.getText()).toBe('There is a small effusion. Spleen is normal.'));
});

test('a field that a dictated command has selected is filled by the words said meanwhile', async () => {
  standInForMicrophone();
  const first = Promise.withResolvers<{ text: string }>();
  const replies = [first.promise, Promise.resolve({ text: 'clear' })];
  const { editor } = await open(
    '<p>Lungs: [state]</p>',
    answer(dictation.transcribe, () => replies.shift() ?? first.promise),
  );
  await begin();
  hears(phrase);
  hears(phrase);
  first.resolve({ text: 'next field' });

  await waitFor(() => expect(editor.getText()).toMatch(/^Lungs: clear\.?$/i));
});

test('leaving while the dictation server listens asks first', async () => {
  standInForMicrophone();
  await open('<p></p>', says());
  await begin();

  void mayLeave();

  expect(await screen.findByText('Leave before the dictated words are written?')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
});

test('leaving in the middle of a phrase sends nothing', async () => {
  standInForMicrophone();
  const { calls, unmount } = await open('<p></p>', says());
  await begin();
  hears(sounds(noise(0.5), speech(1)));

  unmount();

  expect(MicrophoneStandIn.current?.isOpen).toBe(false);
  expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('leaving the report closes the microphone and ends the call', async () => {
  standInForMicrophone();
  const { unmount } = await open('<p></p>', says());
  await begin();

  unmount();

  expect(MicrophoneStandIn.current?.isOpen).toBe(false);
});

test('words spoken before the stop are still written', async () => {
  standInForMicrophone();
  const { editor } = await open('<p></p>', says('no effusion'));
  await begin();

  hears(sounds(noise(0.5), speech(1)));
  await userEvent.click(dictate());

  await waitFor(() => expect(editor.getText()).toBe('No effusion.'));
  expect(dictate().getAttribute('aria-pressed')).toBe('false');
});

test.each([
  ['NotAllowedError', 'Microphone access denied. Please enable microphone permissions.'],
  ['NotFoundError', 'No microphone found. Please check your microphone.'],
  ['NotReadableError', 'No microphone found. Please check your microphone.'],
])('the error %s of the microphone is shown as "%s"', async (name, message) => {
  standInForMicrophone(name);
  await open('<p></p>', says());
  await userEvent.click(dictate());
  await userEvent.click(await screen.findByRole('button', { name: 'Start dictation' }));

  expect(await screen.findByText(message)).toBeDefined();
  expect(await screen.findByText('Dictate')).toBeDefined();
});

test('an unplugged microphone ends dictation with a message', async () => {
  standInForMicrophone();
  await open('<p></p>', says());
  await begin();

  MicrophoneStandIn.current?.unplug();

  expect(await screen.findByText('No microphone found. Please check your microphone.')).toBeDefined();
  expect(await screen.findByText('Dictate')).toBeDefined();
});

test('the reader chooses the recognizer of the browser where both exist, and the choice is remembered', async () => {
  standInForSpeech();
  const { unmount } = await open('<p></p>', says());
  await userEvent.click(screen.getByRole('button', { name: 'Dictation settings' }));
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Recognizer' }), 'browser');
  expect(await screen.findByText(/may send your voice to its vendor/)).toBeDefined();
  unmount();

  await open('<p></p>');
  await begin();

  expect(SpeechStandIn.made).toHaveLength(1);
});

test('where the organization forbids the recognizer of the browser, only its server is used', async () => {
  standInForSpeech();
  await open('<p></p>', withServer(false));
  await userEvent.click(screen.getByRole('button', { name: 'Dictation settings' }));

  expect(await screen.findByText(/the dictation server of your organization/)).toBeDefined();
  expect(screen.queryByRole('combobox', { name: 'Recognizer' })).toBeNull();
});

test('without a server and without the recognizer of the browser, the reason is shown', async () => {
  serve(
    answer(reportingSettings.forWriting, () => ({
      ...writingSettings,
      dictation: { server: '', isBrowserAllowed: false },
    })),
  );
  const editor = new Editor({ extensions: reportExtensions(() => {}), injectCSS: false });
  onTestFinished(() => editor.destroy());
  showTool(editor);
  await waitFor(() => expect(dictate().dataset.refused).toBe('true'));

  await userEvent.click(dictate());

  expect(
    await within(await screen.findByRole('dialog')).findByText(
      'Your organization allows dictation only with its own server, and none is set up. Ask an administrator.',
    ),
  ).toBeDefined();
});

test('a correction applies to the next dictation, and a new one begins with the selected word', async () => {
  standInForMicrophone();
  const kept = [{ id: 'c1', written: 'plural', said: 'pleural' }];
  const { editor } = await open(
    '<p>Small plural.</p>',
    answer(dictation.corrections, () => kept),
    answer(dictation.addCorrection, ({ body }) => {
      const created = { id: 'c2', ...(body as { written: string; said: string }) };
      kept.push(created);
      return created;
    }),
    says('small plural effusion'),
  );
  editor.commands.setTextSelection({ from: 1, to: 6 });
  await userEvent.click(screen.getByRole('button', { name: 'Dictation settings' }));
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'It wrote' }).value).toBe('Small');
  await userEvent.type(screen.getByRole('textbox', { name: 'I said' }), 'tiny');
  await userEvent.click(screen.getByRole('button', { name: 'Create correction' }));
  await screen.findByText('Correction created');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  editor.commands.setTextSelection(editor.state.doc.content.size - 1);
  await begin();

  hears(phrase);

  await waitFor(() => expect(editor.getText()).toContain('Tiny pleural effusion'));
});

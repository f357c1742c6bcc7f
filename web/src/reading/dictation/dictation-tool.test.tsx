import { reportingSettings } from '@radwork/contract/reading/reporting-settings';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Editor } from '@tiptap/core';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { saveSession, readSession } from '#core/state/session.ts';
import { saveUnsaved, readUnsaved } from '#core/state/unsaved-texts.ts';
import { reportExtensions } from '#reading/editor/extensions/editor-extensions.ts';
import { lockText } from '#reading/editor/text-lock.ts';
import { answer, refuse, serve, show, signIn } from '#test/screen.tsx';
import { writingSettings } from '#test/usual-replies.ts';
import { SpeechStandIn, standInForSpeech, withDevices } from '#test/speech.ts';
import { DictationTool } from './dictation-tool.tsx';

const editorWith = (content: string) => {
  const editor = new Editor({ extensions: reportExtensions(() => {}), content, injectCSS: false });
  editor.commands.setTextSelection(editor.state.doc.content.size - 1);
  onTestFinished(() => editor.destroy());
  return editor;
};

const open = (content = '<p></p>', studyId = 's1') => {
  const editor = editorWith(content);
  return { editor, ...show(<DictationTool editor={editor as never} studyId={studyId} />) };
};

const mayDictate = () => waitFor(() => expect(dictate().dataset.refused).toBeUndefined());
const dictate = () => screen.getByRole('button', { name: /^(?:Dictate|(?:Starting|Listening), stop dictation)$/ });

const saysInDialog = async (words: string) => within(await screen.findByRole('dialog')).findByText(words);

/** Accepts the notice and waits until the engine listens. */
const begin = async () => {
  await mayDictate();
  await userEvent.click(dictate());
  await userEvent.click(await screen.findByRole('button', { name: 'Start dictation' }));
  await screen.findByText('Listening');
};

test('final words are inserted into the report, and interim words are only shown', async () => {
  serve();
  standInForSpeech();
  const { editor } = open();
  await begin();

  SpeechStandIn.current.hears('no pleural eff');
  expect(screen.getByTestId('interim').textContent).toBe('no pleural eff');
  expect(editor.getText()).toBe('');
  SpeechStandIn.current.understands('no pleural effusion');
  SpeechStandIn.current.understands('heart size is normal new paragraph');

  expect(editor.getHTML()).toBe('<p>No pleural effusion. Heart size is normal.</p><p></p>');
  expect(screen.queryByTestId('interim')).toBeNull();
});

test('words that Android Chrome reports as final several times are inserted once', async () => {
  serve();
  standInForSpeech();
  const { editor } = open();
  await begin();

  for (const words of ['no', 'no pleural', 'no pleural effusion']) SpeechStandIn.current.doubts(words);
  expect(screen.getByTestId('interim').textContent).toBe('no pleural effusion');
  expect(editor.getText()).toBe('');
  SpeechStandIn.current.pauses();

  expect(editor.getText()).toBe('No pleural effusion.');
});

test('dictation stops when a report is being signed, and words recognized later do not enter the text', async () => {
  serve();
  standInForSpeech();
  const { editor } = open('<p>Lungs clear.</p>');
  await begin();
  const heardBy = SpeechStandIn.current;

  act(() => lockText(editor, true));
  heardBy.understands('tension pneumothorax');

  await waitFor(() => expect(dictate().getAttribute('aria-pressed')).toBe('false'));
  expect(editor.getText()).toBe('Lungs clear.');
  expect(screen.getByText(/ension pneumothorax/)).toBeDefined();
  await userEvent.click(dictate());
  expect(dictate().getAttribute('aria-pressed')).toBe('false');
});

test('the speech engine listens continuously in American English and returns one alternative', async () => {
  serve();
  standInForSpeech();
  open();
  await begin();

  expect(SpeechStandIn.current).toMatchObject({
    lang: 'en-US',
    continuous: true,
    interimResults: true,
    maxAlternatives: 1,
  });
});

test('the browser remembers the chosen dictation language for each user', async () => {
  serve();
  standInForSpeech();
  const { unmount } = open();
  await mayDictate();
  await userEvent.click(screen.getByRole('button', { name: 'Dictation settings' }));
  expect(screen.getAllByRole('option')).toHaveLength(10);

  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Language' }), 'de-DE');
  unmount();
  open();
  await begin();

  expect(SpeechStandIn.current.lang).toBe('de-DE');
});

test('the speech engine restarts after a pause until the user stops it', async () => {
  serve();
  standInForSpeech();
  const { editor } = open();
  await begin();

  SpeechStandIn.current.pauses();
  await waitFor(() => expect(SpeechStandIn.made).toHaveLength(2));
  SpeechStandIn.current.understands('no effusion');
  await userEvent.click(dictate());
  await screen.findByText('Dictate');

  expect(editor.getText()).toBe('No effusion.');
  expect(SpeechStandIn.current.isOn).toBe(false);
});

test.each([
  ['no-speech', 'No speech detected. Try speaking again.', true],
  ['audio-capture', 'No microphone found. Please check your microphone.', false],
  ['not-allowed', 'Microphone access denied. Please enable microphone permissions.', false],
  ['network', 'Network error occurred during speech recognition.', true],
  ['bad-grammar', 'Speech recognition error: bad-grammar', true],
  ['service-not-allowed', 'Speech recognition error: service-not-allowed', false],
])('the error %s is shown as "%s"; a retry is offered: %s', async (code, message, isTriedAgain) => {
  serve();
  standInForSpeech();
  open();
  await begin();

  SpeechStandIn.current.fails(code);

  expect(await screen.findByText(message)).toBeDefined();
  const after = () => ({ runs: SpeechStandIn.made.length, state: dictate().dataset.state });
  await waitFor(() =>
    expect(after()).toEqual(isTriedAgain ? { runs: 2, state: 'listening' } : { runs: 1, state: 'idle' }),
  );
});

test('dictation does not restart after three network failures in a row', async () => {
  serve();
  standInForSpeech();
  open();
  await begin();

  for (const count of [1, 2, 3]) {
    await waitFor(() => expect(SpeechStandIn.made).toHaveLength(count));
    SpeechStandIn.current.fails('network');
  }

  expect(await screen.findByText('Dictate')).toBeDefined();
  expect(SpeechStandIn.made).toHaveLength(3);
});

const obstacles: [string, () => void, string][] = [
  [
    'has no speech recognition',
    () => standInWithout(),
    'Speech recognition is not supported in this browser. Try using Chrome, Edge, or Safari.',
  ],
  ['does not know the language', () => standInForSpeech(() => 'unavailable'), 'Speech recognition is not available'],
  [
    'may not use the microphone',
    () => {
      standInForSpeech();
      withDevices([{ kind: 'audioinput' }], 'denied');
    },
    'Microphone access is required for speech-to-text functionality',
  ],
  [
    'has no microphone',
    () => {
      standInForSpeech();
      withDevices([{ kind: 'audiooutput' }]);
    },
    'No microphone detected. Please connect a microphone.',
  ],
  [
    'does not start the recognition',
    () => {
      standInForSpeech();
      SpeechStandIn.refusesToStart = true;
    },
    'Failed to start speech recognition',
  ],
];

const standInWithout = () => {
  standInForSpeech();
  Reflect.deleteProperty(window, 'webkitSpeechRecognition');
};

test.each(obstacles)(
  'when the browser %s, a message explains why dictation hears nothing',
  async (_, prepare, message) => {
    serve();
    prepare();
    open();
    await mayDictate();

    await userEvent.click(dictate());
    await userEvent.click(await screen.findByRole('button', { name: 'Start dictation' }));

    expect(await screen.findByText(message)).toBeDefined();
    expect(await screen.findByText('Dictate')).toBeDefined();
  },
);

test("each user's first dictation and the settings warn that the voice may leave the computer", async () => {
  serve();
  standInForSpeech();
  const { unmount } = open();
  await mayDictate();

  await userEvent.click(dictate());
  expect(await screen.findByText(/may send your voice to its vendor/)).toBeDefined();
  expect(SpeechStandIn.made).toHaveLength(0);
  await userEvent.click(screen.getByRole('button', { name: 'Start dictation' }));
  await screen.findByText('Listening');
  unmount();
  open();
  await mayDictate();
  await userEvent.click(dictate());

  expect(await screen.findByText('Listening')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Dictation settings' }));
  expect(await screen.findByText(/may send your voice to its vendor/)).toBeDefined();
});

test('the voice notice appears again for the next user at the same computer', async () => {
  serve();
  standInForSpeech();
  const { unmount } = open();
  await begin();
  unmount();
  open();
  const session = readSession();
  act(() => session && saveSession({ ...session, user: { ...session.user, id: 'u9', username: 'other' } }));
  await mayDictate();

  await userEvent.click(dictate());

  expect(await screen.findByText(/may send your voice to its vendor/)).toBeDefined();
  expect(SpeechStandIn.made).toHaveLength(1);
});

test('the voice stays on this computer where the browser can recognize speech without a server', async () => {
  serve();
  standInForSpeech(() => 'available');
  open();
  await mayDictate();

  await userEvent.click(dictate());
  expect(await screen.findByText(/Your voice does not leave the computer/)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Start dictation' }));
  await screen.findByText('Listening');

  expect(SpeechStandIn.current.processLocally).toBe(true);
});

test('a user of an organization that forbids dictation sees the reason, and the microphone stays off', async () => {
  serve(answer(reportingSettings.forWriting, () => ({ ...writingSettings, isDictationAllowed: false })));
  standInForSpeech();
  open();
  await waitFor(() => expect(dictate().dataset.refused).toBe('true'));

  await userEvent.click(dictate());

  expect(await saysInDialog('Your organization has turned off dictation.')).toBeDefined();
  expect(SpeechStandIn.made).toHaveLength(0);
});

test('the microphone stays off while the permission to dictate is unknown', async () => {
  serve(refuse(reportingSettings.forWriting, 500, 'No'));
  standInForSpeech();
  open();

  await userEvent.click(dictate());

  expect(await saysInDialog('Could not check whether your organization allows dictation.')).toBeDefined();
  expect(SpeechStandIn.made).toHaveLength(0);
});

test('F4 starts and stops dictation, also while the user types', async () => {
  serve();
  standInForSpeech();
  const { editor } = open();
  document.body.append(editor.view.dom);
  await mayDictate();

  fireEvent.keyDown(editor.view.dom, { key: 'F4' });
  await userEvent.click(await screen.findByRole('button', { name: 'Start dictation' }));
  await screen.findByText('Listening');
  await waitFor(() => expect(document.querySelector('[aria-modal="true"]')).toBeNull());
  fireEvent.keyDown(editor.view.dom, { key: 'F4' });

  expect(await screen.findByText('Dictate')).toBeDefined();
});

test("dictated words over the report's limit are shown, and can be inserted once there is room", async () => {
  serve();
  standInForSpeech();
  const { editor } = open(`<p>${'a'.repeat(9_990)}</p>`);
  await begin();

  SpeechStandIn.current.understands('no acute pneumothorax');
  expect(await screen.findByText('no acute pneumothorax.')).toBeDefined();
  act(() => {
    editor.commands.setContent('<p></p>');
  });
  await userEvent.click(screen.getByRole('button', { name: 'Insert at cursor' }));

  expect(editor.getText()).toBe('No acute pneumothorax.');
  expect(screen.queryByText(/not in the report/)).toBeNull();
});

test('leaving the report stops dictation, and the unfinished words appear when the user returns', async () => {
  serve();
  standInForSpeech();
  const { unmount } = open();
  await begin();
  SpeechStandIn.current.hears('small left eff');

  unmount();

  expect(SpeechStandIn.current.isOn).toBe(false);
  expect(SpeechStandIn.made).toHaveLength(1);
  const ofAnother = open('<p></p>', 's2');
  await mayDictate();
  expect(screen.queryByText('small left eff')).toBeNull();
  ofAnother.unmount();
  open();
  expect(await screen.findByText('small left eff')).toBeDefined();
});

test('discarding dictated words does not discard the words dictated in another window', async () => {
  serve();
  signIn();
  saveUnsaved('dictated.s1', ['small left eff']);
  open();
  expect(await screen.findByText('small left eff')).toBeDefined();
  saveUnsaved('dictated.s1', ['small left eff', 'no free air']);

  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));

  expect(screen.getByText('no free air')).toBeDefined();
  expect(screen.queryByText('small left eff')).toBeNull();
  expect(readUnsaved('dictated.s1', z.array(z.string()))).toEqual(['no free air']);
});

test('dictated commands are executed, and a command that fails shows the reason', async () => {
  serve();
  standInForSpeech();
  const { editor } = open('<h2>Findings</h2><p>Nodule of [size] mm.</p>');
  await begin();

  SpeechStandIn.current.understands('next field');
  SpeechStandIn.current.understands('12');
  expect(editor.getText()).toContain('Nodule of 12 mm.');
  SpeechStandIn.current.understands('delete that');
  expect(editor.getText()).toContain('Nodule of [size] mm.');
  SpeechStandIn.current.understands('impression');
  expect(await screen.findByText('This report has no heading “impression”. Nothing was inserted.')).toBeDefined();
  SpeechStandIn.current.understands('insert macro chest');
  expect(await screen.findByText('There is no macro “chest”. Nothing was inserted.')).toBeDefined();
  SpeechStandIn.current.understands('stop dictation');

  expect(await screen.findByText('Dictate')).toBeDefined();
});

test('the help lists all dictation commands in the chosen language', async () => {
  serve();
  standInForSpeech();
  open();

  await userEvent.click(screen.getByRole('button', { name: 'Dictation settings' }));
  expect(await screen.findByText('new paragraph')).toBeDefined();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Language' }), 'fr-FR');

  expect(await screen.findByText('nouveau paragraphe')).toBeDefined();
  expect(screen.getByText('virgule')).toBeDefined();
});

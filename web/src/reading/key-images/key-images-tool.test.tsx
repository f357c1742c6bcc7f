import { type KeyImage, keyImages } from '@radwork/contract/reading/key-images';
import { RichTextEditor } from '@mantine/tiptap';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Editor } from '@tiptap/core';
import { expect, onTestFinished, test } from 'vitest';
import { reportExtensions } from '#reading/editor/extensions/editor-extensions.ts';
import { safeHtml } from '#reading/editor/reading/safe-html.ts';
import { rebuiltByServer } from '#test/rebuilt-by-server.ts';
import { answer, refuse, serve, show } from '#test/screen.tsx';
import { KeyImagesTool } from './key-images-tool.tsx';

const studyId = '0193d4a0-0000-7000-8000-000000000001';
const ids = ['0193d4a0-0000-7000-8000-00000000000a', '0193d4a0-0000-7000-8000-00000000000b'] as const;

const marked = (id: string, note: string): KeyImage => ({
  id,
  seriesInstanceUID: '1.2',
  sopInstanceUID: '1.2.3',
  frame: 1,
  note,
  look: {
    window: null,
    isInverted: false,
    rotation: 0,
    isMirroredAcross: false,
    isMirroredDown: false,
    zoom: 1,
    pan: [0, 0],
  },
  revision: 1,
  author: { username: 'weiss', name: 'Dr Weiss' },
  createdDate: '2026-11-23T10:00:00Z',
  isMine: true,
});

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const src = `data:image/png;base64,${png}`;
const pictureAt = (place: string, src_ = src) => ({ src: src_, width: 1024, height: 768, place, isWindowKept: true });

const twoMarked = answer(keyImages.ofStudy, () => [marked(ids[0], 'Nodule <S6> & "more"'), marked(ids[1], '')]);
const bothDrawn = answer(keyImages.picture, ({ url }) =>
  pictureAt(url.pathname.includes(ids[0]) ? 'series 2, image 57' : 'series 3, image 1, frame 12'),
);

const open = async (...replies: Parameters<typeof serve>) => {
  serve(...replies);
  const editor = new Editor({ extensions: reportExtensions(() => {}), content: '<p>Text</p>', injectCSS: false });
  onTestFinished(() => editor.destroy());
  show(
    <RichTextEditor editor={editor}>
      <KeyImagesTool editor={editor} studyId={studyId} />
    </RichTextEditor>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Insert key images' }));
  return { editor, dialog: within(await screen.findByRole('dialog', { name: 'Insert key images' })) };
};

const linksIn = (html: string) =>
  [...new DOMParser().parseFromString(html, 'text/html').querySelectorAll('a')].map((link) => [
    link.getAttribute('href'),
    link.textContent,
  ]);

test('the tool inserts all key images with a linked caption, and the server stores them', async () => {
  const { editor, dialog } = await open(twoMarked, bothDrawn);

  await userEvent.click(await dialog.findByRole('button', { name: 'Insert 2 key images' }));

  const stored = rebuiltByServer(editor.getHTML());
  const captions = ['Nodule <S6> & "more" (series 2, image 57)', 'Key image (series 3, image 1, frame 12)'];
  expect(linksIn(stored)).toEqual(ids.map((id, at) => [`/viewer/${studyId}?image=${id}`, captions[at]]));
  const pictures = [...new DOMParser().parseFromString(stored, 'text/html').querySelectorAll('img')];
  expect(pictures.map((picture) => [picture.src, picture.alt, picture.width, picture.height])).toEqual(
    captions.map((caption) => [src, caption, 400, 300]),
  );
  expect(linksIn(safeHtml(stored))).toEqual(linksIn(stored));
  editor.commands.setContent(stored);
  expect(rebuiltByServer(editor.getHTML())).toBe(stored);
});

test('unselected key images are not inserted', async () => {
  const { editor, dialog } = await open(twoMarked, bothDrawn);
  await dialog.findByRole('button', { name: 'Insert 2 key images' });

  await userEvent.click(dialog.getByRole('checkbox', { name: /^Nodule/ }));
  await userEvent.click(dialog.getByRole('button', { name: 'Insert 1 key image' }));

  expect(linksIn(editor.getHTML()).map(([, caption]) => caption)).toEqual(['Key image (series 3, image 1, frame 12)']);
});

test('a key image that fails to render is skipped with a message, and the other key images are inserted', async () => {
  const missing = refuse(keyImages.picture, 404, 'This instance does not exist');
  const { editor, dialog } = await open(twoMarked, {
    ...bothDrawn,
    reply: (sent) => (sent.url.pathname.includes(ids[0]) ? missing : bothDrawn).reply(sent),
  });

  await dialog.findByText(/This instance does not exist/);
  expect(dialog.getByRole<HTMLInputElement>('checkbox', { name: /^Nodule/ }).disabled).toBe(true);
  await userEvent.click(dialog.getByRole('button', { name: 'Insert 1 key image' }));

  expect(linksIn(editor.getHTML())).toHaveLength(1);
});

test("key images that would exceed the report's limit are not inserted, and a message appears", async () => {
  const large = `data:image/png;base64,${png.slice(0, -4)}${'A'.repeat(2_600_000)}`;
  const { editor, dialog } = await open(
    twoMarked,
    answer(keyImages.picture, () => pictureAt('series 1', large)),
  );

  await userEvent.click(await dialog.findByRole('button', { name: 'Insert 2 key images' }));

  await screen.findByText(/larger than 5 MB/);
  expect(editor.getText()).toBe('Text');
});

test('a study without key images shows a message and no insert button', async () => {
  const { dialog } = await open(answer(keyImages.ofStudy, () => []));

  expect(await dialog.findByText('No key images')).toBeTruthy();
  expect(dialog.queryByRole('button', { name: /^Insert/ })).toBeNull();
});

test('a list of key images that fails to load shows the reason and a retry', async () => {
  const { dialog } = await open(refuse(keyImages.ofStudy, 503, 'The database is away'));

  await dialog.findByText('The database is away');
  expect(dialog.getByRole('button', { name: 'Retry' })).toBeTruthy();
});

test('an uptake image rendered in another window than marked shows a warning before insertion', async () => {
  const { dialog } = await open(
    twoMarked,
    answer(keyImages.picture, () => ({ ...pictureAt('series 1'), isWindowKept: false })),
  );

  expect(await dialog.findAllByText(/^Shown with the window of the file/)).toHaveLength(2);
});

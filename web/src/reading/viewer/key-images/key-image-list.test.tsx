import { type KeyImage, keyImages } from '@radwork/contract/reading/key-images';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { answer, answerBytes, refuse, type SentRequest, serve, show } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import { KeyImageList } from './key-image-list.tsx';
import { type ImageToMark, useKeyImages } from './use-key-images.ts';

const markedImage: ImageToMark = {
  seriesInstanceUID: '1.2',
  sopInstanceUID: '1.2.3',
  frame: 4,
  look: {
    window: { lower: -160, upper: 239 },
    isInverted: true,
    rotation: 90,
    isMirroredAcross: false,
    isMirroredDown: true,
    zoom: 2,
    pan: [10, -5],
  },
};
const keyImageOf = (more: Partial<KeyImage> = {}): KeyImage => ({
  id: 'k1',
  ...markedImage,
  note: 'Nodule',
  revision: 1,
  author: { username: 'a', name: 'Dr A' },
  createdDate: '2026-11-22T10:00:00Z',
  isMine: true,
  ...more,
});

const study = studyDetails();
const noThumbnails = answerBytes(
  '/api/wado-rs/studies/:study/series/:series/instances/:instance/frames/:frame/rendered',
  () => new Response('{}', { status: 404 }),
);
/** Saves and deletes key images as the server does. */
const keeping = (...initial: KeyImage[]) => {
  let stored = initial;
  const idIn = ({ url }: SentRequest) => url.pathname.split('/').at(-1) ?? '';
  return serve(
    noThumbnails,
    answer(keyImages.ofStudy, () => stored),
    answer(keyImages.save, (sent) => {
      const body = sent.body as KeyImage;
      const one = keyImageOf({ ...body, id: idIn(sent), revision: body.revision + 1 });
      stored = [...stored.filter(({ id }) => id !== one.id), one];
      return one;
    }),
    answer(keyImages.remove, (sent) => {
      stored = stored.filter(({ id }) => id !== idIn(sent));
      return { revision: Number(sent.url.searchParams.get('revision')) + 1 };
    }),
  );
};

const gone: KeyImage[] = [];

function Panel() {
  const marked = useKeyImages(study);
  return (
    <>
      <button type="button" onClick={() => marked.toggle(markedImage)}>
        Mark
      </button>
      <KeyImageList study={study} marked={marked} onGoTo={(one) => gone.push(one)} />
    </>
  );
}

const entries = () => screen.findAllByRole('link', { name: /^Key image \d/ });

test('a click on a key image opens exactly the marked image', async () => {
  keeping(keyImageOf());
  show(<Panel />);

  await userEvent.click(await screen.findByRole('link', { name: 'Key image 1: Nodule' }));

  expect(gone.splice(0)).toEqual([keyImageOf()]);
});

test('a double click saves a key image once with its display, and marking it again removes it', async () => {
  const sent = keeping();
  show(<Panel />);
  await screen.findByText('No key images yet. Press * to mark the current image.');

  await userEvent.dblClick(screen.getByRole('button', { name: 'Mark' }));
  expect(await entries()).toHaveLength(1);
  const saves = sent.filter(({ method }) => method === 'PUT');
  expect(saves.map(({ body }) => body)).toEqual([{ ...markedImage, note: '', revision: 0 }]);

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 650 });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  await userEvent.click(screen.getByRole('button', { name: 'Mark' }));
  await screen.findByText('No key images yet. Press * to mark the current image.');
});

test('restoring a removed key image keeps it unchanged', async () => {
  const sent = keeping(keyImageOf());
  show(<Panel />);

  await userEvent.click(await screen.findByRole('button', { name: 'Remove key image 1' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));

  await screen.findByRole('link', { name: 'Key image 1: Nodule' });
  expect(sent.find(({ method }) => method === 'PUT')?.body).toEqual({ ...markedImage, note: 'Nodule', revision: 2 });
});

test('a note of a key image is saved when its field loses focus', async () => {
  const sent = keeping(keyImageOf());
  show(<Panel />);
  const field = await screen.findByRole('textbox', { name: 'Note on key image 1' });

  await userEvent.clear(field);
  await userEvent.type(field, 'Show the surgeon{Enter}');

  await screen.findByRole('link', { name: 'Key image 1: Show the surgeon' });
  expect(sent.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
    { ...markedImage, note: 'Show the surgeon', revision: 1 },
  ]);
});

test("a colleague's key image is read-only, and the user can mark the same image as their own key image", async () => {
  keeping(keyImageOf({ isMine: false, author: { username: 'b', name: 'Dr B' } }));
  show(<Panel />);
  await screen.findByText('Dr B');
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(screen.queryByRole('button', { name: /^Remove key image/ })).toBeNull();

  await userEvent.click(screen.getByRole('button', { name: 'Mark' }));

  await screen.findByRole('button', { name: 'Remove key image 2' });
  expect(await entries()).toHaveLength(2);
});

test('key images that fail to load show a retry, and a key image that cannot be saved shows the reason', async () => {
  serve(noThumbnails, refuse(keyImages.ofStudy, 500, 'Something went wrong'));
  show(<Panel />);
  await screen.findByText('Key images could not be loaded');
  serve(
    noThumbnails,
    answer(keyImages.ofStudy, () => []),
    refuse(keyImages.save, 422, 'This image is not in the study'),
  );

  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText(/^No key images yet/);
  await userEvent.click(screen.getByRole('button', { name: 'Mark' }));

  await screen.findByText('This image is not in the study');
  expect(screen.queryByRole('link')).toBeNull();
});

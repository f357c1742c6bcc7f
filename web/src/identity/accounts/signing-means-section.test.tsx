import { signingMeansCalls, type SigningMeans } from '@radwork/contract/identity/signing-means';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { answer, meansOf, refuse, serve, show } from '#test/screen.tsx';
import { stubCanvas } from '#test/written-report.ts';
import { SigningMeansSection } from './signing-means-section.tsx';

const picture = `data:image/png;base64,${btoa('saved')}`;
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

const open = (means: Partial<SigningMeans>, ...answers: ReturnType<typeof answer>[]) => {
  const calls = serve(
    ...answers,
    answer(signingMeansCalls.read, () => meansOf(means)),
  );
  show(<SigningMeansSection />);
  return { sent: () => calls.filter(({ method }) => method !== 'GET').map(({ url, body }) => [url.pathname, body]) };
};

const draw = () => {
  const setPointerCapture = vi.fn<(pointer: number) => void>();
  Object.assign(HTMLElement.prototype, { setPointerCapture });
  onTestFinished(() => void Reflect.deleteProperty(HTMLElement.prototype, 'setPointerCapture'));
  const paper = screen.getByRole('img', { name: 'Signature' });
  fireEvent.pointerDown(paper);
  fireEvent.pointerMove(paper);
  fireEvent.pointerUp(paper);
};

test('saving a drawn signature asks for the password if the sign-in is too old', async () => {
  stubCanvas();
  let tries = 0;
  const old = { code: 403, error: 'session.reauthenticate', message: 'Long ago', traceId: 't' };
  const { sent } = open(
    {},
    {
      ...refuse(signingMeansCalls.saveSignature, 403, ''),
      reply: () => {
        tries += 1;
        return tries === 1
          ? Response.json(old, { status: 403 })
          : Response.json({ code: 200, message: 'OK', data: meansOf({ savedSignature: picture }) });
      },
    },
  );
  await screen.findByText(/^No saved signature/);
  await press('Draw signature');
  await press('Save signature');
  expect(await screen.findByText('Signature is required')).toBeDefined();

  draw();
  await press('Save signature');
  await userEvent.type(await screen.findByLabelText(/^Your password/), 'correct horse');
  await press('Save signature');

  expect(await screen.findByText('Your signature was saved')).toBeDefined();
  const signatureData = `data:image/png;base64,${btoa('signature')}`;
  expect(sent()).toEqual([
    ['/api/account/signature', { signatureData }],
    ['/api/account/signature', { signatureData, password: 'correct horse' }],
  ]);
});

test('the account screen shows the saved signature and can remove it', async () => {
  const { sent } = open(
    { savedSignature: picture },
    answer(signingMeansCalls.removeSignature, () => meansOf()),
  );
  expect((await screen.findByRole('img', { name: 'Your saved signature' })).getAttribute('src')).toBe(picture);

  await press('Remove signature');
  const buttons = await screen.findAllByRole('button', { name: 'Remove signature' });
  await userEvent.click(buttons.at(-1) as HTMLElement);

  await waitFor(() => expect(sent()).toEqual([['/api/account/signature/remove', {}]]));
});

test('setting a PIN requires the password, and an easy PIN or two different PINs are refused', async () => {
  const { sent } = open(
    { proof: 'PIN' },
    answer(signingMeansCalls.setPin, () => meansOf({ pinSince: '2026-11-29T10:00:00Z' })),
  );
  await screen.findByText('No PIN');
  await press('Set PIN');
  const [pin, again] = [
    await screen.findByLabelText(/^New PIN \*|^New PIN$/),
    screen.getByLabelText(/^Repeat new PIN/),
  ];
  const submit = async () => userEvent.click(screen.getAllByRole('button', { name: 'Set PIN' }).at(-1) as HTMLElement);

  await userEvent.type(pin, '123456');
  await userEvent.type(again, '123457');
  await submit();
  expect(screen.getByText('This PIN is too easy to guess. Avoid repeated and consecutive digits.')).toBeDefined();
  expect(screen.getByText('The PINs do not match')).toBeDefined();
  expect(screen.getByText('Password is required')).toBeDefined();
  for (const field of [pin, again]) {
    await userEvent.clear(field);
    await userEvent.type(field, '190482');
  }
  await userEvent.type(screen.getByLabelText(/^Your password/), 'correct horse');
  await submit();

  expect(await screen.findByText('Your signing PIN was set')).toBeDefined();
  expect(sent()).toEqual([['/api/account/signing-pin', { pin: '190482', password: 'correct horse' }]]);
});

test('a user who signs no reports does not see the settings for signing', () => {
  serve();
  show(<SigningMeansSection />, 'PATIENT');

  expect(screen.queryByText('Signing')).toBeNull();
});

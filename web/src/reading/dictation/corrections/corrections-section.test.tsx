import { type Correction, dictation } from '@radwork/contract/reading/dictation';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, refuse, serve, show } from '#test/screen.tsx';
import { CorrectionsSection } from './corrections-section.tsx';

const openWith = (...corrections: Correction[]) => {
  let kept = corrections;
  const idOf = ({ pathname }: URL) => pathname.split('/').at(-1) ?? '';
  serve(
    answer(dictation.corrections, () => kept),
    answer(dictation.addCorrection, ({ body }) => {
      const created = { id: `c${kept.length + 1}`, ...(body as Omit<Correction, 'id'>) };
      kept = [created, ...kept];
      return created;
    }),
    answer(dictation.changeCorrection, ({ url, body }) => {
      const changed = { id: idOf(url), ...(body as Omit<Correction, 'id'>) };
      kept = kept.map((one) => (one.id === changed.id ? changed : one));
      return changed;
    }),
    answer(dictation.removeCorrection, ({ url }) => {
      kept = kept.filter(({ id }) => id !== idOf(url));
    }),
  );
  show(<CorrectionsSection />);
};

const entries = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent);

test('the user creates, edits and deletes corrections', async () => {
  openWith({ id: 'c1', written: 'plural', said: 'pleural' });
  await screen.findByText('plural');

  await userEvent.type(screen.getByRole('textbox', { name: 'It wrote' }), 'a orta');
  await userEvent.type(screen.getByRole('textbox', { name: 'I said' }), 'aorta');
  await userEvent.click(screen.getByRole('button', { name: 'Create correction' }));
  await screen.findByText('a orta');
  await userEvent.click(screen.getByRole('button', { name: 'Edit correction of “plural”' }));
  const said = screen.getByDisplayValue('pleural');
  await userEvent.clear(said);
  await userEvent.type(said, 'Pleural');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Pleural');
  await userEvent.click(screen.getByRole('button', { name: 'Delete correction of “a orta”' }));

  await waitFor(() => expect(entries()).toHaveLength(1));
  expect(entries()[0]).toContain('plural → Pleural');
});

test('a correction without a change is refused at its field', async () => {
  openWith();
  await screen.findByText('No corrections');

  await userEvent.type(screen.getByRole('textbox', { name: 'It wrote' }), 'same');
  await userEvent.type(screen.getByRole('textbox', { name: 'I said' }), 'same');
  await userEvent.click(screen.getByRole('button', { name: 'Create correction' }));

  expect(await screen.findByText('Both texts are the same')).toBeDefined();
});

test('users who write no reports do not see the section', () => {
  serve();
  show(<CorrectionsSection />, 'REFERRING_PHYSICIAN');

  expect(screen.queryByText('Corrections of dictation')).toBeNull();
});

test('when the corrections cannot be loaded, the user can retry', async () => {
  serve(refuse(dictation.corrections, 503, 'The database cannot be reached.'));
  show(<CorrectionsSection />);

  expect(await screen.findByText('The database cannot be reached.')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
});

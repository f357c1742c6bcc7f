import { studies } from '@radwork/contract/imaging/studies';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, refuse, signIn, visit } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import { studyPageAnswers } from '#test/study-page.ts';

const orderJoin = { id: '0190aaaa-0000-7000-8000-0000000000aa', joinedDate: '2026-11-20T13:10:00Z' };
const imagesId = '0190aaaa-0000-7000-8000-0000000000bb';

const openFacts = async (study = studyDetails({ orderJoin }), ...answers: Parameters<typeof visit>[1][]) => {
  const page = visit(`/studies/${study.id}`, ...answers, ...studyPageAnswers(study));
  const user = userEvent.setup();
  await user.click(await screen.findByRole('tab', { name: 'Administrative' }));
  return { ...page, user, facts: within(screen.getByRole('tabpanel', { name: 'Administrative' })) };
};

test('separates images from the order that they joined, after it says what stays where, and opens their study', async () => {
  signIn();
  const sent: unknown[] = [];
  const { user, facts, address } = await openFacts(
    undefined,
    answer(studies.separateOrder, ({ body }) => {
      sent.push(body);
      return { imagesStudyId: imagesId };
    }),
  );
  expect(facts.getByText(/^Joined order A260006 on 2026-11-20/)).toBeDefined();

  await user.click(facts.getByRole('button', { name: 'Separate' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Separate images from order?' }));
  expect(dialog.getByText(/Drafts, measurements and key images made since go with them/)).toBeDefined();
  await user.click(dialog.getByRole('button', { name: 'Separate' }));

  expect(await screen.findByText('Images separated from order')).toBeDefined();
  expect(sent).toEqual([{ joinId: orderJoin.id }]);
  expect(address()).toBe(`/studies/${imagesId}`);
});

test('shows the reason when images cannot be separated', async () => {
  signIn();
  const reason = 'A report of these images was signed. The images stay with the order.';
  const { user, facts } = await openFacts(undefined, refuse(studies.separateOrder, 409, reason));

  await user.click(facts.getByRole('button', { name: 'Separate' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Separate images from order?' }));
  await user.click(dialog.getByRole('button', { name: 'Separate' }));

  expect(await dialog.findByText(reason)).toBeDefined();
});

test('shows no button to users who may not edit studies, and no line without a join', async () => {
  signIn('REFERRING_PHYSICIAN');
  const { facts, unmount } = await openFacts();
  expect(facts.getByText(/^Joined order/)).toBeDefined();
  expect(facts.queryByRole('button', { name: 'Separate' })).toBeNull();
  unmount();

  const { facts: others } = await openFacts(studyDetails());

  expect(others.queryByText(/^Joined order/)).toBeNull();
});

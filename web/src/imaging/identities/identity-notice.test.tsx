import { identityFields } from '@radwork/contract/imaging/identities';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { markOf } from '#test/identities.ts';
import { signIn, visit } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import { studyPageAnswers } from '#test/study-page.ts';

const open = async (userType: 'ADMIN' | 'RADIOLOGIST', identity = markOf() as ReturnType<typeof markOf> | null) => {
  const study = studyDetails({ identity });
  signIn(userType);
  visit(`/studies/${study.id}`, ...studyPageAnswers(study));
  await screen.findByRole('heading', { level: 1, name: /Phantom, Ada/ });
};

const banner = () => screen.queryByText('Identity to be confirmed:')?.parentElement;

test('a notice names both possible patients, and links to the queue for users who may decide', async () => {
  await open('ADMIN', markOf({ contradictions: [...identityFields] }));

  expect(banner()?.textContent).toContain(
    'Phantom, Ada or Kowalski, Piotr. They have the same patient ID and differ in name, sex, date of birth.',
  );
  expect(screen.getByRole('link', { name: 'Decide' }).getAttribute('href')).toBe('/identities');
});

test('a user who may not decide sees neither the link nor the hidden name', async () => {
  await open('RADIOLOGIST', markOf({ otherName: '' }));

  expect(banner()?.textContent).toContain('Phantom, Ada or another patient.');
  expect(screen.queryByRole('link', { name: 'Decide' })).toBeNull();
});

test('a study with a certain patient shows no identity notice', async () => {
  await open('ADMIN', null);

  expect(banner()).toBeUndefined();
});

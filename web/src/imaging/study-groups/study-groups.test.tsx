import { type Group, groups } from '@radwork/contract/identity/groups';
import { studyGroups } from '@radwork/contract/imaging/study-groups';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, serve, show } from '#test/screen.tsx';
import { StudyGroups } from './study-groups.tsx';

const group: Group = {
  id: '0193d4a0-0000-7000-8000-0000000000ba',
  name: 'North site',
  kind: 'SITE',
  isLimiting: true,
  arrivalNames: [],
  memberCount: 1,
  viewCount: 0,
  ruleCount: 0,
  isOwn: false,
  revision: 1,
};

const open = (own: Group[]) => {
  const calls = serve(
    answer(groups.list, () => [group]),
    answer(studyGroups.list, () => ({ revision: 3, groups: own })),
    answer(studyGroups.replace, () => ({ revision: 4, groups: own })),
  );
  show(<StudyGroups studyId="s1" />, 'RADIOLOGIST');
  return calls;
};

test('a study without groups says that limited users do not see it', async () => {
  open([]);

  expect(await screen.findByText('No groups. Limited users do not see this study.')).toBeDefined();
});

test('saving sends all groups of the study, and the revision that was shown', async () => {
  const calls = open([group]);
  await userEvent.click(await screen.findByRole('button', { name: 'Change groups' }));

  await userEvent.click(screen.getByRole('button', { name: 'Save' }));

  await waitFor(() =>
    expect(calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
      { revision: 3, groupIds: [group.id] },
    ]),
  );
});

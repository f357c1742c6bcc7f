import { studies } from '@radwork/contract/imaging/studies';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useQueryClient } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, serve, show, signIn } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import { usePanes } from './use-panes.ts';

const study = studyDetails();
const prior = studyDetails({ id: '0190aaaa-0000-7000-8000-000000000101', description: 'CT chest before' });
const anotherPatient = { ...prior.patient, id: '0190aaaa-0000-7000-8000-000000000999', patientName: 'Other, Person' };

/** Shows the current study with a prior that the user opens. */
function Room({ read }: { read: StudyDetails }) {
  const client = useQueryClient();
  const { contents, strays, put } = usePanes(read, [], 2);
  const [series] = prior.series;
  const compare = () => series && put(1, { study: prior, series, start: 0 });
  return (
    <>
      <button onClick={compare}>Compare</button>
      <button onClick={() => void client.invalidateQueries()}>Hear of a change</button>
      <output>{contents[1] ? contents[1].study.patient.patientName : 'nothing'}</output>
      <p>{strays[1] ? 'of another patient' : 'of this patient'}</p>
    </>
  );
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

const beside = () => screen.getByRole('status').textContent;

test('a prior whose study moves to another patient is no longer shown', async () => {
  signIn();
  let stored = prior;
  serve(answer(studies.get, () => stored));
  show(<Room read={study} />);
  await press('Compare');
  const before = beside();

  stored = { ...prior, patient: anotherPatient };
  await press('Hear of a change');

  await waitFor(() => expect(beside()).toBe('nothing'));
  expect(before).toBe(prior.patient.patientName);
  expect(screen.getByText('of another patient')).toBeDefined();
});

test('a study of another patient is not shown as a prior', async () => {
  signIn();
  serve(answer(studies.get, () => prior));
  show(<Room read={{ ...study, patient: anotherPatient }} />);

  await press('Compare');

  expect(beside()).toBe('nothing');
  expect(screen.getByText('of another patient')).toBeDefined();
});

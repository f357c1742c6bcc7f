import { studies } from '@radwork/contract/imaging/studies';
import type { PriorStudy, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useQuery } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { query } from '#core/http/api.ts';
import { answer, answerBytes, serve, show, signIn } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import { PriorsStrip } from './priors-strip.tsx';

const study = studyDetails();
const prior = studyDetails({
  id: '0190aaaa-0000-7000-8000-000000000101',
  description: 'CT chest before',
  studyDate: '2024-11-20T10:00:00',
});

const asPrior = (one: StudyDetails, report: PriorStudy['report'] = null): PriorStudy => ({
  ...one,
  report,
  bodyParts: [],
});

const noThumbnails = answerBytes(
  '/api/wado-rs/studies/:study/series/:series/rendered',
  () => new Response('{}', { status: 404 }),
);

const noDocuments = answerBytes('/api/wado-rs/studies/:study/series/:series/metadata', () => new Response('[]'));

type StripEvents = { chosen: string[]; reports: string[] };

function Strip({ reported }: { reported: StripEvents }) {
  const list = useQuery(query(studies.priors, { params: { id: study.id }, query: { order: 'relevance' } }));
  return (
    <PriorsStrip
      study={study}
      list={list}
      inPanes={[]}
      shown={[]}
      current={undefined}
      onChoose={(of, series) => reported.chosen.push(`${of.id} ${series.seriesInstanceUID}`)}
      onReport={(id) => reported.reports.push(id)}
    />
  );
}

const showStrip = (answered: StudyDetails, priors: PriorStudy[]) => {
  const reported: StripEvents = { chosen: [], reports: [] };
  signIn();
  const calls = serve(
    answer(studies.priors, () => priors),
    answer(studies.get, () => answered),
    noThumbnails,
    noDocuments,
  );
  show(<Strip reported={reported} />);
  return { heard: reported, calls };
};

test('a prior shows its date, kind and report status, and is fetched only when opened', async () => {
  const { heard: reported, calls } = showStrip(prior, [
    asPrior(prior, { id: 'r', status: 'FINALIZED', finalizedAt: null }),
  ]);

  const entry = await screen.findByRole('button', { name: /2024-11-20.*CT chest before.*Report: Finalized/ });
  expect(calls.filter(({ url }) => url.pathname.endsWith(prior.id))).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Report of CT chest before, 2024-11-20' }));
  await userEvent.click(entry);
  const [series] = prior.series;
  await userEvent.click(await screen.findByRole('button', { name: new RegExp(series?.seriesDescription ?? '') }));

  expect(reported).toEqual({ chosen: [`${prior.id} ${series?.seriesInstanceUID}`], reports: [prior.id] });
});

test('a prior that turns out to belong to another patient is not shown, although the list contains it', async () => {
  const { id } = prior.patient;
  showStrip({ ...prior, patient: { ...prior.patient, id: `${id.slice(0, -1)}9`, patientName: 'Other, Person' } }, [
    asPrior(prior),
  ]);

  await userEvent.click(await screen.findByRole('button', { name: /CT chest before.*No report/ }));

  expect(await screen.findByText(/This study belongs to another patient/)).toBeDefined();
  expect(screen.queryByRole('button', { name: new RegExp(prior.series[0]?.seriesDescription ?? '') })).toBeNull();
});

test('a patient without other studies shows a message in the list of priors', async () => {
  showStrip(prior, []);

  expect(await screen.findByText('This patient has no other studies.')).toBeDefined();
});

import { reports } from '@radwork/contract/reading/reports';
import { studies } from '@radwork/contract/imaging/studies';
import type { PriorStudy, StudyAuditEntry, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, refuse, type SentRequest, signIn, visit } from '#test/screen.tsx';
import { studyPageAnswers } from '#test/study-page.ts';
import { studyDetails } from '#test/studies.ts';
import { editorIn, jane, reportFor, write } from '#test/written-report.ts';

const idOf = (number: number) => `0190aaaa-0000-7000-8000-00000000010${number}`;

const chest = studyDetails({ id: idOf(1), description: 'CT chest', studyDate: '2024-11-20T10:00:00' });
const knee = studyDetails({
  id: idOf(2),
  description: 'MR knee',
  modality: 'MR',
  studyDate: null,
  status: 'CANCELLED',
});

const asPrior = (study: StudyDetails, report: PriorStudy['report'] = null): PriorStudy => ({
  ...study,
  report,
  bodyParts: [],
});

const signed = reportFor({ status: 'FINALIZED', content: '<p>No nodule.</p>' }, { edit: 'Signed' });

const idIn = ({ url }: SentRequest, place: number) => url.pathname.split('/')[place];

const openStudy = async (address: (id: string) => string = (id) => `/studies/${id}`) => {
  const study = studyDetails();
  const all = new Map([study, chest, knee].map((one) => [one.id, one]));
  signIn();
  const page = visit(
    address(study.id),
    answer(studies.get, (sent) => all.get(idIn(sent, 3) ?? '') ?? study),
    answer(studies.priors, ({ url }) => {
      const priors = [asPrior(chest, { id: 'r1', status: 'FINALIZED', finalizedAt: null }), asPrior(knee)];
      return url.searchParams.get('order') === 'relevance' ? priors.toReversed() : priors;
    }),
    answer(reports.ofStudy, (sent) => ({
      report: idIn(sent, 3) === chest.id ? signed : null,
      patient: jane,
      canCreate: true,
      reasons: [],
      readingBy: null,
    })),
    ...studyPageAnswers(study),
  );
  await screen.findByRole('heading', { level: 1, name: /Phantom, Ada/ });
  await screen.findByRole('link', { name: 'View CT chest, 2024-11-20' });
  return { ...page, study, user: userEvent.setup() };
};

const pane = async () => within(await screen.findByRole('complementary', { name: 'Prior study' }));

test('the other studies of the patient appear next to the study, with their reports', async () => {
  await openStudy();

  const list = within(screen.getByRole('region', { name: /Prior studies/ }));
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'CT+1CT chest2024-11-20Report: FinalizedView',
    'MR+1MR kneeNo dateNo reportCanceledView',
  ]);
  const view = list.getByRole('link', { name: 'View CT chest, 2024-11-20' });
  expect(view.getAttribute('href')).toBe(`/studies/${chest.id}`);
});

test('a prior opens next to the study with its report, and the address contains the prior', async () => {
  const { user, study, address } = await openStudy();

  await user.click(screen.getByRole('button', { name: /CT chest/ }));

  const prior = await pane();
  expect(await prior.findByText('No nodule.')).toBeDefined();
  expect(prior.getByText('2y earlier')).toBeDefined();
  expect(prior.getByRole('link', { name: 'Open in viewer' }).getAttribute('href')).toBe(`/viewer/${chest.id}`);
  expect(address()).toBe(`/studies/${study.id}?prior=${chest.id}`);
  expect(screen.getByRole('region', { name: 'Report' })).toBeDefined();
});

test('a link to a prior shows the prior in a window without room for all panes', async () => {
  await openStudy((id) => `/studies/${id}?prior=${chest.id}`);

  const panes = within(await screen.findByRole('group', { name: 'Panes' }));

  expect(panes.getByRole('button', { name: 'Prior' }).getAttribute('aria-pressed')).toBe('true');
});

test('the user moves from prior to prior and back without closing the study', async () => {
  const { user, study, address } = await openStudy((id) => `/studies/${id}?prior=${chest.id}`);
  const prior = await pane();
  expect(await prior.findByText('1 of 2')).toBeDefined();

  await user.click(prior.getByRole('button', { name: 'Next prior in list' }));
  expect(await prior.findByText('No report has been created for this study yet.')).toBeDefined();
  expect(prior.queryByText('No nodule.')).toBeNull();
  // Moves the pointer away. Otherwise the first Escape would close the tooltip of the button.
  await user.unhover(prior.getByRole('button', { name: 'Next prior in list' }));
  await user.keyboard('{Escape}');

  await waitFor(() => expect(address()).toBe(`/studies/${study.id}`));
  expect(screen.queryByRole('complementary', { name: 'Prior study' })).toBeNull();
});

test('a report that the user writes stays unchanged when a prior opens', async () => {
  const { user } = await openStudy();
  await user.click(await screen.findByRole('button', { name: 'Create report' }));
  write(await editorIn(), '<p>Begun</p>');

  await user.click(screen.getByRole('button', { name: /CT chest/ }));

  await pane();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect((await editorIn()).getHTML()).toContain('Begun');
});

test('priors can be sorted by similarity', async () => {
  const { user } = await openStudy();

  await user.click(screen.getByRole('switch', { name: 'Most similar first' }));

  await waitFor(() =>
    expect(screen.getAllByRole('link', { name: /^View / })[0]?.getAttribute('href')).toContain(knee.id),
  );
  expect(screen.getByRole<HTMLInputElement>('switch', { name: 'Most similar first' }).checked).toBe(true);
});

test('a study of another patient is never shown as a prior, even if the address names it', async () => {
  const stranger = studyDetails({
    id: idOf(9),
    description: 'Somebody else’s',
    patient: { ...studyDetails().patient, id: idOf(8), patientName: 'Other, Person' },
  });
  const study = studyDetails();
  signIn();
  visit(
    `/studies/${study.id}?prior=${stranger.id}`,
    answer(studies.get, (sent) => (idIn(sent, 3) === stranger.id ? stranger : study)),
    ...studyPageAnswers(study),
  );

  expect(await screen.findByText(/This study belongs to another patient/)).toBeDefined();
  expect(screen.queryByText('Somebody else’s')).toBeNull();
});

test('priors that fail to load show a retry, and a patient without priors shows a message', async () => {
  const study = studyDetails();
  signIn();
  const failing = visit(
    `/studies/${study.id}`,
    refuse(studies.priors, 500, 'The database is being restarted'),
    ...studyPageAnswers(study),
  );
  const failed = within((await screen.findByText('Error loading prior studies')).parentElement ?? document.body);
  expect(failed.getByRole('button', { name: 'Retry' })).toBeDefined();
  failing.unmount();

  visit(`/studies/${study.id}`, ...studyPageAnswers(study));

  expect(await screen.findByText('This patient has no other studies.')).toBeDefined();
});

test('the study page shows the last actions on the study, and all actions to users with audit permission', async () => {
  const entry: StudyAuditEntry = {
    id: '1',
    action: 'report.addCriticalFinding',
    timestamp: '2026-11-21T09:05:00Z',
    username: 'm.haddad',
    outcome: 'SUCCESS',
  };
  const open = () =>
    visit(
      `/studies/${studyDetails().id}`,
      answer(studies.audit, () => [entry]),
      ...studyPageAnswers(studyDetails()),
    );
  signIn('RADIOLOGIST');
  const radiologist = open();
  const audit = within(await screen.findByRole('region', { name: 'Audit' }));
  expect((await audit.findByRole('listitem')).textContent).toMatch(/^Added critical findingm\.haddad2026-11-2/);
  expect(audit.queryByRole('link', { name: 'Show all' })).toBeNull();
  radiologist.unmount();

  signIn('ADMIN');
  open();

  const link = await screen.findByRole('link', { name: 'Show all' });
  expect(link.getAttribute('href')).toBe(`/audit?studyId=${studyDetails().id}`);
});

test('a study is edited on its page, and closing the form asks before text is lost', async () => {
  const { user } = await openStudy();
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Study' }));
  await user.type(dialog.getByLabelText('Description'), ' again');

  await user.click(dialog.getByRole('button', { name: 'Cancel' }));

  const question = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }));
  await user.click(question.getByRole('button', { name: 'Leave' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Edit Study' })).toBeNull());
  expect(screen.getByText('CT angiography chest', { selector: 'p *' })).toBeDefined();
});

import type { Elements } from '@radwork/dicom/part10';
import { newUid } from '@radwork/dicom/uid';
import { rejections } from '@radwork/contract/imaging/rejections';
import { studies } from '@radwork/contract/imaging/studies';
import { readingLocks } from '@radwork/contract/reading/reading-locks';
import { reportAddenda } from '@radwork/contract/reading/report-addenda';
import { reportChecks } from '@radwork/contract/reading/report-checks';
import { reports } from '@radwork/contract/reading/reports';
import { storeAs } from '#test/archive-calls.ts';
import { beginReport, reportSteps, signature } from '#test/report-steps.ts';
import { image, type TestFile } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';
import { expect, test } from 'vitest';

const world = await createWorld();
const { finalize, requestReview, review } = reportSteps(world);

/** Creates a study with one image, and a function that creates more images of the study. */
const arrivingStudy = async (person: Person) => {
  const ofStudy = { StudyInstanceUID: newUid(), PatientID: newUid() };
  const more = (elements: Elements = {}, file: Parameters<typeof image>[1] = {}): TestFile =>
    image({ ...ofStudy, ...elements }, file);
  await storeAs(person, more());
  const study = await person.inScope(({ db }) =>
    db
      .selectFrom('studies')
      .select('id')
      .where('study_instance_uid', '=', ofStudy.StudyInstanceUID)
      .executeTakeFirstOrThrow(),
  );
  return { id: study.id, more };
};

const remarksAbout = async (person: Person, id: string): Promise<string[]> => {
  const { data } = await person.send(reportChecks.check, { params: { id } });
  return data.warnings.filter(({ kind }) => kind === 'IMAGES').map(({ message }) => message);
};

const signAddendum = async (person: Person, id: string) => {
  const addendum = { kind: 'ADDENDUM' as const, content: '<p>The late images show nothing else.</p>' };
  const { data: draftReport } = await person.send(reportAddenda.begin, { params: { id }, body: addendum });
  await person.send(reportAddenda.sign, {
    params: { id, addendumId: draftReport.addendumDraft?.id ?? '' },
    body: { ...addendum, revision: 1, signatureData: signature },
  });
};

test('signing warns about images that arrived after the text was written, and records the warning', async () => {
  const author = await world.signIn();
  const study = await arrivingStudy(author);
  const { data: report } = await beginReport(author, study.id);
  const before = await remarksAbout(author, report.id);
  await storeAs(author, study.more(), study.more());

  const after = await remarksAbout(author, report.id);
  await finalize(author, report.id, { revision: 1 });

  expect(before).toEqual([]);
  expect(after).toEqual(['2 images arrived since the text was started or last saved. View them before you sign.']);
  const signed = await author.inScope(({ db }) =>
    db.selectFrom('audit_entries').select('detail').where('action', '=', 'report.finalize').executeTakeFirstOrThrow(),
  );
  expect(signed.detail).toMatchObject({ warnings: 1, overridden: 'IMAGES' });
});

test('warns about images that arrived while the editor was open, even after a later save', async () => {
  const author = await world.signIn();
  const study = await arrivingStudy(author);
  await author.send(readingLocks.take, { params: { id: study.id }, body: {} });
  await storeAs(author, study.more());
  const { data: facts } = await author.send(reportChecks.facts, { params: { id: study.id } });

  const { data: report } = await beginReport(author, study.id);

  expect(facts.newImages).toBe(1);
  expect(await remarksAbout(author, report.id)).toEqual([
    '1 image arrived since the text was started or last saved. View it before you sign.',
  ]);
});

test('warns about images that arrived even if the lock was released and taken again in between', async () => {
  const author = await world.signIn();
  const study = await arrivingStudy(author);
  const { data: opened } = await author.send(readingLocks.take, { params: { id: study.id }, body: {} });
  await storeAs(author, study.more());
  await author.send(readingLocks.release, { params: { id: study.id } });
  await author.send(readingLocks.take, { params: { id: study.id }, body: { since: opened.since } });

  const { data: report } = await beginReport(author, study.id);

  expect(await remarksAbout(author, report.id)).toHaveLength(1);
});

test('signing an approved text warns about images that neither writer nor reviewer could see', async () => {
  const author = await world.signIn();
  const reviewer = await world.signIn('RADIOLOGIST', author.tenant);
  const study = await arrivingStudy(author);
  const { data: report } = await beginReport(author, study.id);
  await requestReview(author, report.id, reviewer);
  await review(reviewer, report.id, { approved: true, comments: 'Agreed' });
  await storeAs(author, study.more());

  expect(await remarksAbout(reviewer, report.id)).toHaveLength(1);
});

test('earlier images and files without pixels cause no warning', async () => {
  const author = await world.signIn();
  const study = await arrivingStudy(author);
  await storeAs(author, study.more());
  await author.send(readingLocks.take, { params: { id: study.id }, body: {} });
  const { data: report } = await beginReport(author, study.id);
  const keyObjectSelection = '1.2.840.10008.5.1.4.1.1.88.59';
  await storeAs(author, study.more({ Modality: 'KO', SOPClassUID: keyObjectSelection }, { pixelData: null }));

  expect(await remarksAbout(author, report.id)).toEqual([]);
});

test('a signed report shows how many images arrived after signing, until an addendum follows', async () => {
  const author = await world.signIn();
  const study = await arrivingStudy(author);
  const { data: report } = await beginReport(author, study.id);
  await finalize(author, report.id, { revision: 1 });
  const newImages = async () => (await author.send(reports.get, { params: { id: report.id } })).data.newImages;
  const before = await newImages();
  await storeAs(author, study.more(), study.more());
  const after = await newImages();
  await signAddendum(author, report.id);
  const added = await newImages();
  await storeAs(author, study.more());
  const later = await newImages();
  await signAddendum(author, report.id);

  expect([before, after, added, later, await newImages()]).toEqual([0, 2, 0, 1, 0]);
});

test('images that were restored after signing count as new', async () => {
  const admin = await world.signIn('ADMIN');
  const author = await world.signIn('RADIOLOGIST', admin.tenant);
  const study = await arrivingStudy(admin);
  const { data: details } = await author.send(studies.get, { params: { id: study.id } });
  const body = { seriesInstanceUID: details.series[0]?.seriesInstanceUID ?? '', title: '113001' } as const;
  const { data: rejection } = await admin.send(rejections.reject, { params: { id: study.id }, body });
  const { data: report } = await beginReport(author, study.id);
  await finalize(author, report.id, { revision: 1 });
  await admin.send(rejections.restore, { params: { id: study.id, rejectionId: rejection.id } });

  expect((await author.send(reports.get, { params: { id: report.id } })).data.newImages).toBe(1);
});

test('shows no new images to users who have not begun to write a report', async () => {
  const author = await world.signIn();
  const study = await arrivingStudy(author);

  const { data: facts } = await author.send(reportChecks.facts, { params: { id: study.id } });

  expect(facts.newImages).toBe(0);
});

import { Readable } from 'node:stream';
import { rejections } from '@radwork/contract/imaging/rejections';
import { seriesMoves } from '@radwork/contract/imaging/series-moves';
import { studies } from '@radwork/contract/imaging/studies';
import type { DicomJson } from '@radwork/dicom/dataset';
import { newUid } from '@radwork/dicom/uid';
import { afterEach, onTestFinished } from 'vitest';
import { startMoves } from '#imaging/series-moves/jobs.ts';
import { getFrom, storeAs } from './archive-calls.ts';
import { eventually, until } from './eventually.ts';
import { image } from './multipart-upload.ts';
import type { Person, World } from './world.ts';

export const jane = { PatientName: 'Doe^Jane', PatientID: 'P-1', PatientBirthDate: '19500101', PatientSex: 'F' };
export const john = { PatientName: 'Roe^John', PatientID: 'P-2', PatientBirthDate: '19600101', PatientSex: 'M' };

type Patient = Record<string, string>;
type Target = { seriesInstanceUID: string; toStudyId?: string; toPatientId?: string };

/** A stored study: its series to move has the first two of its three images. */
export type StudyToMove = Awaited<ReturnType<typeof addStudy>>;

/** Stores a study of a patient with two images in one series, and one image in another. */
const addStudy = async (person: Person, patient: Patient) => {
  const study = {
    ...patient,
    StudyInstanceUID: newUid(),
    StudyDate: '20261120',
    AccessionNumber: patient['PatientID'],
  };
  const [moved, other] = [newUid(), newUid()];
  const uids = [moved, moved, other].map((SeriesInstanceUID) => ({ SeriesInstanceUID, SOPInstanceUID: newUid() }));
  await storeAs(person, ...uids.map((one, index) => image({ ...study, ...one, InstanceNumber: index + 1 })));
  const { data } = await person.send(studies.getByUid, { params: { studyUid: study.StudyInstanceUID } });
  return { id: data.id, uid: study.StudyInstanceUID, patientId: data.patient.id, series: moved, uids };
};

const detailsOf = async (person: Person, id: string) => (await person.send(studies.get, { params: { id } })).data;

const begin = (person: Person, id: string, body: Target) => person.send(seriesMoves.move, { params: { id }, body });

const moveIn = async (person: Person, id: string, moveId: string) =>
  (await person.send(seriesMoves.ofStudy, { params: { id } })).data.find((one) => one.id === moveId);

/** Returns a move once it has ended. */
const ended = (person: Person, id: string, moveId: string) =>
  eventually(async () => {
    const found = await moveIn(person, id, moveId);
    if (!found || found.state === 'COPYING') throw new Error('The move is still running');
    return found;
  });

const undo = (person: Person, id: string, rejectionId: string) =>
  person.send(rejections.restore, { params: { id, rejectionId } });

const metadataOf = async (person: Person, studyUid: string): Promise<DicomJson[]> =>
  (await getFrom(person, `/studies/${studyUid}/metadata`)).json();

/** Steps with moves of series, over HTTP. */
export const seriesMoveSteps = (world: World) => {
  // A job that a test left would occupy the worker of the next test.
  afterEach(() => world.owner.deleteFrom('jobs').execute());

  /** Runs the jobs of moves until the test ends. */
  const work = ({ blobs = world.context.blobs, release = () => {} } = {}) => {
    const errors: unknown[] = [];
    const stop = startMoves({ ...world.context, blobs }, world.url, { onError: (error) => errors.push(error) });
    onTestFinished(() => {
      release();
      return stop();
    });
    return { stop, errors };
  };

  /** Runs the jobs of moves. They wait at their first image until `release` is called; `reading` resolves then. */
  const workHeld = () => {
    const reading = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const { blobs } = world.context;
    async function* streamed(...place: Parameters<typeof blobs.stream>) {
      reading.resolve();
      await released.promise;
      yield* blobs.stream(...place);
    }
    const { resolve: release } = released;
    work({ blobs: { ...blobs, stream: (...place) => Readable.from(streamed(...place)) }, release });
    return { reading: reading.promise, release };
  };

  /** Waits until the job of a move has ended. */
  const jobEnded = (moveId: string) =>
    until(async () => !(await world.owner.selectFrom('jobs').select('id').where('id', '=', moveId).executeTakeFirst()));

  /** Moves a series to its end. The status is 409 for a move that failed. */
  const move = async (person: Person, id: string, body: Target) => {
    const { status, data, error } = await begin(person, id, body);
    if (status !== 201) return { status, error, data: { studyId: '', rejectionId: '', images: 0 } };
    const worker = work();
    const { state, studyId, rejectionId, images } = await ended(person, id, data.id);
    await worker.stop();
    return {
      status: state === 'DONE' ? 201 : 409,
      error,
      data: { studyId: studyId ?? '', rejectionId: rejectionId ?? '', images },
    };
  };

  /** Stores a study of each of two patients. */
  const prepare = async () => {
    const admin = await world.signIn('ADMIN');
    return { admin, from: await addStudy(admin, jane), to: await addStudy(admin, john) };
  };

  return { addStudy, detailsOf, begin, moveIn, ended, undo, metadataOf, work, workHeld, jobEnded, move, prepare };
};

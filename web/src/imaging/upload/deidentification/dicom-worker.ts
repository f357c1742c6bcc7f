import { DicomWork, type WorkerAnswer, type WorkerRequest } from './dicom-work.ts';

/**
 * Code in the worker that `startDicomReader` starts. It reads files outside the main thread, so that the page stays
 * responsive.
 */
const work = new DicomWork();

addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => {
  const { id, request } = data;
  const sendAnswer = (message: WorkerAnswer) => postMessage(message);
  work.answer(request).then(
    (answer) => sendAnswer({ id, answer }),
    () => sendAnswer({ id, answer: undefined }),
  );
});

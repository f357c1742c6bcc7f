import { DicomWork } from './dicom-work.ts';
import type { Asked, Told } from './dicom-reader.ts';

/** The other end of `startDicomReader`: looks into files away from the page, which stays fluid meanwhile. */
const work = new DicomWork();

addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  const { id, request } = data;
  const tell = (told: Told) => postMessage(told);
  work.answer(request).then(
    (answer) => tell({ id, answer }),
    () => tell({ id, answer: undefined }),
  );
});

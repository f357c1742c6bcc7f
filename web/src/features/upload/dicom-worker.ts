import { DicomWork } from './dicom-work.ts';
import type { Asked, Told } from './dicom-reader.ts';

/** The worker side of `startDicomReader`. Reads files off the main thread, so the page stays responsive. */
const work = new DicomWork();

addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  const { id, request } = data;
  const tell = (told: Told) => postMessage(told);
  work.answer(request).then(
    (answer) => tell({ id, answer }),
    () => tell({ id, answer: undefined }),
  );
});

import { h264Mp4, h264TransportStream } from '@radwork/phantom/video';
import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { eventually } from '#test/eventually.ts';
import { answerBytes, serve, show, signIn } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import { DocumentPane } from './document-pane.tsx';

const study = studyDetails();
const [anySeries] = study.series;
if (!anySeries) throw new Error('The study has no series');
const series = { ...anySeries, modality: 'ES' };

// jsdom has no object URLs.
URL.createObjectURL = () => 'blob:video';
URL.revokeObjectURL = () => {};
afterEach(() => vi.restoreAllMocks());

const header = (form: string) => ({
  '00080016': { vr: 'UI', Value: ['1.2.840.10008.5.1.4.1.1.77.1.1.1'] },
  '00080018': { vr: 'UI', Value: ['2.25.7'] },
  '00083002': { vr: 'UI', Value: [`1.2.840.10008.1.2.4.${form}`] },
  '00100020': { vr: 'LO', Value: [study.patient.patientId] },
  '0008103E': { vr: 'LO', Value: ['gastroscopy'] },
  '00181063': { vr: 'DS', Value: [100] },
  '00280008': { vr: 'IS', Value: [10] },
  '00280010': { vr: 'US', Value: [48] },
  '00280011': { vr: 'US', Value: [64] },
});

const instance = '/api/wado-rs/studies/:study/series/:series/instances/:instance/rendered';
const url = '/api/wado-rs/studies/1/series/2/instances/3/rendered?expires=1&session=a&signature=b';

/** Shows a video. `plays` lists the beginnings of the media types that the browser plays. */
const showVideo = (
  form: string,
  mediaType: string,
  { plays = ['video/mp4; codecs="avc1'], stream = h264Mp4() } = {},
) => {
  vi.spyOn(HTMLMediaElement.prototype, 'canPlayType').mockImplementation((type) =>
    plays.some((play) => type.startsWith(play)) ? 'probably' : '',
  );
  signIn();
  const data = { url, expiresAt: new Date().toISOString(), mediaType, size: stream.length };
  const calls = serve(
    answerBytes('/api/wado-rs/studies/:study/series/:series/metadata', () => Response.json([header(form)])),
    answerBytes(instance, () => new Response(new Uint8Array(stream), { headers: { 'content-type': mediaType } })),
    { ...answerBytes(instance, () => Response.json({ code: 200, message: 'OK', data })), method: 'POST' },
  );
  show(<DocumentPane study={study} series={series} onGoTo={() => {}} />);
  return calls;
};

const videoElement = () => {
  const video = document.querySelector('video');
  if (!video) throw new Error('There is no video element');
  return video;
};

const loaded = async () => {
  await screen.findByRole('region', { name: 'Video' });
  const video = videoElement();
  Object.defineProperties(video, {
    videoWidth: { value: 64 },
    duration: { value: 1 },
    pause: { value: () => {} },
    currentTime: { value: 0, writable: true },
  });
  fireEvent.loadedMetadata(video);
  return video;
};

test('a video plays from the address of its stream and steps by frame', async () => {
  showVideo('102', 'video/mp4');
  const video = await loaded();

  expect(video.getAttribute('src')).toBe(url);
  expect(screen.getByText(/H\.264.*Frame 1 of 10/)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Next frame' }));
  expect(video.currentTime).toBeCloseTo(0.15);
  fireEvent.keyDown(screen.getByRole('region', { name: 'Video' }), { key: 'ArrowLeft' });
  expect(video.currentTime).toBeCloseTo(0.05);
});

test('a transport stream plays after its pictures were put into an MP4 file', async () => {
  showVideo('104', 'video/mp2t', { stream: h264TransportStream() });
  const video = await loaded();

  expect(video.getAttribute('src')).toBe('blob:video');
});

test.each([
  ['100', 'video/mpeg', 'This browser does not play MPEG-2 as video/mpeg.'],
  ['102', 'video/H264', 'This browser does not play H.264 as video/H264.'],
  ['107', 'video/mp4', 'This browser does not play HEVC.'],
  ['101', 'video/mp2t', 'This browser does not play MPEG-2.'],
])(
  'a video of form %s as %s that the browser does not play says so and can be downloaded',
  async (form, type, words) => {
    showVideo(form, type);

    expect(await screen.findByText(`${words} Download the video and open it in another program.`)).toBeDefined();
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    await userEvent.click(screen.getByRole('button', { name: 'Download' }));
    await eventually(() => expect(saved).toHaveBeenCalledOnce());
  },
);

test('a stream that the browser cannot decode is not called missing', async () => {
  showVideo('102', 'video/mp4');
  const video = await loaded();
  Object.defineProperty(video, 'error', { value: { code: 3 } });
  vi.stubGlobal('MediaError', { MEDIA_ERR_NETWORK: 2 });

  fireEvent.error(video);

  expect(await screen.findByText(/The stream is damaged, or this browser does not decode it\./)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Download' })).toBeDefined();
});

import { readHeader } from '@radwork/dicom/header';
import { jpegOf } from '@radwork/phantom/jpeg';
import { slidePyramid } from '@radwork/phantom/studies';
import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, afterEach, expect, test, vi } from 'vitest';
import { type DicomJson, itemsOf, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { eventually } from '#test/eventually.ts';
import { answerBytes, serve, show, signIn } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import { SlidePane } from './slide-pane.tsx';

const study = studyDetails();
const [anySeries] = study.series;
if (!anySeries) throw new Error('The study has no series');
const series = { ...anySeries, modality: 'SM', seriesDescription: 'HE' };
const { patientId } = study.patient;
const patient = { PatientName: 'A^B', PatientID: patientId, PatientBirthDate: '19610203', PatientSex: 'F' } as const;

const files = [
  ...slidePyramid({
    seed: 'slide pane',
    patient,
    studyDate: '20261112',
    accessionNumber: 'A',
    isCompressed: false,
    factors: [8],
  }),
];
const headers = files.map(({ bytes }) => {
  const { dataset, transferSyntaxUID } = readHeader(bytes);
  return { ...dataset, [tag.AvailableTransferSyntaxUID]: { vr: 'UI', Value: [transferSyntaxUID] } };
});
const tile = new Uint8Array(256 * 256 * 3);

const framePath = '/api/wado-rs/studies/:study/series/:series/instances/:instance/frames/:frames';

const showSlide = (shown: object[] = headers, frame: () => Response = () => new Response(tile)) => {
  signIn();
  const calls = serve(
    answerBytes('/api/wado-rs/studies/:study/series/:series/metadata', () => Response.json(shown)),
    answerBytes(framePath, frame),
  );
  show(<SlidePane study={study} series={series} />);
  return calls;
};

// jsdom has no layout, no canvas and no bitmaps.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  vi.stubGlobal('ImageData', class {});
  vi.stubGlobal('createImageBitmap', async () => ({ width: 256, height: 256, close: () => {} }));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const facts = () => screen.findByText(/^Slide · /);

test('a slide shows its magnification and its scale, and the keys zoom it and fit it again', async () => {
  showSlide();
  const region = await screen.findByRole('region', { name: 'Slide' });
  const whole = (await facts()).textContent;
  const bar = () => document.querySelector('[data-scale]')?.getAttribute('data-scale');
  expect(whole).toBe('Slide · 61.4× · 1.3 µm/pixel · 250 × 175 pixels · 1 level');
  expect(bar()).toBe('100 µm');

  fireEvent.keyDown(region, { key: '+' });
  expect((await facts()).textContent).toContain('92.2×');
  fireEvent.keyDown(region, { key: 'Home' });
  expect((await facts()).textContent).toBe(whole);
  expect(bar()).toBe('100 µm');
});

test('two fingers that double their distance double the magnification, and the map appears', async () => {
  showSlide();
  const region = await screen.findByRole('region', { name: 'Slide' });
  expect(screen.queryByRole('img', { name: 'Overview map' })).toBeNull();

  fireEvent.pointerDown(region, { pointerId: 1, button: 0, clientX: 350, clientY: 300 });
  fireEvent.pointerDown(region, { pointerId: 2, button: 0, clientX: 450, clientY: 300 });
  fireEvent.pointerMove(region, { pointerId: 2, clientX: 550, clientY: 300 });

  expect((await facts()).textContent).toContain('122.9×');
  expect(screen.getByRole('img', { name: 'Overview map' })).toBeDefined();
});

test.each([
  ['', true],
  ['SRGB', false],
])('a slide with a color profile of color space "%s" says that it is not applied: %s', async (space, isNamed) => {
  const profile = { vr: 'OB', InlineBinary: 'AAAA' };
  const color = { [tag.ICCProfile]: profile, ...(space && { [tag.ColorSpace]: { vr: 'CS', Value: [space] } }) };
  const profiled = headers.map((header) => {
    const [path] = itemsOf(header as DicomJson, tag.OpticalPathSequence);
    return { ...header, [tag.OpticalPathSequence]: { vr: 'SQ', Value: [{ ...path, ...color }] } };
  });
  showSlide(profiled);

  expect((await facts()).textContent?.includes('Color profile (ICC) not applied')).toBe(isNamed);
});

test('a measured distance says that it is not saved', async () => {
  showSlide();
  const region = await screen.findByRole('region', { name: 'Slide' });

  await userEvent.click(screen.getByRole('button', { name: 'Measure distance (not saved)' }));
  fireEvent.pointerDown(region, { pointerId: 1, button: 0, clientX: 100, clientY: 100 });
  fireEvent.pointerMove(region, { pointerId: 1, clientX: 300, clientY: 100 });

  expect(await screen.findByText('Distances are not saved')).toBeDefined();
});

test('a tile that fails says why, and Retry loads it', async () => {
  let count = 0;
  showSlide(headers, () => {
    count += 1;
    return count === 1
      ? Response.json({ code: 403, error: 'frames.refused', message: 'The image is locked' }, { status: 403 })
      : new Response(tile);
  });

  expect((await screen.findByRole('alert')).textContent).toContain('1 tile could not be loaded. The image is locked');
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  await eventually(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(count).toBe(2);
});

test('a tile that the server cannot draw offers no retry, and says so', async () => {
  showSlide(headers, () =>
    Response.json({ code: 422, error: 'frames.undecodable', message: 'The tile is damaged' }, { status: 422 }),
  );

  expect((await screen.findByRole('alert')).textContent).toContain('The tile is damaged Loading it again cannot help.');
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
});

test('a JPEG whose colors differ from its header is drawn by the server', async () => {
  const asJpeg = headers.map((header) => ({
    ...header,
    [tag.AvailableTransferSyntaxUID]: { vr: 'UI', Value: ['1.2.840.10008.1.2.4.50'] },
  }));
  signIn();
  const calls = serve(
    answerBytes('/api/wado-rs/studies/:study/series/:series/metadata', () => Response.json(asJpeg)),
    answerBytes(framePath, () => new Response(new Uint8Array(jpegOf(Buffer.from(tile), 256, 256)))),
    answerBytes(`${framePath}/rendered`, () => new Response('png')),
  );
  show(<SlidePane study={study} series={series} />);

  await eventually(() => expect(calls.some(({ url }) => url.pathname.endsWith('/frames/1/rendered'))).toBe(true));
});

test('a tile with too few bytes is called damaged', async () => {
  showSlide(headers, () => new Response(tile.subarray(0, 100)));

  expect((await screen.findByRole('alert')).textContent).toContain('The tile is damaged.');
});

test('label and overview open by their buttons and are fetched only then', async () => {
  const calls = showSlide();
  await screen.findByRole('region', { name: 'Slide' });
  const frames = () => calls.filter(({ url }) => url.pathname.includes('/frames/'));
  await eventually(() => expect(frames()).toHaveLength(1));

  await userEvent.click(screen.getByRole('radio', { name: 'Label' }));

  expect(await screen.findByRole('region', { name: 'Label' })).toBeDefined();
  await eventually(() => expect(frames()).toHaveLength(2));
});

test('a distance is measured by a drag', async () => {
  showSlide();
  const region = await screen.findByRole('region', { name: 'Slide' });
  await userEvent.click(screen.getByRole('button', { name: 'Measure distance (not saved)' }));

  fireEvent.pointerDown(region, { pointerId: 1, button: 0, clientX: 100, clientY: 100 });
  fireEvent.pointerMove(region, { pointerId: 1, clientX: 400, clientY: 500 });

  // 500 pixels of the screen at 1.302 µm.
  expect(screen.getByRole('img', { name: 'Distance 651 µm' })).toBeDefined();
});

test('a slide whose frames do not fit its header says so and shows nothing', async () => {
  showSlide(headers.map((header) => ({ ...header, [tag.NumberOfFrames]: { vr: 'IS', Value: [7] } })));

  expect(
    await screen.findByText(/The image of 250 × 175 pixels is not shown: it has 7 tiles, but its header describes 1\./),
  ).toBeDefined();
  expect(screen.queryByRole('region')).toBeNull();
});

test('a slide that names another patient than its study shows a warning', async () => {
  showSlide(headers.map((header) => ({ ...header, [tag.PatientID]: { vr: 'LO', Value: ['OTHER'] } })));

  expect(await screen.findByText('The document names patient OTHER')).toBeDefined();
});

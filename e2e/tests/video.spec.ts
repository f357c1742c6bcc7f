import { expect, type Page, test } from '@playwright/test';
import { readHeader } from '@radwork/dicom/header';
import { simpleInstance } from '@radwork/phantom/instance';
import { h264Mp4, h264TransportStream, videoFrames } from '@radwork/phantom/video';
import { signIn } from '../src/steps.ts';
import { upload } from '../src/viewer-steps.ts';

const { count, rate, width, height } = videoFrames;

const uids = (last: number) => ({
  StudyInstanceUID: `2.25.77010${last}`,
  SeriesInstanceUID: `2.25.77020${last}`,
  SOPInstanceUID: `2.25.77030${last}`,
});

const videoOf = (name: string, last: number, pixelData: Buffer[]) =>
  simpleInstance(
    {
      SOPClassUID: '1.2.840.10008.5.1.4.1.1.77.1.1.1',
      ...uids(last),
      Modality: 'ES',
      PatientName: `Video^${name}`,
      PatientID: `E2E-${name}`,
      SeriesDescription: 'Gastroscopy',
      Rows: height,
      Columns: width,
      SamplesPerPixel: 3,
      PhotometricInterpretation: 'YBR_PARTIAL_420',
      PlanarConfiguration: 0,
      BitsAllocated: 8,
      BitsStored: 8,
      HighBit: 7,
      PixelRepresentation: 0,
      NumberOfFrames: count,
      FrameTime: 1000 / rate,
    },
    { transferSyntaxUID: '1.2.840.10008.1.2.4.102', pixelData },
  );

/** Gray value at the center of the picture that the video element shows. */
const grayOf = (page: Page): Promise<number> =>
  page.locator('video').evaluate((video: HTMLVideoElement) => {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: video.videoWidth, height: video.videoHeight });
    const context = canvas.getContext('2d');
    context?.drawImage(video, 0, 0);
    return context?.getImageData(32, 24, 1, 1).data[0] ?? -1;
  });

/** Gray value of a frame. Frame numbers start at 1. */
const expectedGray = (frame: number): number => 20 + 24 * (frame - 1);

test('H.264 in MP4 and in a transport stream plays in the viewer and steps by frame', async ({ page }) => {
  test.setTimeout(240_000);
  await signIn(page, 'radiologist');
  const mp4 = h264Mp4();
  const videos = [
    videoOf('MP4', 1, [mp4.subarray(0, 400), mp4.subarray(400)]),
    videoOf('TS', 2, [h264TransportStream()]),
  ];
  for (const bytes of videos) {
    await upload(page, [{ bytes }]);
    await page.goto(`/viewer/${readHeader(bytes).studyInstanceUID}`);
    await expect(page.getByText('Frame 1 of 10')).toBeVisible();

    await expect.poll(async () => Math.abs((await grayOf(page)) - expectedGray(1))).toBeLessThan(8);
    for (const frame of [2, 3, 4]) {
      await page.getByRole('button', { name: 'Next frame' }).click();
      await expect(page.getByText(`Frame ${frame} of 10`)).toBeVisible();
      await expect.poll(async () => Math.abs((await grayOf(page)) - expectedGray(frame))).toBeLessThan(8);
    }
  }
});

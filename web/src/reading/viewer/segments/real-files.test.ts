import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { indexFrames } from '@radwork/dicom/frame-index';
import { readHeader } from '@radwork/dicom/header';
import { alignedFrame } from '@radwork/dicom/packed-bits';
import { expect, test } from 'vitest';
import { sharedFolder } from '#test/shared-files.ts';
import { type DicomJson, numberOf, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { planeOf } from '#reading/viewer/images/geometry/image-plane.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { type Mask, maskOf } from './mask.ts';
import { imagesOf, place, regionPlacementOf } from './placement.ts';
import { readSegmentation } from './read-segmentation.ts';
import { readStructures } from './read-structures.ts';
import type { SegmentSet } from './segment-set.ts';

/** Files by other software (../shared/dicom/MANIFEST.tsv). Without them, these tests are skipped. */
const collection = sharedFolder('dicom');
const isMissing = collection === undefined;

const read = (name: string): Buffer => readFileSync(join(collection ?? '', name));
const open = (name: string) => {
  const { dataset, studyInstanceUID, seriesInstanceUID } = readHeader(read(name));
  return { header: dataset as DicomJson, where: { studyInstanceUID, seriesInstanceUID } };
};
const segmentation = (name: string): SegmentSet => {
  const { header, where } = open(name);
  return readSegmentation(header, where);
};
const structures = (name: string): SegmentSet => {
  const { header, where } = open(name);
  return readStructures(header, where, new Map());
};
const image = (name: string): SeriesImage => {
  const { header } = open(name);
  const instanceNumber = numberOf(header, tag.InstanceNumber);
  return { imageId: name, header, frame: 1, numberOfFrames: 1, instanceNumber, plane: planeOf(header, 1) };
};
const onImages = (set: SegmentSet, ...names: string[]) =>
  place(set, { studyInstanceUID: set.studyInstanceUID, images: names.map(image) });

/** Returns the masks of a segment in the frames of a file. The archive also aligns frames to bytes. */
const masksIn = async (name: string, segment: number): Promise<(Mask | undefined)[]> => {
  const file = read(name);
  const reader = async (offset: number, length: number) => file.subarray(offset, offset + length);
  const { frames, packed } = await indexFrames(reader, readHeader(file), file.length);
  const { masks } = segmentation(name);
  if (!masks) throw new Error('It has no frames');
  return frames.map((ranges, index) => {
    const bytes = Buffer.concat(ranges.map(([offset, length]) => file.subarray(offset, offset + length)));
    return maskOf(packed ? alignedFrame(bytes, packed, index) : bytes, masks, segment);
  });
};

const small = ['IMG0001', 'IMG0002', 'IMG0003'].map((name) => `seg-sr-rwv/${name}.dcm`);

test.skipIf(isMissing)(
  'a segmentation by dcmqi has one frame on each of the three images from which it was made',
  () => {
    const set = segmentation('seg-sr-rwv/label.seg');
    const { refusal, placement } = onImages(set, ...small);

    expect(refusal).toBe('');
    expect(set.regions).toMatchObject([{ name: 'Liver', words: 'Liver · Semiautomatic: SlicerEditor' }]);
    expect(imagesOf(placement, 1)).toEqual([0, 1, 2]);
    // Slicer's color of the liver (221, 130, 101); dcmqi uses a slightly different white for CIELab.
    for (const [index, part] of [221, 130, 101].entries()) {
      expect(Math.abs((set.regions[0]?.color[index] ?? 0) - part)).toBeLessThan(8);
    }
  },
);

test.skipIf(isMissing)('segments that overlap keep their names and frames', () => {
  const set = segmentation('seg-sr-rwv/partial_overlaps.dcm');
  const { placement } = onImages(set, ...['01', '02', '03'].map((name) => `seg-sr-rwv/${name}.dcm`));
  const parts = [...placement.parts.values()].flat();

  expect(set.regions.map(({ name }) => name).toSorted()).toEqual([
    'DARK_BLUE',
    'GREEN',
    'LIGHT_BLUE',
    'ORANGE',
    'PURPLE',
  ]);
  expect(parts).toHaveLength(7);
  expect(placement.reasons.size).toBe(0);
});

test.skipIf(isMissing)(
  'segment frames that start inside a byte have the same pixels as frames that start at a byte',
  async () => {
    // Both files hold the same three frames of 512 x 512; the second file lacks the outermost pixels.
    const [full, cut] = await Promise.all(
      ['liver', 'liver_nonbyte_aligned'].map((name) => masksIn(`pydicom/data/${name}.dcm`, 1)),
    );
    const shifts = (cut ?? []).map((mask, index) => {
      const other = full?.[index];
      if (!mask || !other) throw new Error('Each frame has a liver');
      expect(mask.values).toEqual(other.values);
      return [other.top - mask.top, other.left - mask.left];
    });

    expect(shifts).toHaveLength(3);
    expect(new Set(shifts.map(String)).size).toBe(1);
  },
);

test.skipIf(isMissing)('a label map omits its background and contains its segment', async () => {
  const set = segmentation('seg-sr-rwv/sparse-labelmap-ppv5.dcm');
  const masks = await masksIn('seg-sr-rwv/sparse-labelmap-ppv5.dcm', set.regions[0]?.number ?? 0);
  const binary = await masksIn('seg-sr-rwv/label.seg', 1);

  expect(set.regions.map(({ name }) => name)).toEqual(['Liver']);
  expect(imagesOf(onImages(set, ...small).placement, set.regions[0]?.number ?? 0)).toEqual([0, 2]);
  // Both frames of the file show the liver on the middle image.
  expect(binary.map(Boolean)).toEqual([false, true, false]);
  expect(masks).toEqual([binary[1], binary[1]]);
});

test.skipIf(isMissing)(
  'a segmentation of a slide appears on the tiles it refers to, which have no patient position',
  () => {
    const set = segmentation('seg-sr-rwv/seg_image_sm_control_labelmap.dcm');
    const [tile] = onImages(set, 'seg-sr-rwv/sm_image.dcm').placement.parts.values();

    expect(tile?.map((part) => 'mask' in part && part.isOnGrid && part.mask.number)).toEqual(set.regions.map(() => 1));
  },
);

test.skipIf(isMissing)('a structure set of a treatment plan has all its regions, contours, points and colors', () => {
  const set = structures('rt/rtss.dcm');
  const contours = [...(set.outlines?.values() ?? [])].flatMap((outline) => outline.contours);

  expect(set.regions.map(({ name }) => name)).toContain('Tumor Bed');
  expect(contours.filter(({ kind }) => kind === 'closed')).toHaveLength(441);
  expect(set.regions.find(({ name }) => name === 'Lt Lung')?.color).toEqual([128, 128, 255]);
});

test.skipIf(isMissing)(
  'a structure set with its own frame of reference is not drawn on the images it refers to',
  () => {
    const set = structures('rtstruct-ct/rt.dcm');
    const placedSet = onImages(set, 'rtstruct-ct/ct_1.dcm', 'rtstruct-ct/ct_2.dcm');
    const [region] = set.regions;

    expect(textOf(open('rtstruct-ct/ct_1.dcm').header, tag.PatientID)).toBe(set.patientId);
    expect(region && regionPlacementOf(set, region, placedSet).missing).toContain('the frame of reference differs');
  },
);

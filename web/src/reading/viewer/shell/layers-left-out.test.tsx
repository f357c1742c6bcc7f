import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type DicomJson, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { paneTextOf } from '#reading/viewer/pictures/picture-overlays.ts';
import { LayersLeftOut } from './layers-left-out.tsx';

const factsWith = (...headers: DicomJson[]) =>
  paneTextOf(render(<LayersLeftOut images={headers.map((header) => ({ header }))} />).container).facts;

test('a plane through images with a shutter warns that it is not drawn', () => {
  const shuttered = { [tag.ShutterShape]: { vr: 'CS', Value: ['CIRCULAR'] } };

  expect(factsWith({}, shuttered)).toEqual(['Not drawn on planes: overlays, shutters or colors of the files']);
});

test('a plane through images without layers shows no warning', () => {
  expect(factsWith({}, {})).toEqual([]);
});

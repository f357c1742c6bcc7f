import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readHeader } from '@radwork/dicom/header';
import { patients } from '@radwork/phantom/patients';
import { petCt } from '@radwork/phantom/studies';
import { show } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import { type DicomJson, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { usePlaneLayers } from '#reading/viewer/plane-layers/use-plane-layers.ts';
import { FusionControls } from './fusion-controls.tsx';
import type { ReadSeries } from './pet/fusion-pairs.ts';
import { petScaleOf } from './pet/pet-scale.ts';
import { useLinkedPlanes } from './panes/use-linked-planes.ts';
import { useFusion } from './use-fusion.ts';

const about = { patient: patients[0], studyDate: '20261112', accessionNumber: 'MENUS', slices: 4, size: 16 };

const headers = Array.from(petCt({ ...about, seed: 'menus' }), ({ bytes }) => readHeader(bytes).dataset as DicomJson);

const seriesOf = (modality: 'CT' | 'PT'): ReadSeries => {
  const [series] = studyDetails().series;
  if (!series) throw new Error('The study has no series');
  const ofModality = headers.filter((header) => textOf(header, tag.Modality) === modality);
  return {
    series: { ...series, modality, seriesInstanceUID: textOf(ofModality[0] ?? {}, tag.SeriesInstanceUID) },
    images: ofModality.map((header, at) => ({
      imageId: `${modality} ${at}`,
      header,
      frame: 1,
      numberOfFrames: 1,
      instanceNumber: at + 1,
      plane: undefined,
    })),
  };
};

function Controls() {
  const pair = { anatomy: seriesOf('CT'), uptake: seriesOf('PT') };
  const fusion = useFusion();
  const linked = useLinkedPlanes([0, 0, 0]);
  const layers = usePlaneLayers(studyDetails({ series: [] }));
  return (
    <FusionControls
      isListOpen={false}
      onMeasurements={() => undefined}
      canUndo={false}
      onUndo={() => undefined}
      fusion={fusion}
      linked={linked}
      layers={layers}
      pair={pair}
      scale={petScaleOf(pair.uptake.images, 10)}
      pairs={[pair]}
      onPair={() => undefined}
      onRemoveSphere={() => undefined}
      menuFor={({ modality }) => <span>{`Menu of ${modality}`}</span>}
    />
  );
}

test('both fused series have their menu in the toolbar', async () => {
  show(<Controls />);

  expect(await screen.findByText('Menu of CT')).toBeTruthy();
  expect(screen.getByText('Menu of PT')).toBeTruthy();
});

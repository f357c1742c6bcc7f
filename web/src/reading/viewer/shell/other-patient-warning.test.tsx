import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { tag } from '#reading/viewer/images/header/dicom-json.ts';
import { OtherPatients } from './other-patient-warning.tsx';

const image = (number: number, patientId: string) => ({
  imageId: `wadors:${number}`,
  header: { [tag.PatientID]: { vr: 'LO', Value: [patientId] } },
  frame: 1,
  numberOfFrames: 1,
  instanceNumber: number,
  plane: undefined,
});

test('the warning names each other patient of a series once', () => {
  const images = ['P-100', 'P-100', 'P-999', 'P-999', 'P-7'].map((id, at) => image(at + 1, id));

  render(<OtherPatients images={images} patientId="P-100" />);

  expect(screen.getAllByText(/^The image names patient/).map(({ textContent }) => textContent)).toEqual([
    'The image names patient P-999',
    'The image names patient P-7',
  ]);
});

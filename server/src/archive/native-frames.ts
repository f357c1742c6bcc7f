import { textOf } from '@radwork/dicom/dataset';
import type { Header } from '@radwork/dicom/header';
import { transferSyntaxOf } from '@radwork/dicom/transfer-syntax';

/** Colours at half the width: two pixels in four bytes, Y Y Cb Cr (PS3.3 §C.7.6.3.1.2). */
const halfColour = new Set(['YBR_FULL_422', 'YBR_PARTIAL_422']);

/** Whether an instance's frames are served as RGB although the file has them otherwise. */
export const isConvertedToRgb = ({ dataset, transferSyntaxUID }: Header): boolean =>
  isHalfColour(transferSyntaxUID, textOf(dataset, 'PhotometricInterpretation') ?? '');

export const isHalfColour = (transferSyntaxUid: string, photometricInterpretation: string): boolean =>
  transferSyntaxOf(transferSyntaxUid)?.encapsulated === false && halfColour.has(photometricInterpretation);

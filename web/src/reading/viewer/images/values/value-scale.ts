import { densityUnit } from './density-unit.ts';
import { type DicomJson, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { uptakeOf } from './uptake-scaling.ts';

/**
 * Identifies the scale of image values; a window fits all images of one scale. A PET is in SUV, or without a dose in
 * the unit of its file.
 */
export const valueScaleOf = ({ imageId, header }: { imageId: string; header: DicomJson }): string => {
  const modality = textOf(header, tag.Modality);
  if (modality === 'CT') return `CT ${densityUnit(header)}`;
  if (modality !== 'PT') return modality;
  return uptakeOf(imageId)?.factor === undefined ? `PT ${textOf(header, tag.Units)}` : 'PT SUV';
};

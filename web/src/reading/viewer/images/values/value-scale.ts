import { densityUnit } from './density-unit.ts';
import { type DicomJson, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { uptakeOf } from './uptake-scaling.ts';

/**
 * Returns a key for the scale of image values. Images with the same key can share a window. A PET is in SUV, or in the
 * unit of its file if its SUV factor is unknown.
 */
export const valueScaleOf = ({ imageId, header }: { imageId: string; header: DicomJson }): string => {
  const modality = textOf(header, tag.Modality);
  if (modality === 'CT') return `CT ${densityUnit(header)}`;
  if (modality !== 'PT') return modality;
  return uptakeOf(imageId)?.factor === undefined ? `PT ${textOf(header, tag.Units)}` : 'PT SUV';
};

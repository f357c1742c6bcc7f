import { densityUnit } from './density-unit.ts';
import { type DicomJson, tag, textOf } from './dicom-json.ts';
import { uptakeOf } from './uptake-scaling.ts';

/**
 * On which scale the numbers of an image stand: those of one scale mean the same, so that a window for the one is one for
 * the other. A PET with its dose is in SUV, one without it in the unit of its file.
 */
export const scaleOfNumbers = ({ imageId, header }: { imageId: string; header: DicomJson }): string => {
  const modality = textOf(header, tag.Modality);
  if (modality === 'CT') return `CT ${densityUnit(header)}`;
  if (modality !== 'PT') return modality;
  return uptakeOf(imageId)?.factor === undefined ? `PT ${textOf(header, tag.Units)}` : 'PT SUV';
};

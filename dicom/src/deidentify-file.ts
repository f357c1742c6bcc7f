import { DicomError } from './dicom-error.ts';
import { writeDataSet, writeFileStart } from './element-writer.ts';
import { pixelDataEnd, readRawBlob } from './raw-blob.ts';
import { textOfRaw } from './raw-data-set.ts';
import { deidentify, type Change, type DeidentifyOptions } from './deidentify.ts';
import { deidentificationRefusal } from './deidentification-limits.ts';

export type DeidentifiedFile = { blob: Blob; changes: Change[] };

/**
 * De-identifies a DICOM file by the Basic Application Level Confidentiality Profile (PS3.15 Annex E), in its own
 * transfer syntax. Writes a new header before the unchanged pixel data, without copying the pixels. Elements after the
 * pixel data are dropped. Throws DicomError when the file is damaged or cannot be cleaned.
 */
export const deidentifyFile = async (file: Blob, options: DeidentifyOptions): Promise<DeidentifiedFile> => {
  const raw = await readRawBlob(file);
  const fault = deidentificationRefusal(raw);
  if (fault) throw new DicomError(fault);
  const { dataSet, changes } = deidentify(raw, options);
  const start = writeFileStart({
    transferSyntaxUID: raw.syntax.uid,
    sopClassUID: textOfRaw(dataSet, '00080016'),
    sopInstanceUID: textOfRaw(dataSet, '00080018'),
  });
  const header = writeDataSet(dataSet, raw.syntax);
  const pixels = raw.pixelData ? file.slice(raw.pixelData.start, await pixelDataEnd(file, raw)) : '';
  return { blob: new Blob([start, header, pixels], { type: 'application/dicom' }), changes };
};

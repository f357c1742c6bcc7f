import { expect, test } from 'vitest';
import { type DicomJson, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { grayTablesOf, learnTables, missingTables, modalityTableOf, paletteOf } from './lookup-tables.ts';

let lastNumber = 0;
/** Registers an instance. Returns a function that gives the image IDs of its frames. */
const learned = (header: DicomJson) => {
  lastNumber += 1;
  const imageIdOf = (frame: number) =>
    `wadors:/api/wado-rs/studies/1/series/2/instances/3.${lastNumber}/frames/${frame}`;
  learnTables(imageIdOf(1), header);
  return imageIdOf;
};

const numbers = (...values: number[]) => ({ vr: 'US', Value: values });
const item = (first: number, values: number[], explanation?: string): DicomJson => ({
  [tag.LUTDescriptor]: numbers(values.length, first, 12),
  [tag.LUTData]: numbers(...values),
  ...(explanation !== undefined && { [tag.LUTExplanation]: { vr: 'LO', Value: [explanation] } }),
});
const sequence = (...items: DicomJson[]) => ({ vr: 'SQ', Value: items });
const window = { [tag.WindowCenter]: numbers(40), [tag.WindowWidth]: numbers(400) };

test('VOI LUTs get their names from the file, and the names are unique', () => {
  const greys = sequence(item(0, [1, 2], 'STANDARD'), item(0, [3, 4]), item(0, [5, 6], 'STANDARD'));
  const { tables, isFirst } = grayTablesOf(learned({ [tag.VOILUTSequence]: greys })(1));

  expect(tables.map(({ name }) => name)).toEqual(['STANDARD', 'Table', 'STANDARD 3']);
  expect(tables[1]?.table.values).toEqual(Uint16Array.of(3, 4));
  expect(isFirst).toBe(true);
});

test('if a file has a window and a VOI LUT, the window is used, as on the server, and the VOI LUT is offered', () => {
  const { tables, isFirst } = grayTablesOf(learned({ ...window, [tag.VOILUTSequence]: sequence(item(0, [1, 2])) })(1));

  expect([tables.length, isFirst]).toEqual([1, false]);
});

test("the VOI LUT comes from the frame's functional group, or from the shared group", () => {
  const voi = (greys: DicomJson) => ({
    [tag.FrameVOILUTSequence]: sequence({ [tag.VOILUTSequence]: sequence(greys) }),
  });
  const imageIdOf = learned({
    [tag.NumberOfFrames]: numbers(2),
    [tag.SharedFunctionalGroupsSequence]: sequence(voi(item(0, [1, 1]))),
    [tag.PerFrameFunctionalGroupsSequence]: sequence({}, voi(item(0, [2, 2]))),
  });

  expect([1, 2].map((frame) => grayTablesOf(imageIdOf(frame)).tables[0]?.table.values[0])).toEqual([1, 2]);
});

test('a functional group that has one part in the frame and one part in the shared group is read whole', () => {
  const group = (frame: DicomJson) => ({ [tag.FrameVOILUTSequence]: sequence(frame) });
  const imageIdOf = learned({
    [tag.NumberOfFrames]: numbers(2),
    [tag.SharedFunctionalGroupsSequence]: sequence(group({ [tag.VOILUTSequence]: sequence(item(0, [1, 2])) })),
    [tag.PerFrameFunctionalGroupsSequence]: sequence(
      {},
      group({ [tag.WindowCenterWidthExplanation]: { vr: 'LO', Value: ['NORMAL'] } }),
    ),
  });

  expect(grayTablesOf(imageIdOf(2)).tables).toHaveLength(1);
});

test('the first value of a lookup table is read as negative only if pixel values can be negative', () => {
  const greys = { [tag.VOILUTSequence]: sequence(item(65_000, [1, 2])) };
  const firstOf = (header: DicomJson) => grayTablesOf(learned({ ...greys, ...header })(1)).tables[0]?.table.first;

  expect(firstOf({})).toBe(65_000);
  expect(firstOf({ [tag.PixelRepresentation]: numbers(1) })).toBe(-536);
  expect(firstOf({ [tag.RescaleIntercept]: numbers(-1024) })).toBe(-536);
});

test('the modality LUT is used unless there is a slope or the image is stored for display', () => {
  const values = { [tag.ModalityLUTSequence]: sequence(item(0, [7, 8])) };
  const tableOf = (header: DicomJson) => modalityTableOf(learned({ ...values, ...header })(1));

  expect(tableOf({})?.values).toEqual(Uint16Array.of(7, 8));
  expect(tableOf({ [tag.RescaleSlope]: numbers(1) })).toBeUndefined();
  expect(tableOf({ [tag.PixelIntensityRelationship]: { vr: 'CS', Value: ['LOG'] } })).toBeUndefined();
});

test('a lookup table outside the header is fetched, and stays when the header is read again', () => {
  const apart = { [tag.LUTDescriptor]: numbers(2, 0, 16), [tag.LUTData]: { vr: 'OW', BulkDataURI: 'x/bulkdata/5' } };
  const header = { [tag.VOILUTSequence]: sequence(apart) };
  const imageId = learned(header)(1);
  const missing = missingTables(imageId);
  expect(missing.uris).toEqual(['x/bulkdata/5']);
  expect(grayTablesOf(imageId).tables).toEqual([]);

  missing.apart.set('x/bulkdata/5', Uint8Array.of(0, 1, 0, 2));
  learnTables(imageId, header);

  expect(missingTables(imageId).uris).toEqual([]);
  expect(grayTablesOf(imageId).tables[0]?.table.values).toEqual(Uint16Array.of(256, 512));
});

test('a damaged modality LUT throws an error, and a damaged VOI LUT is reported', () => {
  const cut = { ...item(0, [1, 2]), [tag.LUTDescriptor]: numbers(900, 0, 12) };
  const imageId = learned({ [tag.ModalityLUTSequence]: sequence(cut), [tag.VOILUTSequence]: sequence(cut) })(1);

  expect(() => modalityTableOf(imageId)).toThrow('The modality LUT of the image is damaged.');
  expect(grayTablesOf(imageId)).toEqual({ tables: [], isFirst: true, isAnyDamaged: true });
});

test('a segmented palette is read, and a damaged palette throws an error', () => {
  const segments = (...words: number[]) => ({
    vr: 'OW',
    InlineBinary: btoa(String.fromCharCode(...new Uint8Array(Uint16Array.from(words).buffer))),
  });
  const palette = (...words: number[]): DicomJson => ({
    [tag.PhotometricInterpretation]: { vr: 'CS', Value: ['PALETTE COLOR'] },
    [tag.RedPaletteColorLookupTableDescriptor]: numbers(4, 0, 16),
    [tag.GreenPaletteColorLookupTableDescriptor]: numbers(4, 0, 16),
    [tag.BluePaletteColorLookupTableDescriptor]: numbers(4, 0, 16),
    [tag.SegmentedRedPaletteColorLookupTableData]: segments(...words),
    [tag.SegmentedGreenPaletteColorLookupTableData]: segments(...words),
    [tag.SegmentedBluePaletteColorLookupTableData]: segments(...words),
  });

  expect(paletteOf(learned(palette(0, 2, 0, 600, 1, 2, 1000))(1))?.[1].values).toEqual(
    Uint16Array.of(0, 600, 800, 1000),
  );
  expect(() => paletteOf(learned(palette(5, 5, 5))(1))).toThrow('palette of the image is damaged');
});

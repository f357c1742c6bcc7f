import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { stackWithoutScreen } from '#test/stack-without-graphics.ts';
import { chooseMapColors } from '#reading/viewer/engine/gray/map-colors.ts';
import { colorAt } from '#reading/viewer/fusion/pet/color-maps.ts';
import { describeShown } from '#reading/viewer/engine/stack/shown-image.ts';
import { type DicomJson, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { hasWords, overlaysOf } from '#reading/viewer/pictures/picture-overlays.ts';
import { MapBar } from './map-bar.tsx';
import { mapScaleOf } from './map-scale.ts';

const of = (...values: unknown[]) => ({ vr: 'UN', Value: values });
const units = (CodeValue: string, CodeMeaning: string) =>
  of({ [tag.CodeValue]: of(CodeValue), [tag.CodeMeaning]: of(CodeMeaning) });

const mapping = (slope: number, intercept: number, unit = units('mm2/s', 'square millimeter per second')) => ({
  [tag.RealWorldValueMappingSequence]: of({
    [tag.LUTLabel]: of('ADC'),
    [tag.RealWorldValueSlope]: of(slope),
    [tag.RealWorldValueIntercept]: of(intercept),
    [tag.MeasurementUnitsCodeSequence]: unit,
  }),
});

const lineOf = (slope: number) => mapping(slope, 0)[tag.RealWorldValueMappingSequence].Value[0];
const twoLines = { [tag.RealWorldValueMappingSequence]: of(lineOf(1), lineOf(2)) };

const parametricMap = (more: DicomJson): DicomJson => ({
  [tag.SOPClassUID]: of('1.2.840.10008.5.1.4.1.1.30'),
  [tag.SharedFunctionalGroupsSequence]: of(mapping(1, 0)),
  ...more,
});

const rtDose = (more: DicomJson = {}): DicomJson => ({
  [tag.SOPClassUID]: of('1.2.840.10008.5.1.4.1.1.481.2'),
  [tag.DoseUnits]: of('GY'),
  [tag.DoseGridScaling]: of(0.05),
  ...more,
});

let count = 0;

/** Shows the scale of an image of 4 x 4 pixels whose window is 0 to 1000. */
const show = async (header: DicomJson, photometricInterpretation: 'MONOCHROME1' | 'MONOCHROME2' = 'MONOCHROME2') => {
  count += 1;
  const imageId = `wadors:/scales/instances/${count}/frames/1`;
  const viewport = await stackWithoutScreen([{ imageId, photometricInterpretation, center: 500.5, width: 1001 }]);
  const image = { imageId, header, frame: 1, numberOfFrames: 1, instanceNumber: 1, plane: undefined };
  const shown = describeShown({ viewport, images: [image] });
  if (!shown) throw new Error('Nothing is drawn');
  return render(<MapBar viewport={viewport} shown={shown} />).container;
};

const barIn = (container: Element) => {
  const bar = container.querySelector('svg');
  return {
    name: bar?.getAttribute('aria-label'),
    texts: [...(bar?.querySelectorAll('g text') ?? [])].map(({ textContent }) => textContent),
    colors: [...(bar?.querySelectorAll('rect[fill^="rgb"]') ?? [])].map((rect) => rect.getAttribute('fill')),
  };
};

test('a parametric map has a scale in the unit of its real world values', async () => {
  const bar = barIn(await show(parametricMap({ [tag.SharedFunctionalGroupsSequence]: of(mapping(0.002, -1)) })));

  expect(bar.name).toBe('ADC, mm²/s');
  expect(bar.texts).toEqual(['-1.0', '-0.5', '0.0', '0.5', '1.0']);
  expect([bar.colors.at(0), bar.colors.at(-1)]).toEqual(['rgb(253 253 253)', 'rgb(2 2 2)']);
});

test('the scale of a map that shows low values white is dark at the top', async () => {
  const { colors } = barIn(await show(parametricMap({}), 'MONOCHROME1'));

  expect([colors.at(0), colors.at(-1)]).toEqual(['rgb(2 2 2)', 'rgb(253 253 253)']);
});

test('the scale of a map has the colors in which the map is drawn', async () => {
  const header = parametricMap({});
  count += 1;
  const imageId = `wadors:/scales/instances/${count}/frames/1`;
  const viewport = await stackWithoutScreen([{ imageId, center: 500.5, width: 1001 }]);
  const image = { imageId, header, frame: 1, numberOfFrames: 1, instanceNumber: 1, plane: undefined };
  const shown = describeShown({ viewport, images: [image] });
  if (!shown) throw new Error('Nothing is drawn');
  chooseMapColors(viewport, 'Hot iron');

  const { colors } = barIn(render(<MapBar viewport={viewport} shown={shown} />).container);

  expect([colors.at(0), colors.at(-1)]).toEqual([colorAt('Hot iron', 1 - 0.5 / 56), colorAt('Hot iron', 0.5 / 56)]);
});

test('the scale of a dose has its numbers in Gy', async () => {
  const bar = barIn(await show(rtDose()));

  expect(bar.name).toBe('Dose, Gy');
  expect(bar.texts).toEqual(['0', '10', '20', '30', '40', '50']);
});

test.each([
  ['a CT image', { [tag.SOPClassUID]: of('1.2.840.10008.5.1.4.1.1.2'), ...mapping(1, 0) }],
  ['a map without a linear mapping', parametricMap({ [tag.SharedFunctionalGroupsSequence]: of() })],
  ['a map with several lines in one unit', parametricMap({ [tag.SharedFunctionalGroupsSequence]: of(twoLines) })],
])('%s has no scale', async (_, header) => {
  expect((await show(header)).querySelector('svg')).toBeNull();
});

test.each([
  [units('1', 'no units'), ''],
  [units('{ratio}', 'ratio'), 'ratio'],
  [units('ml/min/100g', 'milliliter per minute per 100 gram'), 'ml/min/100g'],
  [of(), ''],
])('the unit of a map is that of its code', (unit, text) => {
  expect(mapScaleOf(parametricMap({ [tag.SharedFunctionalGroupsSequence]: of(mapping(1, 0, unit)) }), 1)?.unit).toBe(
    text,
  );
});

test('the mapping of a frame takes precedence over the shared one, and a relative dose has no unit', () => {
  const perFrame = { [tag.PerFrameFunctionalGroupsSequence]: of({}, mapping(7, 1)) };

  expect(mapScaleOf(parametricMap(perFrame), 1)?.slope).toBe(1);
  expect(mapScaleOf(parametricMap(perFrame), 2)?.slope).toBe(7);
  expect(mapScaleOf(rtDose({ [tag.DoseUnits]: of('RELATIVE') }), 1)?.unit).toBe('');
});

test('the numbers of a scale do not count as text of a user', async () => {
  const container = await show(rtDose());

  expect(screen.getByTestId('scale-bar')).toBeDefined();
  expect(hasWords(overlaysOf(document.createElement('canvas'), container))).toBe(false);
});

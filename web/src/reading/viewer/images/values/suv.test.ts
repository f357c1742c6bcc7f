import { calculateSUVScalingFactors } from '@cornerstonejs/metadata';
import { describe, expect, test } from 'vitest';
import type { DicomJson } from '#reading/viewer/images/header/dicom-json.ts';
import { suvOf } from './suv.ts';

type Values = Record<string, string | number | readonly string[] | undefined>;

const injection: Values = {
  '00181072': '083000',
  '00181074': 370_000_000,
  '00181075': 6586.2,
  '00181078': '20261112083000',
};

const series: Values = {
  '00080021': '20261112',
  '00080022': '20261112',
  '00080031': '093000',
  '00080032': '093000',
  '00101030': 70,
  '00280051': ['DECY', 'ATTN', 'SCAT'],
  '00541001': 'BQML',
  '00541102': 'START',
};

const jsonOf = (values: Values): DicomJson =>
  Object.fromEntries(
    Object.entries(values).flatMap(([tag, value]) =>
      value === undefined ? [] : [[tag, { vr: 'UN', Value: Array.isArray(value) ? value : [value] }]],
    ),
  );

const image = (changed: Values = {}, tracer: Values = {}): DicomJson => ({
  ...jsonOf({ ...series, ...changed }),
  '00540016': { vr: 'SQ', Value: [jsonOf({ ...injection, ...tracer })] },
});

const factorOf = (...images: DicomJson[]): number => {
  const suv = suvOf(images);
  return 'factor' in suv ? suv.factor : Number.NaN;
};

const reasonsOf = (...images: DicomJson[]): string => {
  const suv = suvOf(images);
  return 'refused' in suv ? suv.refused.join(' ') : '';
};

/** SUV factor after one hour: the patient's weight in grams divided by the remaining dose. */
const afterAnHour = 70_000 / (370_000_000 * 0.5 ** (3600 / 6586.2));

describe('SUV of activity in Bq/ml', () => {
  test('SUV of activity is computed from the weight and the dose left at the start of the scan', () => {
    expect(factorOf(image())).toBeCloseTo(afterAnHour, 12);
  });

  test('SUV uses the whole dose if the values are corrected to the injection', () => {
    expect(factorOf(image({ '00541102': 'ADMIN' }))).toBeCloseTo(70_000 / 370_000_000, 12);
  });

  test('SUV uses the same factor as the imaging library in the simple case', () => {
    const [library] = calculateSUVScalingFactors([
      {
        CorrectedImage: ['DECY', 'ATTN', 'SCAT'],
        Units: 'BQML',
        DecayCorrection: 'START',
        PatientWeight: 70,
        PatientSize: 1.71,
        PatientSex: 'F',
        RadionuclideHalfLife: 6586.2,
        RadionuclideTotalDose: 370_000_000,
        RadiopharmaceuticalStartTime: '083000',
        SeriesDate: '20261112',
        SeriesTime: '093000',
        AcquisitionDate: '20261112',
        AcquisitionTime: '093000',
      },
    ]);

    expect(factorOf(image())).toBeCloseTo(library?.suvbw ?? 0, 12);
  });

  test('SUV accepts an injection before midnight, with and without its date', () => {
    const scan = { '00080031': '003000', '00080032': '003000' };
    const before = { '00181072': '233000', '00181078': '20261111233000' };

    expect(factorOf(image(scan, before))).toBeCloseTo(afterAnHour, 12);
    expect(factorOf(image(scan, { ...before, '00181078': undefined }))).toBeCloseTo(afterAnHour, 12);
  });

  test('SUV counts whole days of decay between injection and scan', () => {
    const days = { '00181075': 230_400, '00181072': '083000', '00181078': '20261109083000' };

    const remaining = 370e6 * 0.5 ** ((3 * 86_400 + 3600) / 230_400);
    expect(factorOf(image({}, days))).toBeCloseTo(70_000 / remaining, 12);
  });

  test('a long-lived tracer without the date of its injection has no SUV', () => {
    const zirconium = { '00181075': 282_276 };

    expect(factorOf(image({}, zirconium))).toBeCloseTo(70_000 / (370_000_000 * 0.5 ** (3600 / 282_276)), 12);
    expect(reasonsOf(image({}, { ...zirconium, '00181078': undefined }))).toBe(
      'RadiopharmaceuticalStartDateTime (0018,1078) is missing. With a half-life of 78 hours, the injection may have been on an earlier day.',
    );
  });

  test('SUV uses the same factor with and without time zones', () => {
    const injected = { '00181072': undefined, '00181078': '20261112073000+0000' };

    expect(factorOf(image({ '00080201': '+0100' }, injected))).toBeCloseTo(afterAnHour, 12);
  });

  test('SUV counts the decay from the time of the first bed position', () => {
    const factor = factorOf(image(), image({ '00080032': '094500' }), image({ '00080032': '095500' }));

    expect(factor).toBeCloseTo(afterAnHour, 12);
  });
});

describe('SUV of a series created after its images', () => {
  const later = { '00080031': '150000' };

  test('decay counts from the private time of a GE scanner', () => {
    const saved = { ...later, '00090010': 'GEMS_PETD_01', '0009100D': '20261112093000.00' };

    expect(factorOf(image(saved), image({ ...saved, '00080032': '093500' }))).toBeCloseTo(afterAnHour, 12);
  });

  test('decay counts from the time computed from the frame reference times', () => {
    // In a three-minute frame, the activity equals the mean of the frame slightly before its midpoint.
    const first = image({ ...later, '00541300': 89_800, '00181242': 180_000 });
    const second = image({ ...later, '00080032': '093300', '00541300': 269_800, '00181242': 180_000 });

    expect(factorOf(first, second) / afterAnHour).toBeCloseTo(1, 3);
  });

  test('a series has no SUV if its frames lead to different start times', () => {
    const first = image({ ...later, '00541300': 0, '00181242': 300_000 });
    const second = image({ ...later, '00541300': 606_000, '00181242': 300_000 });

    expect(reasonsOf(first, second)).toContain('FrameReferenceTime (0054,1300) differs');
    expect(reasonsOf(image(later))).toContain('FrameReferenceTime (0054,1300)');
  });

  test('a series has no SUV if anonymization shifted its times but not the private time', () => {
    const saved = { ...later, '00090010': 'GEMS_PETD_01', '0009100D': '20261022093000.00' };

    expect(reasonsOf(image(saved))).toContain('contradicts SeriesTime');
  });
});

describe('SUV of values in grams per milliliter', () => {
  test('values in grams per milliliter are SUV by body weight without conversion', () => {
    expect(factorOf(image({ '00541001': 'GML' }))).toBe(1);
    expect(factorOf(image({ '00541001': 'GML', '00541006': 'BW' }))).toBe(1);
  });

  test('values in grams per milliliter by lean body mass are no SUV by body weight', () => {
    expect(reasonsOf(image({ '00541001': 'GML', '00541006': 'LBM' }))).toBe(
      'SUVType (0054,1006) is LBM, not body weight (BW).',
    );
  });
});

describe('SUV of counts', () => {
  const philips = { '00541001': 'CNTS', '70530010': 'Philips PET Private Group' };

  test('counts of Philips become SUV by the private SUV factor', () => {
    expect(factorOf(image({ ...philips, '70531000': 0.00042 }))).toBe(0.00042);
  });

  test('counts of Philips become SUV by a private SUV factor of unknown VR', () => {
    const unknown = { '70531000': { vr: 'UN', InlineBinary: btoa('0.00042 ') } };

    expect(factorOf({ ...image(philips), ...unknown })).toBe(0.00042);
  });

  test('counts of Philips become activity if the SUV factor is zero', () => {
    expect(factorOf(image({ ...philips, '70531000': 0, '70531009': 2.5 }))).toBeCloseTo(2.5 * afterAnHour, 12);
  });

  test('counts of other manufacturers give no SUV', () => {
    expect(reasonsOf(image({ '00541001': 'CNTS', '70531000': 0.00042 }))).toContain('Units (0054,1001) is CNTS');
  });
});

test.each([
  ['the weight', { '00101030': undefined }, {}, 'PatientWeight (0010,1030) is missing.'],
  ['the unit', { '00541001': undefined }, {}, 'Units (0054,1001) is missing.'],
  ['the corrections', { '00280051': undefined }, {}, 'CorrectedImage (0028,0051) is missing.'],
  ['the dose', {}, { '00181074': undefined }, 'RadionuclideTotalDose (0018,1074) is missing.'],
  ['the half-life', {}, { '00181075': undefined }, 'RadionuclideHalfLife (0018,1075) is missing.'],
  ['the time of the series', { '00080031': undefined }, {}, 'SeriesTime (0008,0031) is missing.'],
  [
    'weight, dose and decay correction',
    { '00101030': undefined, '00541102': undefined },
    { '00181074': 0 },
    'PatientWeight (0010,1030) is missing. RadionuclideTotalDose (0018,1074) is missing. DecayCorrection (0054,1102) is missing.',
  ],
  [
    'the time of the injection',
    {},
    { '00181072': undefined, '00181078': undefined },
    'RadiopharmaceuticalStartDateTime (0018,1078) is missing. RadiopharmaceuticalStartTime (0018,1072) is missing.',
  ],
])('a series without %s has no SUV, and the reason names the attribute', (_words, changed, tracer, reasons) => {
  expect(reasonsOf(image(changed, tracer))).toBe(reasons);
});

test.each([
  [
    'are not corrected for attenuation',
    { '00280051': ['DECY'] },
    {},
    'CorrectedImage (0028,0051) does not contain ATTN.',
  ],
  ['are not corrected for decay', { '00541102': 'NONE' }, {}, 'DecayCorrection (0054,1102) is NONE'],
  ['have a dose in MBq', {}, { '00181074': 370 }, 'It may be in MBq'],
  ['have a weight in grams', { '00101030': 70_000 }, {}, '70000 kg, which is not plausible'],
  ['have an injection after the scan', {}, { '00181072': '094000', '00181078': '20261112094000' }, 'contradicts'],
  ['have a clock that ran ahead', {}, { '00181072': '093500', '00181078': undefined }, 'contradicts SeriesTime'],
  ['have two different injection times', {}, { '00181072': '080000' }, 'contradict each other'],
  ['are in another unit', { '00541001': 'PROPCPS' }, {}, 'Units (0054,1001) is PROPCPS'],
])('images that %s have no SUV', (_words, changed, tracer, reason) => {
  expect(reasonsOf(image(changed, tracer))).toContain(reason);
});

test('a series in which the weight changes has no SUV', () => {
  expect(reasonsOf(image(), image({ '00101030': 71 }))).toBe(
    'PatientWeight (0010,1030) differs between the images of the series.',
  );
});

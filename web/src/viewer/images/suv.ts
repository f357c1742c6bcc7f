import { t } from '@lingui/core/macro';
import { type DicomJson, itemsOf, numberOf, tag, textOf, textsOf } from './dicom-json.ts';
import { momentOf, secondsOfDay, utcOffsetOf } from './dicom-time.ts';
import { privateNumber } from './private-number.ts';

/**
 * Factor from rescaled PET pixels to SUV by body weight (g/ml), or the reasons why there is none. Each reason names its
 * attributes.
 */
export type Suv = { factor: number } | { refused: readonly string[] };

type Attribute = keyof typeof tag;

const named = (attribute: Attribute): string =>
  `${attribute} (${tag[attribute].slice(0, 4)},${tag[attribute].slice(4)})`;

class Refused extends Error {
  readonly reasons: readonly string[];
  constructor(...reasons: string[]) {
    super(reasons.join(' '));
    this.reasons = reasons;
  }
}

/**
 * Computes SUV by body weight of a PET series (PS3.3 §C.8.9.1, C.8.9.4.1; reasoning of the QIBA FDG-PET profile,
 * appendix G). `headers` are all instances: a single one may belong to another bed position. Missing, contradictory or
 * implausible data is refused, never guessed.
 */
export const suvOf = (headers: readonly DicomJson[]): Suv => {
  try {
    return { factor: factorOf(headers) };
  } catch (error) {
    if (error instanceof Refused) return { refused: error.reasons };
    throw error;
  }
};

const factorOf = (headers: readonly DicomJson[]): number => {
  const units = theSame(headers, 'Units');
  if (!units) throw missing('Units');
  expectCorrected(headers);
  if (units === 'GML') return factorOfUptake(headers);
  if (units === 'CNTS') {
    const factor = philips(headers, 0x00);
    if (factor) return factor;
    const activityOfCount = philips(headers, 0x09);
    if (activityOfCount) return activityOfCount * factorOfActivity(headers);
    throw new Refused(
      `${named('Units')} is CNTS: counts, and the factors of Philips (7053,xx00) and (7053,xx09) that lead to activity are missing.`,
    );
  }
  if (units !== 'BQML') throw new Refused(`${named('Units')} is ${units}, which is neither BQML, GML nor CNTS.`);
  return factorOfActivity(headers);
};

/** Value that all instances share; '' if none has it. */
const theSame = (headers: readonly DicomJson[], attribute: Attribute): string => {
  const values = new Set(headers.map((header) => textOf(header, tag[attribute])));
  if (values.size > 1) throw differs(attribute);
  return [...values][0] ?? '';
};

const missing = (...attributes: Attribute[]) =>
  new Refused(...attributes.map((attribute) => `${named(attribute)} is missing.`));

const differs = (attribute: Attribute) => new Refused(`${named(attribute)} differs between the images of the series.`);

/** Without attenuation and decay correction the values do not measure activity. */
const expectCorrected = (headers: readonly DicomJson[]) => {
  if (headers.some((header) => textsOf(header, tag.CorrectedImage).length === 0)) throw missing('CorrectedImage');
  const lacking = ['ATTN', 'DECY'].filter((correction) =>
    headers.some((header) => !textsOf(header, tag.CorrectedImage).includes(correction)),
  );
  if (lacking.length > 0) throw new Refused(`${named('CorrectedImage')} does not hold ${lacking.join(' and ')}.`);
};

/** Values in g/ml are SUV already, by body weight unless SUVType differs (PS3.3 §C.8.9.1.1.13). */
const factorOfUptake = (headers: readonly DicomJson[]): number => {
  const type = theSame(headers, 'SUVType');
  if (type !== '' && type !== 'BW') {
    throw new Refused(`${named('SUVType')} is ${type}: uptake by another measure than body weight.`);
  }
  return 1;
};

/** Reads a value of Philips' private group, equal in all instances; undefined if missing or 0. */
const philips = (headers: readonly DicomJson[], element: number): number | undefined => {
  const values = new Set(headers.map((header) => privateNumber(header, '7053', 'Philips PET Private Group', element)));
  if (values.size > 1)
    throw new Refused('The factors of Philips in group 7053 differ between the images of the series.');
  const [value] = values;
  return value !== undefined && value > 0 ? value : undefined;
};

/** SUV of 1 Bq/ml: the patient's weight divided by the dose that is left. */
const factorOfActivity = (headers: readonly DicomJson[]): number => {
  const tracers = headers.map((header) => itemsOf(header, tag.RadiopharmaceuticalInformationSequence));
  if (tracers.some((items) => items.length > 1)) {
    throw new Refused(`${named('RadiopharmaceuticalInformationSequence')} names more than one tracer.`);
  }
  const tracer = tracers.map(([item = {}]) => item);
  const found = {
    PatientWeight: sameNumber(headers, 'PatientWeight'),
    RadionuclideTotalDose: sameNumber(tracer, 'RadionuclideTotalDose'),
    RadionuclideHalfLife: sameNumber(tracer, 'RadionuclideHalfLife'),
  };
  const absent = (Object.keys(found) as (keyof typeof found)[]).filter((name) => !(found[name] > 0));
  const correction = theSame(headers, 'DecayCorrection');
  if (absent.length > 0 || correction === '') {
    throw missing(...absent, ...(correction === '' ? (['DecayCorrection'] as const) : []));
  }
  const { PatientWeight: weight, RadionuclideTotalDose: dose, RadionuclideHalfLife: halfLife } = found;
  expectLikely(weight, dose);
  const remaining = dose * 0.5 ** (decayBefore(correction, headers, tracer, halfLife) / halfLife);
  return (weight * 1000) / remaining;
};

/** Number that all instances share; 0 if one lacks it. */
const sameNumber = (headers: readonly DicomJson[], attribute: Attribute): number => {
  const values = new Set(headers.map((header) => numberOf(header, tag[attribute]) ?? 0));
  if (values.has(0)) return 0;
  if (values.size > 1) throw differs(attribute);
  return [...values][0] ?? 0;
};

/** DICOM requires kilograms and becquerel. Some users enter grams, pounds or megabecquerel. */
const expectLikely = (kilograms: number, becquerel: number) => {
  if (kilograms < 0.3 || kilograms > 500) {
    throw new Refused(`${named('PatientWeight')} is ${kilograms} kg, which is nobody's weight.`);
  }
  if (becquerel < 1e5 || becquerel > 1e11) {
    throw new Refused(`${named('RadionuclideTotalDose')} is ${becquerel} Bq, which is no dose: it may be in MBq.`);
  }
};

/** Decay time of the dose before the reference time of the pixels, in seconds. */
const decayBefore = (
  correction: string,
  headers: readonly DicomJson[],
  tracer: readonly DicomJson[],
  halfLife: number,
): number => {
  if (correction === 'ADMIN') return 0;
  if (correction !== 'START') {
    throw new Refused(`${named('DecayCorrection')} is ${correction}: the pixels are corrected to no known time.`);
  }
  const start = scanStart(headers, halfLife);
  const waits = new Set(tracer.map((item) => waitOf(item, start, halfLife)));
  if (waits.size > 1) throw differs('RadiopharmaceuticalStartTime');
  const [wait = Number.NaN] = waits;
  if (wait < 0 || wait > 10 * halfLife) {
    throw new Refused(
      `RadiopharmaceuticalStartDateTime (0018,1078) or RadiopharmaceuticalStartTime (0018,1072) contradicts SeriesTime (0008,0031): the scan would begin ${inWords(wait)} the injection.`,
    );
  }
  return wait;
};

const inWords = (seconds: number): string =>
  t`${Math.round(Math.abs(seconds) / 60)} minutes ${seconds < 0 ? 'before' : 'after'}`;

type ScanStart = { moment: number; utcOffset: number | undefined };

const day = 86_400;

/**
 * Seconds from the injection to the start of the scan. A time without a date counts as within the last 24 hours.
 * Long-lived tracers need the date, because the injection may be a day older.
 */
const waitOf = (tracer: DicomJson, { moment, utcOffset }: ScanStart, halfLife: number): number => {
  const written = textOf(tracer, tag.RadiopharmaceuticalStartDateTime);
  const clock = secondsOfDay(textOf(tracer, tag.RadiopharmaceuticalStartTime));
  const injected = momentOf(written.slice(0, 8), written.slice(8));
  if (injected === undefined) {
    if (clock === undefined) throw missing('RadiopharmaceuticalStartDateTime', 'RadiopharmaceuticalStartTime');
    const wait = modulo(moment - clock, day);
    if (wait + day <= 10 * halfLife) {
      throw new Refused(
        `${named('RadiopharmaceuticalStartDateTime')} is missing: a tracer with a half-life of ${Math.round(halfLife / 3600)} hours may have been injected on an earlier day.`,
      );
    }
    return wait;
  }
  const apart = clock === undefined ? 0 : modulo(injected - clock + day / 2, day) - day / 2;
  if (Math.abs(apart) > 60) {
    throw new Refused(
      `${named('RadiopharmaceuticalStartDateTime')} and ${named('RadiopharmaceuticalStartTime')} contradict each other.`,
    );
  }
  const offset = utcOffsetOf(written);
  // Both are local times; if both have a time zone, their difference counts.
  const zones = offset === undefined || utcOffset === undefined ? 0 : offset - utcOffset;
  return moment - (injected - zones);
};

const modulo = (value: number, by: number): number => ((value % by) + by) % by;

/**
 * Start of the scan, to which the pixels are decay-corrected. It is the series time, unless the series was created
 * after its images were acquired. Then it is GE's private (0009,xx0D), or else computed from each image; all results
 * must agree.
 */
const scanStart = (headers: readonly DicomJson[], halfLife: number): ScanStart => {
  const series = headers.map((header) => momentIn(header, 'SeriesDate', 'SeriesTime'));
  const acquired = headers.map((header) => momentIn(header, 'AcquisitionDate', 'AcquisitionTime'));
  const [moment = Number.NaN] = series;
  if (new Set(series).size > 1) throw differs('SeriesTime');
  const [header = {}] = headers;
  const utcOffset = utcOffsetOf(textOf(header, tag.TimezoneOffsetFromUTC));
  if (moment <= Math.min(...acquired)) return { moment, utcOffset };
  const ofGeneralElectric = startByGeneralElectric(header);
  if (ofGeneralElectric !== undefined) return { moment: ofGeneralElectric, utcOffset };
  return { moment: startFromFrames(headers, acquired, halfLife), utcOffset };
};

const momentIn = (header: DicomJson, date: Attribute, time: Attribute): number => {
  const absent = [date, time].filter((attribute) => textOf(header, tag[attribute]) === '');
  if (absent.length > 0) throw missing(...absent);
  const moment = momentOf(textOf(header, tag[date]), textOf(header, tag[time]));
  if (moment === undefined) throw new Refused(`${named(date)} or ${named(time)} is no date and time.`);
  return moment;
};

/** Private start time of a GE scanner; undefined if missing. */
const startByGeneralElectric = (header: DicomJson): number | undefined => {
  const element = header['00090010']?.Value?.[0] === 'GEMS_PETD_01' ? header['0009100D']?.Value?.[0] : undefined;
  return typeof element === 'string' ? momentOf(element.slice(0, 8), element.slice(8)) : undefined;
};

/** Largest difference between computed start times, in seconds: a third of a percent for fluorine-18. */
const agreement = 30;

/**
 * Computes the start of the scan from its frames. FrameReferenceTime counts from it to the moment of the mean activity
 * of a frame (PS3.3 §C.8.9.4.1).
 */
const startFromFrames = (headers: readonly DicomJson[], acquired: readonly number[], halfLife: number): number => {
  const starts = headers.map((header, index) => {
    const reference = numberOf(header, tag.FrameReferenceTime);
    const duration = numberOf(header, tag.ActualFrameDuration);
    if (reference === undefined || !duration) {
      throw new Refused(
        `${named('SeriesTime')} is later than ${named('AcquisitionTime')}, and FrameReferenceTime (0054,1300) or ActualFrameDuration (0018,1242), which would lead back to the start of the scan, is missing.`,
      );
    }
    const decay = (Math.LN2 / halfLife) * (duration / 1000);
    const mean = (halfLife / Math.LN2) * Math.log(decay / (1 - Math.exp(-decay)));
    return (acquired[index] ?? Number.NaN) - reference / 1000 + mean;
  });
  const [first, last] = [Math.min(...starts), Math.max(...starts)];
  if (!(last - first <= agreement)) {
    throw new Refused(
      `${named('SeriesTime')} is later than ${named('AcquisitionTime')}, and the start of the scan that follows from FrameReferenceTime (0054,1300) differs between the images.`,
    );
  }
  return (first + last) / 2;
};

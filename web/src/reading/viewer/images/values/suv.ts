import { plural, t } from '@lingui/core/macro';
import { locale } from '#core/language.ts';
import { type DicomJson, itemsOf, numberOf, tag, textOf, textsOf } from '#reading/viewer/images/header/dicom-json.ts';
import { momentOf, secondsOfDay, utcOffsetOf } from './dicom-time.ts';
import { privateNumber } from './private-number.ts';

/**
 * Factor from rescaled PET pixels to SUV by body weight (g/ml), or the reasons why there is none. Each reason names the
 * attributes concerned.
 */
export type Suv = { factor: number } | { refused: readonly string[] };

type Attribute = keyof typeof tag;

const nameOfAttribute = (attribute: Attribute): string =>
  `${attribute} (${tag[attribute].slice(0, 4)},${tag[attribute].slice(4)})`;

class SuvUnavailable extends Error {
  readonly reasons: readonly string[];
  constructor(...reasons: string[]) {
    super(reasons.join(' '));
    this.reasons = reasons;
  }
}

/**
 * Computes the factor to SUV by body weight for a PET series (PS3.3 §C.8.9.1, C.8.9.4.1; method of the QIBA FDG-PET
 * profile, appendix G). `headers` must contain all instances, because a single instance may belong to another bed
 * position. Missing, contradictory or implausible data gives a reason, never a guess.
 */
export const suvOf = (headers: readonly DicomJson[]): Suv => {
  try {
    return { factor: factorOf(headers) };
  } catch (error) {
    if (error instanceof SuvUnavailable) return { refused: error.reasons };
    throw error;
  }
};

const factorOf = (headers: readonly DicomJson[]): number => {
  const units = theSame(headers, 'Units');
  if (!units) throw missing('Units');
  const unitsName = nameOfAttribute('Units');
  expectCorrected(headers);
  if (units === 'GML') return factorOfUptake(headers);
  if (units === 'CNTS') {
    const factor = philips(headers, 0x00);
    if (factor) return factor;
    const activityOfCount = philips(headers, 0x09);
    if (activityOfCount) return activityOfCount * factorOfActivity(headers);
    throw new SuvUnavailable(
      t`${unitsName} is CNTS (counts), and the Philips factors (7053,xx00) and (7053,xx09) for activity are missing.`,
    );
  }
  if (units !== 'BQML') throw new SuvUnavailable(t`${unitsName} is ${units}. SUV needs BQML, GML or CNTS.`);
  return factorOfActivity(headers);
};

/** Returns the value that all instances share; '' if none has it. */
const theSame = (headers: readonly DicomJson[], attribute: Attribute): string => {
  const values = new Set(headers.map((header) => textOf(header, tag[attribute])));
  if (values.size > 1) throw differs(attribute);
  return [...values][0] ?? '';
};

const missing = (...attributes: Attribute[]) =>
  new SuvUnavailable(...attributes.map(nameOfAttribute).map((name) => t`${name} is missing.`));

const differs = (attribute: Attribute) => {
  const name = nameOfAttribute(attribute);
  return new SuvUnavailable(t`${name} differs between the images of the series.`);
};

/** Throws unless the values are corrected for attenuation and decay, because they otherwise do not measure activity. */
const expectCorrected = (headers: readonly DicomJson[]) => {
  if (headers.some((header) => textsOf(header, tag.CorrectedImage).length === 0)) throw missing('CorrectedImage');
  const lacking = ['ATTN', 'DECY'].filter((correction) =>
    headers.some((header) => !textsOf(header, tag.CorrectedImage).includes(correction)),
  );
  if (lacking.length === 0) return;
  const name = nameOfAttribute('CorrectedImage');
  const corrections = new Intl.ListFormat(locale).format(lacking);
  throw new SuvUnavailable(t`${name} does not contain ${corrections}.`);
};

/**
 * Returns the factor for values in g/ml. Such values are already SUV, by body weight unless SUVType says otherwise
 * (PS3.3 §C.8.9.1.1.13).
 */
const factorOfUptake = (headers: readonly DicomJson[]): number => {
  const type = theSame(headers, 'SUVType');
  if (type !== '' && type !== 'BW') {
    const name = nameOfAttribute('SUVType');
    throw new SuvUnavailable(t`${name} is ${type}, not body weight (BW).`);
  }
  return 1;
};

/** Reads a value of Philips' private group. It must be equal in all instances. Undefined if missing or 0. */
const philips = (headers: readonly DicomJson[], element: number): number | undefined => {
  const values = new Set(headers.map((header) => privateNumber(header, '7053', 'Philips PET Private Group', element)));
  if (values.size > 1)
    throw new SuvUnavailable(t`The Philips factors in group 7053 differ between the images of the series.`);
  const [value] = values;
  return value !== undefined && value > 0 ? value : undefined;
};

/** Returns the SUV of 1 Bq/ml: the patient's weight in grams divided by the remaining dose in Bq. */
const factorOfActivity = (headers: readonly DicomJson[]): number => {
  const tracers = headers.map((header) => itemsOf(header, tag.RadiopharmaceuticalInformationSequence));
  if (tracers.some((items) => items.length > 1)) {
    const name = nameOfAttribute('RadiopharmaceuticalInformationSequence');
    throw new SuvUnavailable(t`${name} has more than one tracer.`);
  }
  const tracer = tracers.map(([item = {}]) => item);
  const values = {
    PatientWeight: sameNumber(headers, 'PatientWeight'),
    RadionuclideTotalDose: sameNumber(tracer, 'RadionuclideTotalDose'),
    RadionuclideHalfLife: sameNumber(tracer, 'RadionuclideHalfLife'),
  };
  const absent = (Object.keys(values) as (keyof typeof values)[]).filter((name) => !(values[name] > 0));
  const correction = theSame(headers, 'DecayCorrection');
  if (absent.length > 0 || correction === '') {
    throw missing(...absent, ...(correction === '' ? (['DecayCorrection'] as const) : []));
  }
  const { PatientWeight: weight, RadionuclideTotalDose: dose, RadionuclideHalfLife: halfLife } = values;
  expectLikely(weight, dose);
  const remaining = dose * 0.5 ** (decayBefore(correction, headers, tracer, halfLife) / halfLife);
  return (weight * 1000) / remaining;
};

/** Returns the number that all instances share; 0 if an instance lacks it. */
const sameNumber = (headers: readonly DicomJson[], attribute: Attribute): number => {
  const values = new Set(headers.map((header) => numberOf(header, tag[attribute]) ?? 0));
  if (values.has(0)) return 0;
  if (values.size > 1) throw differs(attribute);
  return [...values][0] ?? 0;
};

/**
 * Throws for implausible values. DICOM requires kilograms and becquerel, but some users enter grams, pounds or
 * megabecquerel.
 */
const expectLikely = (kilograms: number, becquerel: number) => {
  if (kilograms < 0.3 || kilograms > 500) {
    const name = nameOfAttribute('PatientWeight');
    throw new SuvUnavailable(t`${name} is ${kilograms} kg, which is not plausible.`);
  }
  if (becquerel < 1e5 || becquerel > 1e11) {
    const name = nameOfAttribute('RadionuclideTotalDose');
    throw new SuvUnavailable(t`${name} is ${becquerel} Bq, which is not plausible. It may be in MBq.`);
  }
};

/**
 * Returns the seconds from the injection to the time to which the pixels are decay-corrected. Returns 0 if they are
 * corrected to the injection itself (ADMIN).
 */
const decayBefore = (
  correction: string,
  headers: readonly DicomJson[],
  tracer: readonly DicomJson[],
  halfLife: number,
): number => {
  if (correction === 'ADMIN') return 0;
  if (correction !== 'START') {
    const name = nameOfAttribute('DecayCorrection');
    throw new SuvUnavailable(t`${name} is ${correction}, so the reference time of the pixels is unknown.`);
  }
  const start = scanStart(headers, halfLife);
  const waits = new Set(tracer.map((item) => waitOf(item, start, halfLife)));
  if (waits.size > 1) throw differs('RadiopharmaceuticalStartTime');
  const [wait = Number.NaN] = waits;
  if (wait < 0 || wait > 10 * halfLife) {
    throw new SuvUnavailable(contradiction(wait));
  }
  return wait;
};

/** Returns the message for a time of injection that does not fit the start of the scan. `wait` is in seconds. */
const contradiction = (wait: number): string => {
  const dateTime = nameOfAttribute('RadiopharmaceuticalStartDateTime');
  const time = nameOfAttribute('RadiopharmaceuticalStartTime');
  const series = nameOfAttribute('SeriesTime');
  const minutes = Math.round(Math.abs(wait) / 60);
  return wait < 0
    ? t`${dateTime} or ${time} contradicts ${series}: the scan would start ${plural(minutes, { one: '# minute', other: '# minutes' })} before the injection.`
    : t`${dateTime} or ${time} contradicts ${series}: the scan would start ${plural(minutes, { one: '# minute', other: '# minutes' })} after the injection.`;
};

type ScanStart = { moment: number; utcOffset: number | undefined };

const day = 86_400;

/**
 * Returns the seconds from the injection to the start of the scan. If the injection has no date, assumes that it was in
 * the 24 hours before the scan. For long-lived tracers, throws without a date, because the injection may be days before
 * the scan.
 */
const waitOf = (tracer: DicomJson, { moment, utcOffset }: ScanStart, halfLife: number): number => {
  const startText = textOf(tracer, tag.RadiopharmaceuticalStartDateTime);
  const clock = secondsOfDay(textOf(tracer, tag.RadiopharmaceuticalStartTime));
  const injected = momentOf(startText.slice(0, 8), startText.slice(8));
  const dateTime = nameOfAttribute('RadiopharmaceuticalStartDateTime');
  if (injected === undefined) {
    if (clock === undefined) throw missing('RadiopharmaceuticalStartDateTime', 'RadiopharmaceuticalStartTime');
    const wait = modulo(moment - clock, day);
    if (wait + day <= 10 * halfLife) {
      const hours = Math.round(halfLife / 3600);
      throw new SuvUnavailable(
        t`${dateTime} is missing. With a half-life of ${plural(hours, { one: '# hour', other: '# hours' })}, the injection may have been on an earlier day.`,
      );
    }
    return wait;
  }
  const apart = clock === undefined ? 0 : modulo(injected - clock + day / 2, day) - day / 2;
  if (Math.abs(apart) > 60) {
    const time = nameOfAttribute('RadiopharmaceuticalStartTime');
    throw new SuvUnavailable(t`${dateTime} and ${time} contradict each other.`);
  }
  const offset = utcOffsetOf(startText);
  // Both times are local. If both have a time zone, adds the difference between the zones.
  const zones = offset === undefined || utcOffset === undefined ? 0 : offset - utcOffset;
  return moment - (injected - zones);
};

const modulo = (value: number, by: number): number => ((value % by) + by) % by;

/**
 * Returns the start of the scan, to which the pixels are decay-corrected. This is the series time, unless the series
 * was created after its images were acquired. In that case it is the time in GE's private element (0009,100D). Without
 * this element, it is computed from each image, and all results must agree.
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
  if (moment !== undefined) return moment;
  const [dateName, timeName] = [nameOfAttribute(date), nameOfAttribute(time)];
  throw new SuvUnavailable(t`${dateName} or ${timeName} is invalid.`);
};

/** Private start time of a GE scanner; undefined if missing. */
const startByGeneralElectric = (header: DicomJson): number | undefined => {
  const element = header['00090010']?.Value?.[0] === 'GEMS_PETD_01' ? header['0009100D']?.Value?.[0] : undefined;
  return typeof element === 'string' ? momentOf(element.slice(0, 8), element.slice(8)) : undefined;
};

/**
 * Largest allowed difference between computed start times, in seconds. For fluorine-18, a difference of 30 s changes
 * values by a third of a percent.
 */
const agreement = 30;

/**
 * Computes the start of the scan from its frames. FrameReferenceTime is the time from the start of the scan to the
 * moment when a frame has its mean activity (PS3.3 §C.8.9.4.1).
 */
const startFromFrames = (headers: readonly DicomJson[], acquired: readonly number[], halfLife: number): number => {
  const series = nameOfAttribute('SeriesTime');
  const acquisition = nameOfAttribute('AcquisitionTime');
  const referenceName = nameOfAttribute('FrameReferenceTime');
  const starts = headers.map((header, index) => {
    const reference = numberOf(header, tag.FrameReferenceTime);
    const duration = numberOf(header, tag.ActualFrameDuration);
    if (reference === undefined || !duration) {
      const durationName = nameOfAttribute('ActualFrameDuration');
      throw new SuvUnavailable(
        t`${series} is later than ${acquisition}, and ${referenceName} or ${durationName} is missing, so the start of the scan is unknown.`,
      );
    }
    const decay = (Math.LN2 / halfLife) * (duration / 1000);
    const mean = (halfLife / Math.LN2) * Math.log(decay / (1 - Math.exp(-decay)));
    return (acquired[index] ?? Number.NaN) - reference / 1000 + mean;
  });
  const [first, last] = [Math.min(...starts), Math.max(...starts)];
  if (!(last - first <= agreement)) {
    throw new SuvUnavailable(
      t`${series} is later than ${acquisition}, and the start of the scan by ${referenceName} differs between the images.`,
    );
  }
  return (first + last) / 2;
};

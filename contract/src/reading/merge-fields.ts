import { t, translated } from '../core/translate.ts';
import { placeholder } from '../core/placeholders.ts';
import { filledAttribute } from './filled-parts.ts';

/** Merge field, which templates and macros write as "{{name}}". */
type Definition = {
  name: string;
  /** Name of the unfilled field that appears if the value is missing. */
  label: string;
  /** Value in a preview. */
  sample: string;
};

/** All merge fields. Dates are written as 2026-11-22, as on all screens. */
export const mergeFields = [
  { name: 'patient.name', label: 'patient name', sample: 'Sample, Alex' },
  { name: 'patient.id', label: 'patient ID', sample: 'P-10023' },
  { name: 'patient.birthDate', label: 'date of birth', sample: '1968-03-14' },
  {
    name: 'patient.age',
    label: 'age',
    sample: '58 years',
  },
  { name: 'patient.sex', label: 'sex', sample: 'female' },
  { name: 'study.date', label: 'study date', sample: '2026-11-22' },
  { name: 'study.time', label: 'study time', sample: '09:30' },
  { name: 'study.description', label: 'study', sample: 'CT chest with contrast' },
  { name: 'study.modality', label: 'modality', sample: 'CT' },
  { name: 'study.bodyPart', label: 'body part', sample: 'chest' },
  { name: 'study.accessionNumber', label: 'accession number', sample: 'A-2026-0417' },
  {
    name: 'study.clinicalHistory',
    label: 'clinical history',
    sample: 'Cough for six weeks.',
  },
  {
    name: 'study.referringPhysician',
    label: 'referring physician',
    sample: 'Referrer, Robin',
  },
  { name: 'order.number', label: 'order number', sample: 'O-5521' },
  {
    name: 'order.procedure',
    label: 'ordered procedure',
    sample: 'CT chest with contrast',
  },
  { name: 'order.physician', label: 'ordering physician', sample: 'Referrer, Robin' },
  {
    name: 'comparison.date',
    label: 'date of the comparison study',
    sample: '2026-02-03',
  },
  {
    name: 'comparison.description',
    label: 'comparison study',
    sample: 'CT chest',
  },
  { name: 'technique.contrast', label: 'contrast agent', sample: 'Iohexol 300, 80 ml intravenous' },
  { name: 'technique.dose', label: 'radiation dose', sample: 'CTDIvol 7.2 mGy, DLP 172.8 mGy·cm' },
  { name: 'technique.sequences', label: 'series', sample: 'Scout; Chest 1.0 Br40; Chest 3.0 Bl57' },
  { name: 'measurements.list', label: 'measurements', sample: 'Nodule 12.3 mm × 8 mm' },
  { name: 'author.name', label: 'author', sample: 'Dr. Jo Reader' },
  {
    name: 'report.date',
    label: 'date of the report',
    sample: '2026-11-22',
  },
] as const satisfies readonly Definition[];

export type MergeFieldName = (typeof mergeFields)[number]['name'];

/** Descriptions of the values, for users who write templates. */
export const mergeFieldValues: Readonly<Record<MergeFieldName, string>> = translated({
  'patient.name': 'Patient name',
  'patient.id': 'Patient ID',
  'patient.birthDate': 'Date of birth',
  'patient.age': 'Age on the study date: "58 years", "7 months"',
  'patient.sex': '"female", "male" or "other"',
  'study.date': 'Study date',
  'study.time': 'Study time: "09:30"',
  'study.description': 'Study description',
  'study.modality': 'Study modality: "CT"',
  'study.bodyPart': 'Body part recorded in the images',
  'study.accessionNumber': 'Accession number',
  'study.clinicalHistory': 'Clinical history of the order',
  'study.referringPhysician': 'Referring physician',
  'order.number': 'Order number',
  'order.procedure': 'Ordered procedure',
  'order.physician': 'Ordering physician',
  'comparison.date': 'Date of the latest prior of the same type',
  'comparison.description': 'Description of the latest prior of the same type',
  'technique.contrast': 'Contrast agent, volume and route recorded in the images',
  'technique.dose': 'CTDIvol and dose length product recorded in the images',
  'technique.sequences': 'Descriptions of the series',
  'measurements.list': 'Measurements in the images',
  'author.name': 'Name of the report author',
  'report.date': 'Today in the time zone of the organization',
});

/** Value of each merge field. Undefined, empty and null mean a missing value. */
export type MergeValues = Partial<Record<string, string | null>>;

/** Values for a preview without a study. */
export const sampleValues: MergeValues = Object.fromEntries(mergeFields.map(({ name, sample }) => [name, sample]));

const labels = new Map<string, string>(mergeFields.map(({ name, label }) => [name, label]));

/** Matches "{{name}}", with optional spaces. Does not match if the braces contain further braces or an HTML tag. */
const mergeFieldPattern = () => /\{\{([^{}<>]{0,80})\}\}/g;

const namesIn = (text: string): string[] =>
  Array.from(text.matchAll(mergeFieldPattern()), ([, name = '']) => name.trim());

/**
 * Returns the reason why a text cannot be saved. The text names an unknown merge field, or has braces without a
 * complete field (a partly formatted name, a missing brace). With `html`, only visible text may contain fields, because
 * a field in a link address would send its value to another site.
 */
export const mergeFieldFault = (text: string, { html }: { html: boolean }): string | undefined => {
  const tags = html ? (text.match(/<[^>]*(?:>|$)/g) ?? []) : [];
  if (tags.some((tag) => /\{\{|%7B%7B/i.test(tag))) return t`Merge fields cannot be used in links or images`;
  const unknown = namesIn(text).find((name) => !labels.has(name));
  if (unknown !== undefined) return t`Unknown merge field {{${unknown}}}`;
  const rest = text.replaceAll(mergeFieldPattern(), '');
  if (!/\{\{|\}\}/.test(rest)) return undefined;
  return t`A merge field is incomplete or partly formatted. Write it in one piece, such as {{patient.name}}.`;
};

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for HTML. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign);

const valueOf = (name: string, values: MergeValues): string => {
  const value = values[name]?.replaceAll(/\s+/g, ' ').trim();
  return value ? value : placeholder(labels.get(name) ?? name);
};

/**
 * Fills the merge fields of a plain text. A missing value becomes an unfilled field. Fields inside a value are not
 * filled.
 */
export const fillText = (text: string, values: MergeValues): string =>
  text.replaceAll(mergeFieldPattern(), (_, name: string) => valueOf(name.trim(), values));

/** Fills the merge fields of HTML. Values are escaped. */
export const fillHtml = (html: string, values: MergeValues): string =>
  html.replaceAll(mergeFieldPattern(), (_, name: string) => escapeHtml(valueOf(name.trim(), values)));

/** Like `fillHtml`, and marks each value as filled in until the reader has looked at it (filled-parts.ts). */
export const fillMarkedHtml = (html: string, values: MergeValues): string =>
  html
    .split(/(<[^>]*(?:>|$))/)
    .map((token) => (token.startsWith('<') ? fillHtml(token, values) : fillMarkedText(token, values)))
    .join('');

const fillMarkedText = (text: string, values: MergeValues): string =>
  text.replaceAll(mergeFieldPattern(), (_, name: string) => {
    const value = escapeHtml(valueOf(name.trim(), values));
    const label = labels.get(name.trim());
    if (label === undefined || !hasValue(name.trim(), values)) return value;
    return `<span ${filledAttribute}="${escapeHtml(label)}">${value}</span>`;
  });

/** Whether a merge field has a value. */
export const hasValue = (name: string, values: MergeValues): boolean => Boolean(values[name]?.trim());

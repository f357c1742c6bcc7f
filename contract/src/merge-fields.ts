import { placeholder } from './placeholders.ts';

/** A field that templates and macros may name as "{{name}}"; what stands for it once it is put into a report. */
type Definition = {
  name: string;
  /** What the writer is asked for where nothing is known. */
  label: string;
  /** What is put in its place, for whoever writes a template. */
  gives: string;
  /** What a preview shows. */
  sample: string;
};

/** Every merge field that there is. Days are written 2026-11-22, as everywhere in the product. */
export const mergeFields = [
  { name: 'patient.name', label: 'patient name', gives: 'Name of the patient', sample: 'Sample, Alex' },
  { name: 'patient.id', label: 'patient ID', gives: "The patient's ID", sample: 'P-10023' },
  { name: 'patient.birthDate', label: 'date of birth', gives: 'Day of birth', sample: '1968-03-14' },
  {
    name: 'patient.age',
    label: 'age',
    gives: 'Age on the day of the study: "58 years", "7 months"',
    sample: '58 years',
  },
  { name: 'patient.sex', label: 'sex', gives: '"female", "male" or "other"', sample: 'female' },
  { name: 'study.date', label: 'study date', gives: 'Day of the study', sample: '2026-11-22' },
  { name: 'study.time', label: 'study time', gives: 'Time of the study: "09:30"', sample: '09:30' },
  { name: 'study.description', label: 'study', gives: 'Description of the study', sample: 'CT chest with contrast' },
  { name: 'study.modality', label: 'modality', gives: 'Modality of the study: "CT"', sample: 'CT' },
  { name: 'study.bodyPart', label: 'body part', gives: 'Body part that the images name', sample: 'chest' },
  { name: 'study.accessionNumber', label: 'accession number', gives: 'Accession number', sample: 'A-2026-0417' },
  {
    name: 'study.clinicalHistory',
    label: 'clinical history',
    gives: 'Clinical history of the order',
    sample: 'Cough for six weeks.',
  },
  {
    name: 'study.referringPhysician',
    label: 'referring physician',
    gives: 'Name of the referring physician',
    sample: 'Referrer, Robin',
  },
  { name: 'order.number', label: 'order number', gives: 'Number of the order', sample: 'O-5521' },
  {
    name: 'order.procedure',
    label: 'ordered procedure',
    gives: 'What was ordered',
    sample: 'CT of the chest with contrast medium',
  },
  { name: 'order.physician', label: 'ordering physician', gives: 'Who ordered it', sample: 'Referrer, Robin' },
  {
    name: 'comparison.date',
    label: 'date of the comparison study',
    gives: 'Day of the last earlier study of the same kind',
    sample: '2026-02-03',
  },
  {
    name: 'comparison.description',
    label: 'comparison study',
    gives: 'Description of that study',
    sample: 'CT chest',
  },
  { name: 'author.name', label: 'author', gives: 'Name of whoever writes', sample: 'Dr. Jo Reader' },
  { name: 'report.date', label: 'date of the report', gives: 'Today, where the organisation is', sample: '2026-11-22' },
] as const satisfies readonly Definition[];

export type MergeFieldName = (typeof mergeFields)[number]['name'];

/** What is known for each field; nothing, an empty text or null is a missing value. */
export type MergeValues = Partial<Record<string, string | null>>;

/** What a preview without a study shows. */
export const sampleValues: MergeValues = Object.fromEntries(mergeFields.map(({ name, sample }) => [name, sample]));

const labels = new Map<string, string>(mergeFields.map(({ name, label }) => [name, label]));

/** "{{name}}", with blanks at will. Braces that hold braces or a tag are none. */
const written = () => /\{\{([^{}<>]{0,80})\}\}/g;

const namesIn = (text: string): string[] => Array.from(text.matchAll(written()), ([, name = '']) => name.trim());

/**
 * Why a text cannot be kept: it names a field that does not exist, or has braces in which no field can be found (two
 * words of a name set in different letters, a brace too few). `html` says whether the text is HTML, of which only what
 * is read is looked at: a field in an address of a link would carry what it stands for to somewhere else.
 */
export const mergeFieldFault = (text: string, { html }: { html: boolean }): string | undefined => {
  const tags = html ? (text.match(/<[^>]*(?:>|$)/g) ?? []) : [];
  if (tags.some((tag) => /\{\{|%7B%7B/i.test(tag))) return 'A merge field cannot stand in a link or a picture';
  const unknown = namesIn(text).find((name) => !labels.has(name));
  if (unknown !== undefined) return `There is no merge field {{${unknown}}}`;
  const rest = text.replaceAll(written(), '');
  if (!/\{\{|\}\}/.test(rest)) return undefined;
  return 'A merge field is not complete, or only a part of it is formatted: write it as {{patient.name}} in one piece';
};

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Words as HTML shows them. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign);

const valueOf = (name: string, values: MergeValues): string => {
  const value = values[name]?.replaceAll(/\s+/g, ' ').trim();
  return value ? value : placeholder(labels.get(name) ?? name);
};

/** A plain text with its fields filled in; what is missing becomes a place to fill in. What a value says is never read again. */
export const fillText = (text: string, values: MergeValues): string =>
  text.replaceAll(written(), (_, name: string) => valueOf(name.trim(), values));

/** The same of HTML: a value is words in it and nothing else. */
export const fillHtml = (html: string, values: MergeValues): string =>
  html.replaceAll(written(), (_, name: string) => escapeHtml(valueOf(name.trim(), values)));

import { t } from '../core/translate.ts';
import { escapeHtml } from './merge-fields.ts';
import {
  type FieldFault,
  fieldKey,
  isFieldFault,
  longestPartSource,
  readCondition,
  readField,
  type TemplateField,
  unfilledText,
} from './template-fields.ts';

/** HTML attribute of a typed field. Its value is the text between the brackets of the template. */
export const fieldAttribute = 'data-field';
/** HTML attributes of a conditional part: its condition, and its text as the template wrote it. */
export const partAttribute = 'data-part';
export const partSourceAttribute = 'data-source';

/** A part that is shown while its condition holds. */
export type ConditionalPart = { condition: string; source: string };

/** Typed fields and conditional parts of a template, and the reasons why it cannot be saved. */
export type TemplateFields = {
  fields: readonly TemplateField[];
  parts: readonly ConditionalPart[];
  faults: readonly FieldFault[];
};

type Piece = { html: string } | { field: TemplateField } | { part: ConditionalPart };

/** Tags inside a line. All other tags separate lines. */
const inlineTag = /^<\/?(?:strong|em|b|i|u|s|sub|sup|span|mark|a|ins|del)\b/i;
/** Text in brackets, at most as long as `longestFieldSource`. */
const marker = /(\[[^[\]]{1,1000}\])/;
const opens = /^\[if\s([^[\]]+)\]$/i;
const closes = /^\[end\]$/i;

const characters: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&nbsp;': ' ' };
const plainText = (html: string): string =>
  html.replaceAll(/&(?:amp|lt|gt|quot|nbsp);/g, (name) => characters[name] ?? name);

/** Splits HTML at tags and markers. Every piece is a tag, a marker or other text. */
const tokensOf = (html: string): string[] =>
  html
    .split(/(<[^>]*(?:>|$))/)
    .flatMap((token) => (token.startsWith('<') ? [token] : token.split(marker)))
    .filter((token) => token !== '');

const linesOf = (html: string): string[][] => {
  const lines: string[][] = [[]];
  for (const token of tokensOf(html)) {
    const isBoundary = token.startsWith('<') && !inlineTag.test(token);
    if (isBoundary) lines.push([token], []);
    else lines.at(-1)?.push(token);
  }
  return lines;
};

type Line = { pieces: Piece[]; faults: FieldFault[] };

/** Reads the fields and parts of a line. A part without an end is a fault only if `known` has its field. */
const readLine = (tokens: readonly string[], known: ReadonlySet<string>): Line => {
  const pieces: Piece[] = [];
  const faults: FieldFault[] = [];
  let open: { condition: string; source: string; html: string } | undefined;
  const lastEnd = tokens.findLastIndex((token) => closes.test(token));
  tokens.forEach((token, at) => {
    const text = plainText(token);
    const condition = opens.exec(text)?.[1];
    const hasEnd = at < lastEnd;
    if (token.startsWith('<')) {
      if (open) open.html += token;
      else pieces.push({ html: token });
    } else if (condition !== undefined && open) {
      faults.push({ message: t`A conditional part cannot contain another`, quote: text });
    } else if (condition !== undefined && hasEnd) {
      open = { condition: condition.trim(), source: '', html: token };
    } else if (condition !== undefined && known.has(fieldKey(readCondition(condition).name))) {
      faults.push({ message: t`The conditional part has no [end] in its line`, quote: text });
    } else if (closes.test(text)) {
      if (open) pieces.push({ part: { condition: open.condition, source: open.source } });
      else faults.push({ message: t`[end] has no conditional part before it`, quote: text });
      if (open && open.source.trim() === '')
        faults.push({ message: t`The conditional part is empty`, quote: open.condition });
      if (open && open.source.length > longestPartSource) {
        faults.push({
          message: t`The conditional part is longer than ${longestPartSource} characters`,
          quote: open.condition,
        });
      }
      open = undefined;
    } else {
      const field = marker.test(token) ? readField(text.slice(1, -1)) : undefined;
      if (field && isFieldFault(field)) faults.push(field);
      const unclosed = field ? undefined : unclosedField(text);
      if (unclosed) faults.push(unclosed);
      if (open) {
        open.source += text;
        open.html += token;
      } else pieces.push(field && !isFieldFault(field) ? { field } : { html: token });
    }
  });
  if (open) pieces.push({ html: open.html });
  return { pieces, faults };
};

/** Finds the start of a typed field whose bracket is missing, or whose text is partly formatted. */
const unclosedField = (text: string): FieldFault | undefined => {
  const [quote, inside = ''] = /\[([^[\]]*)$/.exec(text) ?? [];
  if (quote === undefined || readField(inside) === undefined) return undefined;
  return { message: t`A field has no closing bracket, or a part of it is formatted`, quote };
};

const fieldsOfText = (text: string): TemplateField[] =>
  text.split(marker).flatMap((token) => {
    const field = marker.test(token) ? readField(token.slice(1, -1)) : undefined;
    return field && !isFieldFault(field) ? [field] : [];
  });

const namesIn = (html: string): Set<string> => new Set(fieldsOfText(plainText(html)).map(({ name }) => fieldKey(name)));

/** Reads the typed fields of a template or report text in HTML, and checks them. */
export const readTemplateFields = (html: string): TemplateFields => {
  if (!html.includes('[')) return { fields: [], parts: [], faults: [] };
  const known = namesIn(html);
  const lines = linesOf(html).map((tokens) => readLine(tokens, known));
  const pieces = lines.flatMap((line) => line.pieces);
  const parts = pieces.flatMap((piece) => ('part' in piece ? [piece.part] : []));
  const fields = [
    ...pieces.flatMap((piece) => ('field' in piece ? [piece.field] : [])),
    ...parts.flatMap(({ source }) => fieldsOfText(source)),
  ];
  return {
    fields,
    parts,
    faults: [
      ...lines.flatMap((line) => line.faults),
      ...twiceIn(fields),
      ...parts.flatMap((part) => faultsOf(part, fields)),
    ],
  };
};

const twiceIn = (fields: readonly TemplateField[]): FieldFault[] => {
  const first = new Map<string, string>();
  return fields.flatMap(({ name, source }) => {
    const known = first.get(fieldKey(name));
    if (known === undefined) first.set(fieldKey(name), source);
    const isOther = known !== undefined && known !== source;
    return isOther ? [{ message: t`Two different fields have the name “${name}”`, quote: `[${source}]` }] : [];
  });
};

const faultsOf = ({ condition, source }: ConditionalPart, fields: readonly TemplateField[]): FieldFault[] => {
  const read = readCondition(condition);
  const quote = `[if ${condition}]`;
  const { name } = read;
  const field = fields.find((one) => fieldKey(one.name) === fieldKey(name));
  if (!field) return [{ message: t`No field has the name “${name}”`, quote }];
  if (fieldsOfText(source).some((inside) => fieldKey(inside.name) === fieldKey(name))) {
    return [{ message: t`The part depends on the field “${name}” inside it`, quote }];
  }
  if (read.kind === 'compare' && field.kind !== 'number') {
    return [{ message: t`“${name}” is not a number field`, quote }];
  }
  if (read.kind !== 'is' || field.kind !== 'choice') return [];
  const unknown = read.values.find((value) => !field.options.some((option) => fieldKey(option) === fieldKey(value)));
  return unknown === undefined ? [] : [{ message: t`The field “${name}” has no choice “${unknown}”`, quote }];
};

const drawn = (piece: Piece): string => {
  if ('html' in piece) return piece.html;
  if ('part' in piece) {
    const { condition, source } = piece.part;
    return `<span ${partAttribute}="${escapeHtml(condition)}" ${partSourceAttribute}="${escapeHtml(source)}"></span>`;
  }
  return `<span ${fieldAttribute}="${escapeHtml(piece.field.source)}">${escapeHtml(unfilledText(piece.field))}</span>`;
};

/**
 * Turns the typed fields of a template into fields of a report: "[Size]" with its type in an attribute. Conditional parts
 * become empty elements that hold their text. Text without a typed field stays the same.
 */
export const layOutFields = (html: string): string => {
  if (!html.includes('[')) return html;
  const known = namesIn(html);
  return linesOf(html)
    .flatMap((tokens) => readLine(tokens, known).pieces.map(drawn))
    .join('');
};

/** Whether a plain text has typed fields or conditional parts. */
export const hasTypedFields = (text: string): boolean => {
  const { fields, parts } = readTemplateFields(escapeHtml(text));
  return fields.length > 0 || parts.length > 0;
};

/** Returns the HTML of a plain text with typed fields. Each line is a paragraph. */
export const layOutText = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => `<p>${layOutFields(escapeHtml(line))}</p>`)
    .join('');

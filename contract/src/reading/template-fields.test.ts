import { expect, test } from 'vitest';
import {
  enterValue,
  isConditionMet,
  isFieldFault,
  readCondition,
  readField,
  type TemplateField,
} from './template-fields.ts';
import { hasTypedFields, layOutFields, layOutText, readTemplateFields } from './template-fields-html.ts';

const field = (source: string): TemplateField => {
  const read = readField(source);
  if (!read || isFieldFault(read)) throw new Error(`Not a field: ${source}`);
  return read;
};

test.each([
  ['Side: laterality', { kind: 'choice', options: ['left', 'right', 'bilateral'], isMultiple: false }],
  ['Margin: smooth | lobulated|spiculated', { kind: 'choice', options: ['smooth', 'lobulated', 'spiculated'] }],
  ['Signs: any of edema|effusion', { kind: 'choice', options: ['edema', 'effusion'], isMultiple: true }],
  ['Size: number mm 0-200', { kind: 'number', unit: 'mm', least: 0, most: 200 }],
  ['Density: number HU -1000 to 3000', { kind: 'number', unit: 'HU', least: -1000, most: 3000 }],
  ['Count: number', { kind: 'number', unit: '', least: null, most: null }],
  ['Ratio: number 0-1.5', { kind: 'number', unit: '', least: 0, most: 1.5 }],
  ['Onset: date', { kind: 'date' }],
  ['Comment: TEXT', { kind: 'text' }],
])('reads the field [%s]', (source, expected) => {
  expect(field(source)).toMatchObject({ name: source.split(':')[0], ...expected });
});

test.each([
  'size in mm',
  'PA and lateral / AP portable',
  'Lungs: consolidation, nodule',
  'lesions: number, place, size in mm, enhancement',
  'nodes: number of lymph nodes',
  'if known',
  'end',
])('leaves [%s] of earlier templates without a type', (words) => {
  expect(readField(words)).toBeUndefined();
});

const faultsIn = (html: string) => readTemplateFields(html).faults.map(({ message, quote }) => `${message} | ${quote}`);

test.each([
  ['<p>[Side: left|]</p>', 'The field “Side” has an empty choice | [Side: left|]'],
  ['<p>[Side: left|Left]</p>', 'The field “Side” has the choice “Left” twice | [Side: left|Left]'],
  ['<p>[Size: number mm 0-]</p>', 'Write the number field “Size” as [Size: number mm 0-200] | [Size: number mm 0-]'],
  ['<p>[Size: number mm 9-2]</p>', 'The range of “Size” ends before it begins | [Size: number mm 9-2]'],
  [
    '<p>[Side: left|right, [size]</p>',
    'A field has no closing bracket, or a part of it is formatted | [Side: left|right, ',
  ],
  [
    '<p>[Side: left|<strong>right</strong>]</p>',
    'A field has no closing bracket, or a part of it is formatted | [Side: left|',
  ],
  ['<p>[Side: laterality] [if Side]shown</p>', 'The conditional part has no [end] in its line | [if Side]'],
  ['<p>shown[end]</p>', '[end] has no conditional part before it | [end]'],
  [
    '<p>[Side: laterality] [if Side]a [if Side]b[end] c[end]</p>',
    'A conditional part cannot contain another | [if Side]',
  ],
  ['<p>[if Size]shown[end]</p>', 'No field has the name “Size” | [if Size]'],
  ['<p>[Side: laterality] [if Side is top]shown[end]</p>', 'The field “Side” has no choice “top” | [if Side is top]'],
  ['<p>[Side: laterality] [if Side > 3]shown[end]</p>', '“Side” is not a number field | [if Side > 3]'],
  ['<p>[if Size][Size: number mm][end]</p>', 'The part depends on the field “Size” inside it | [if Size]'],
  [
    '<p>[Side: laterality] and [Side: left|right]</p>',
    'Two different fields have the name “Side” | [Side: left|right]',
  ],
])('names the fault in %s', (html, fault) => {
  expect(faultsIn(html)).toContain(fault);
});

test.each([
  '<p>[size in mm] and [x] [if known]</p>',
  '<p>[Side: laterality] [if side is LEFT|right]The [Lobe: upper|lower] lobe.[end]</p>',
  '<p>[Size: number mm 0-200]</p><ul><li><p>[if Size &gt;= 6]Follow-up.[end]</p></li></ul>',
])('finds no fault in %s', (html) => {
  expect(faultsIn(html)).toEqual([]);
});

test('lays out typed fields and conditional parts, and nothing else', () => {
  const html =
    '<p title="[Side: laterality]">A [Side: laterality] kidney, [x]. [if Side is left]The [Pole: upper|lower] pole &amp; <em>hilum</em>.[end]</p>';

  expect(layOutFields(html)).toBe(
    '<p title="[Side: laterality]">A <span data-field="Side: laterality">[Side]</span> kidney, [x]. ' +
      '<span data-part="Side is left" data-source="The [Pole: upper|lower] pole &amp; hilum."></span></p>',
  );
});

test('a text without typed fields stays the same', () => {
  const html = '<h2>Findings</h2><p>Lungs: [x], 5 &lt; 6 [if known]</p>';

  expect(layOutFields(html)).toBe(html);
  expect(hasTypedFields('Lungs: [x]')).toBe(false);
});

test('lays out the lines of a macro', () => {
  expect(layOutText('A [Size: number mm]\nB')).toBe(
    '<p>A <span data-field="Size: number mm">[Size]</span></p><p>B</p>',
  );
});

test.each([
  ['Size: number mm 0-200', '12', { value: '12 mm' }],
  ['Size: number mm 0-200', '12,5 MM', { value: '12.5 mm' }],
  ['Size: number mm 0-200', '250', { value: '250 mm', outside: '0 – 200 mm' }],
  ['Size: number mm 0-200', '1.2 cm', { fault: 'Enter the number in mm' }],
  ['Size: number mm 0-200', 'large', { fault: 'Enter a number in mm' }],
  ['Count: number', '3', { value: '3' }],
  ['Count: number', '3 mm', { fault: 'This number has no unit' }],
  ['Onset: date', '2026-02-29', { fault: 'Enter a day as 2026-11-30, or T for today' }],
  ['Onset: date', '2026-02-28', { value: '2026-02-28' }],
  ['Onset: date', 't', { value: '2026-11-30' }],
])('checks what is typed into [%s]: %s', (source, typed, expected) => {
  expect(enterValue(field(source), typed, '2026-11-30')).toEqual(expected);
});

test.each([
  ['Size', '12 mm', true],
  ['Size', undefined, false],
  ['Size >= 6', '6 mm', true],
  ['Size > 6', '6 mm', false],
  ['Size < 6', '5,9 mm', true],
  ['Side is left|right', 'Right', true],
  ['Side is left', 'bilateral', false],
  ['Side is not left', 'bilateral', true],
  ['Side is not left', undefined, false],
  ['Signs is edema', 'effusion, edema', true],
  ['Size >= 6', '5 cm', true],
  ['Size >= 6', '3 x 8 mm', true],
  ['Size >= 6', 'small', true],
  ['Size >= 6', '5', false],
])('a part under the condition “%s” with the value %s is shown: %s', (condition, value, expected) => {
  expect(isConditionMet(readCondition(condition), value, 'mm')).toBe(expected);
});

import { expect, test } from 'vitest';
import { fillHtml, fillText, mergeFieldFault, mergeFields, sampleValues } from './merge-fields.ts';
import { placeholder, placeholders } from '../core/placeholders.ts';

test('merge fields are filled with or without spaces in their braces', () => {
  const values = { 'patient.name': 'Roe, Rita', 'study.date': '2026-11-20' };

  expect(fillText('{{patient.name}} on {{ study.date }}', values)).toBe('Roe, Rita on 2026-11-20');
});

test.each([undefined, null, '', '  '])('a merge field whose value is %o becomes an unfilled field', (value) => {
  expect(fillText('{{patient.age}}', { 'patient.age': value ?? null })).toBe('[age]');
});

test('the value of a merge field adds no markup and no line break, and is not read as a field', () => {
  const values = { 'patient.name': '<img src=x> & "{{study.date}}"\n', 'study.date': '2026-11-20' };

  expect(fillHtml('<p>{{patient.name}}</p>', values)).toBe('<p>&lt;img src=x&gt; &amp; &quot;{{study.date}}&quot;</p>');
});

test.each([
  ['an unknown field', '<p>{{patient.shoe}}</p>', 'Unknown merge field {{patient.shoe}}'],
  ['a name that JavaScript objects have', '<p>{{constructor}}</p>', 'Unknown merge field {{constructor}}'],
  [
    'a field in an address',
    '<a href="https://x/{{patient.id}}">a</a>',
    'Merge fields cannot be used in links or images',
  ],
  [
    'a field in an address, percent-encoded',
    '<a href="https://x/%7B%7Bpatient.id%7D%7D">a</a>',
    'Merge fields cannot be used in links or images',
  ],
  ['a missing brace', '<p>{{patient.name}</p>', expect.stringMatching(/^A merge field is incomplete/)],
  [
    'a field of which one part is bold',
    '<p>{{patient.<b>name</b>}}</p>',
    expect.stringMatching(/^A merge field is incomplete/),
  ],
])('a template is refused because of its merge fields: %s', (_, html, fault) => {
  expect(mergeFieldFault(html, { html: true })).toEqual(fault);
});

test('every merge field has a sample, and becomes an unfilled field without a value', () => {
  const text = mergeFields.map(({ name }) => `{{${name}}}`).join(' ');

  expect(mergeFieldFault(text, { html: false })).toBeUndefined();
  expect(fillText(text, sampleValues)).not.toMatch(/[[{]/);
  expect(fillText(text, {}).match(placeholders())).toEqual(mergeFields.map(({ label }) => placeholder(label)));
});

test('an unfilled field can be found, whatever its name', () => {
  const place = placeholder('size [mm]\nof the lesion');

  expect(place).toBe('[size  mm of the lesion]');
  expect(place.match(placeholders())).toEqual([place]);
});

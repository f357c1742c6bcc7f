import { expect, test } from 'vitest';
import { displayName } from './person-name.ts';

test.each([
  ['Doe^Jane', 'Doe, Jane'],
  ['Doe', 'Doe'],
  ['Adams^John Robert Quincy^^Rev.^B.A. M.Div.', 'Adams, Rev. John Robert Quincy, B.A. M.Div.'],
  [
    'Morrison-Jones^Susan^Ann^^Ph.D., Chief Executive Officer',
    'Morrison-Jones, Susan Ann, Ph.D., Chief Executive Officer',
  ],
  ['^Jane', 'Jane'],
  [' Doe ^ Jane ', 'Doe, Jane'],
  ['Yamada^Tarou=山田^太郎=やまだ^たろう', 'Yamada, Tarou'],
  ['=山田^太郎', '山田, 太郎'],
  ['^^^^', ''],
  ['', ''],
])('the name %s is shown as %s', (personName, displayed) => {
  expect(displayName(personName)).toBe(displayed);
});

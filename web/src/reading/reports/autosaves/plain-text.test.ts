import { expect, test } from 'vitest';
import { htmlToPlainText } from './plain-text.ts';

test('copied text separates lines and table cells', () => {
  const item = (words: string) => `<li><p>${words}</p></li>`;
  const row = (...cells: string[]) => `<tr>${cells.map((words) => `<td><p>${words}</p></td>`).join('')}</tr>`;

  const words = htmlToPlainText(
    `<h2>Findings</h2><p>No metastasis.<br>New <strong>nodule</strong>.</p>` +
      `<ol>${item('Liver 5 mm')}${item('12 mm in the spleen')}</ol>` +
      `<table><tbody>${row('Nodule', '5', '12')}${row('Node', '8', '<em>9</em>')}</tbody></table>` +
      `<blockquote><p>Last.</p></blockquote>`,
  );

  expect(words.split('\n')).toEqual([
    'Findings',
    'No metastasis.',
    'New nodule.',
    'Liver 5 mm',
    '12 mm in the spleen',
    'Nodule\t5\t12',
    'Node\t8\t9',
    'Last.',
  ]);
});

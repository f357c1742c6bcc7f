import { Editor } from '@tiptap/core';
import { CellSelection, TableMap } from '@tiptap/pm/tables';
import type { Node } from '@tiptap/pm/model';
import { expect, onTestFinished, test } from 'vitest';
import { reportExtensions } from '#reading/editor/extensions/editor-extensions.ts';

const open = (content: string) => {
  const editor = new Editor({ extensions: reportExtensions(() => {}), content, injectCSS: false });
  onTestFinished(() => editor.destroy());
  return editor;
};

/** jsdom has no clipboard. */
const pasted = () => Object.assign(new Event('paste'), { clipboardData: null }) as ClipboardEvent;

const paste = (editor: Editor, html: string) => editor.view.pasteHTML(html, pasted());

const cell = (words: string, spans = '') => `<td${spans}><p>${words}</p></td>`;
const row = (...cells: string[]) => `<tr>${cells.join('')}</tr>`;
const table = (...rows: string[]) => `<table><tbody>${rows.join('')}</tbody></table>`;

const ownTable = (rows = 3, columns = 3) =>
  table(
    ...Array.from({ length: rows }, (_, at) =>
      row(...Array.from({ length: columns }, (_, column) => cell(`own${at}${column}`))),
    ),
  );

const tablesIn = (document: Node): Node[] => {
  const tables: Node[] = [];
  document.descendants((node) => {
    if (node.type.name === 'table') tables.push(node);
  });
  return tables;
};

/** Texts of the grid of the first table; a merged cell has its text in each of its places. */
const gridOf = (editor: Editor): string[] => {
  const [first] = tablesIn(editor.state.doc);
  if (!first) return [];
  const { map, width, height } = TableMap.get(first);
  return Array.from({ length: height }, (_, at) =>
    map
      .slice(at * width, (at + 1) * width)
      .map((position) => first.nodeAt(position)?.textContent || '-')
      .join(' '),
  );
};

const expectSound = (editor: Editor) => {
  editor.state.doc.check();
  for (const one of tablesIn(editor.state.doc)) expect(TableMap.get(one).problems).toBeNull();
};

/** Selects cells by their number in the order of the text. After the last cell, the count continues with the first. */
const selectCells = (editor: Editor, anchor: number, head: number) => {
  const cells: number[] = [];
  editor.state.doc.descendants((node, position) => {
    if (node.type.spec['tableRole'] === 'cell') cells.push(position);
  });
  const { tr, doc } = editor.state;
  const [from = 0, to = 0] = [anchor, head].map((number) => cells[number % cells.length]);
  editor.view.dispatch(tr.setSelection(CellSelection.create(doc, from, to)));
};

test.each<[string, string, string[]]>([
  [
    'a corner that is merged over two rows',
    table(row(cell('A'), cell('B'), cell('C', ' rowspan="2"')), row(cell('D'), cell('E'))),
    ['A B C', 'D E C', 'own20 own21 own22'],
  ],
  [
    'a corner that is merged over two columns',
    table(row(cell('A'), cell('B')), row(cell('C', ' colspan="2"'))),
    ['A B own02', 'C C own12', 'own20 own21 own22'],
  ],
  [
    'one merged cell',
    table(row(cell('A', ' colspan="2" rowspan="2"')), row()),
    ['A A own02', 'A A own12', 'own20 own21 own22'],
  ],
  [
    'more columns than the table has',
    table(row(cell('A', ' colspan="5"')), row(cell('B'), cell('C'), cell('D'), cell('E'), cell('F'))),
    ['A A A A A', 'B C D E F', 'own20 own21 own22 - -'],
  ],
  [
    'a row span beyond the last row',
    table(row(cell('A'), cell('B', ' rowspan="7"')), row(cell('C'))),
    ['A B own02', 'C B own12', 'own20 own21 own22'],
  ],
  [
    'a row span to the end of the table',
    table(row(cell('A', ' rowspan="0"'), cell('B')), row(cell('C'))),
    ['A B own02', 'A C own12', 'own20 own21 own22'],
  ],
  [
    'a column span of 16,384',
    table(row(cell('A', ' colspan="16384"')), row(cell('B'), cell('C'))),
    ['A A own02', 'B C own12', 'own20 own21 own22'],
  ],
  [
    'invalid spans',
    table(row(cell('A', ' colspan="x" rowspan="-2"'), cell('B'))),
    ['A B own02', 'own10 own11 own12', 'own20 own21 own22'],
  ],
  [
    'rows of different lengths',
    table(row(cell('A', ' rowspan="2"'), cell('B'), cell('C')), row(cell('D'))),
    ['A B C', 'A D -', 'own20 own21 own22'],
  ],
])('a table with %s is pasted into a table with its text and merged cells', (_, html, grid) => {
  const editor = open(ownTable());
  editor.commands.setTextSelection(4);

  paste(editor, html);

  expect(gridOf(editor)).toEqual(grid);
  expectSound(editor);
  editor.commands.undo();
  expect(editor.getText()).toContain('own00');
});

test('a table as Excel copies it is pasted into a table', () => {
  const editor = open(ownTable());
  editor.commands.setTextSelection(4);

  paste(
    editor,
    `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><body>\r\n<!--StartFragment-->\r\n<table border=0 width=192>
    <col width=64 span=3>\r\n<tr height=20>\r\n<td rowspan=2 height=40>Aorta</td>\r\n<td colspan=2
    style='mso-ignore:colspan'>Diameter</td>\r\n</tr>\r\n<tr height=20>\r\n<td>4.1</td>\r\n<td rowspan=1>cm</td>\r\n
    </tr>\r\n</table>\r\n<!--EndFragment-->\r\n</body>\r\n</html>\r\n`,
  );

  expect(gridOf(editor)).toEqual(['Aorta Diameter Diameter', 'Aorta 4.1 cm', 'own20 own21 own22']);
});

test('a table pasted over fewer selected cells keeps all its text', () => {
  const editor = open(ownTable());
  selectCells(editor, 0, 1);

  paste(editor, table(row(cell('A'), cell('B', ' rowspan="2"')), row(cell('C'))));

  expect(gridOf(editor)).toEqual(['A B own02', 'C B own12', 'own20 own21 own22']);
});

test('a row pasted over more selected rows fills each of them', () => {
  const editor = open(ownTable());
  selectCells(editor, 0, 8);

  paste(editor, table(row(cell('A'), cell('B', ' colspan="2"'))));

  expect(gridOf(editor)).toEqual(['A B B', 'A B B', 'A B B']);
  expectSound(editor);
});

test('a table is pasted into merged cells, and the text around it stays', () => {
  const editor = open(
    table(
      row(cell('a', ' colspan="2"'), cell('b', ' rowspan="3"')),
      row(cell('c', ' rowspan="2"'), cell('d')),
      row(cell('e')),
    ),
  );
  selectCells(editor, 3, 3);

  paste(editor, table(row(cell('A', ' rowspan="2"'), cell('B')), row(cell('C'))));

  expectSound(editor);
  expect(gridOf(editor)).toEqual(['a a b', 'c A B', 'c A C']);
});

test('a table is pasted into a stored table whose row span is too long', () => {
  const editor = open(table(row(cell('a', ' rowspan="3"'), cell('b'))));
  selectCells(editor, 1, 1);

  paste(editor, table(row(cell('A')), row(cell('B'))));

  expect(gridOf(editor)).toEqual(['a A', '- B']);
  expectSound(editor);
});

test('a table with a wide span is pasted outside a table without empty columns', () => {
  const editor = open('<p></p>');

  paste(editor, table(row(cell('A', ' colspan="300"')), row(cell('B'), cell('C'))));

  expect(gridOf(editor)).toEqual(['A A', 'B C']);
});

/** Numbers that look random and are the same in each run. */
const numbers = (seed: number) => {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
};

const anyTable = (next: (below: number) => number, name: string) => {
  let cellCount = 0;
  const any = () => {
    cellCount += 1;
    return cell(`${name}${cellCount}x`, ` colspan="${1 + next(3)}" rowspan="${1 + next(3)}"`);
  };
  const html = table(...Array.from({ length: 1 + next(4) }, () => row(...Array.from({ length: 1 + next(3) }, any))));
  return { html, words: Array.from({ length: cellCount }, (_, at) => `${name}${at + 1}x`) };
};

test('each of 20 random tables keeps its text when pasted into a table and does not break that table', () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const next = numbers(seed);
    const editor = open('<p></p>');
    paste(editor, anyTable(next, 'own').html);
    expectSound(editor);
    selectCells(editor, next(9), next(9));
    const { html, words } = anyTable(next, 'new');

    paste(editor, html);

    expectSound(editor);
    expect(words.filter((word) => !editor.getText().includes(word))).toEqual([]);
    editor.destroy();
  }
});

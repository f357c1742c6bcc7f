import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { show } from '#test/screen.tsx';
import { ColumnsMenu } from './data-table-columns-menu.tsx';
import { useArrangement } from './data-table-columns.ts';
import { type Column, DataTable } from './data-table.tsx';

type Bird = { name: string; song: string; weight: number; nest: string };
const birds: Bird[] = [{ name: 'Wren', song: 'trill', weight: 9, nest: 'dome' }];

const columns: Column<Bird>[] = [
  { id: 'name', header: 'Name', meta: { isRowName: true }, cell: ({ row }) => row.original.name },
  { id: 'song', header: 'Song', cell: ({ row }) => row.original.song },
  { id: 'weight', header: 'Weight', meta: { takesRest: true }, cell: ({ row }) => row.original.weight },
  { id: 'nest', header: 'Nest', meta: { isOptional: true }, cell: ({ row }) => row.original.nest },
  { id: 'actions', header: 'Actions', meta: { isTitleHidden: true }, cell: () => 'Ring' },
];

function Birds({ of = columns }: { of?: Column<Bird>[] }) {
  const arrangement = useArrangement('birds', of);
  return (
    <>
      <ColumnsMenu arrangement={arrangement} />
      <DataTable
        label="birds"
        items={birds}
        idOf={({ name }) => name}
        arrangement={arrangement}
        details={{ label: 'eggs', show: () => null }}
      />
    </>
  );
}

const heads = () =>
  screen
    .getAllByRole('columnheader')
    .slice(1)
    .map(({ textContent }) => textContent);

const openMenu = () => userEvent.click(screen.getByRole('button', { name: 'Columns' }));

const widthOf = (id: string) =>
  document.querySelector<HTMLElement>('[data-density]')?.style.getPropertyValue(`--width-${id}`);

test('columns can be moved by keyboard, keep the focus, and stay moved after a reload', async () => {
  const { unmount } = show(<Birds />);

  await openMenu();
  screen.getByRole('button', { name: 'Move or resize Song' }).focus();
  await userEvent.keyboard('{ArrowUp}');

  expect(heads()).toEqual(['Song', 'Name', 'Weight', 'Actions']);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Move or resize Song' }));
  expect(screen.getByText('Song is column 1 of 4')).toBeDefined();
  unmount();
  show(<Birds />);
  expect(heads()).toEqual(['Song', 'Name', 'Weight', 'Actions']);
});

test('column widths can be changed by keyboard and are remembered', async () => {
  const { unmount } = show(<Birds />);

  await openMenu();
  screen.getByRole('button', { name: 'Move or resize Nest' }).focus();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowLeft}');

  expect(widthOf('nest')).toBe('136px');
  unmount();
  show(<Birds />);
  expect(widthOf('nest')).toBe('136px');
});

test('the width of the column that takes the remaining width cannot be changed', async () => {
  show(<Birds />);

  await openMenu();
  screen.getByRole('button', { name: 'Move or resize Weight' }).focus();
  await userEvent.keyboard('{ArrowRight}');

  expect(screen.getByText('Weight takes the remaining width')).toBeDefined();
  expect(widthOf('weight')).toBe('');
});

test('optional columns can be shown and others hidden, except the row name', async () => {
  show(<Birds />);

  await openMenu();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Nest' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Song' }));

  expect(heads()).toEqual(['Name', 'Weight', 'Nest', 'Actions']);
  expect(screen.getByRole('checkbox', { name: 'Name' })).toHaveProperty('disabled', true);
});

test('resetting the columns restores the original table', async () => {
  show(<Birds />);
  await openMenu();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Nest' }));
  screen.getByRole('button', { name: 'Move or resize Song' }).focus();
  await userEvent.keyboard('{ArrowUp}{ArrowRight}');

  await userEvent.click(screen.getByRole('button', { name: 'Reset columns' }));

  expect(heads()).toEqual(['Name', 'Song', 'Weight', 'Actions']);
  expect(widthOf('song')).toBe('');
  expect(localStorage.getItem('preference.columns.birds.u1')).toBeNull();
});

test('dragging a header over another moves its column', () => {
  show(<Birds />);
  const dataTransfer = { setData: () => undefined };

  fireEvent.dragStart(screen.getByRole('columnheader', { name: 'Weight' }), { dataTransfer });
  const target = screen.getByRole('columnheader', { name: 'Song' });
  fireEvent.dragOver(target, { dataTransfer });
  expect(target.dataset.drop).toBe('before');
  fireEvent.drop(target, { dataTransfer });

  expect(heads()).toEqual(['Name', 'Weight', 'Song', 'Actions']);
});

test('dragging the edge of a header sets the width within limits, and a double click resets it', () => {
  HTMLElement.prototype.setPointerCapture = () => undefined;
  show(<Birds />);
  const handle = () => {
    const edge = screen.getByRole('columnheader', { name: 'Song' }).querySelector('[aria-hidden="true"]');
    if (!edge) throw new Error('There is no edge to pull');
    return edge;
  };

  fireEvent.pointerDown(handle(), { clientX: 100 });
  fireEvent.pointerMove(handle(), { clientX: 180 });
  expect(widthOf('song')).toBe('180px');
  fireEvent.pointerUp(handle(), { clientX: 5000 });
  expect(widthOf('song')).toBe('800px');
  fireEvent.doubleClick(handle());

  expect(widthOf('song')).toBe('');
});

test('a new column is inserted after its usual neighbor in the remembered order', () => {
  localStorage.setItem(
    'preference.columns.birds.u1',
    JSON.stringify({ order: ['weight', 'song', 'name'], widths: {}, shown: {} }),
  );

  show(<Birds of={columns.map((column) => (column.id === 'nest' ? { ...column, meta: {} } : column))} />);

  expect(heads()).toEqual(['Weight', 'Nest', 'Song', 'Name', 'Actions']);
});

test('an invalid stored column setting is ignored', () => {
  localStorage.setItem('preference.columns.birds.u1', '{"order":"name"}');

  show(<Birds />);

  expect(heads()).toEqual(['Name', 'Song', 'Weight', 'Actions']);
});

test('a table without details has no buttons to expand its rows', () => {
  const [name, song] = columns;
  show(
    <DataTable
      label="birds"
      items={birds}
      idOf={(bird) => bird.name}
      columns={[name, song].filter((column) => column !== undefined)}
    />,
  );

  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Name', 'Song']);
  expect(screen.queryByRole('button')).toBeNull();
});

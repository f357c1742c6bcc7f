import { ActionIcon } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { type Column, DataTable } from '#ui/tables/data-table.tsx';
import { useArrangement } from '#ui/tables/data-table-columns.ts';
import { ColumnList } from '#ui/tables/column-list.tsx';
import { ColumnsMenu } from '#ui/tables/data-table-columns-menu.tsx';
import { ExportButton } from '#ui/lists/export-button.tsx';
import { Pagination } from '#ui/lists/pagination.tsx';
import { RowActions } from '#ui/tables/row-actions.tsx';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import { ViewTabs } from '#ui/lists/view-tabs.tsx';
import { VirtualRows } from '#ui/tables/virtual-rows.tsx';
import { ignore, longName, longText, names, refused, studies, type Study } from './data.ts';
import type { Specimens } from './specimens.ts';
import { Stage } from './stage.tsx';

const more = (name: string) => (
  <RowActions>
    <ActionIcon aria-label={`Actions of ${name}`}>
      <IconDots size={15} />
    </ActionIcon>
  </RowActions>
);

const columns: Column<Study>[] = [
  { id: 'patient', accessorKey: 'patient', header: 'Patient', meta: { isRowName: true, sort: 'asc' } },
  { id: 'modality', accessorKey: 'modality', header: 'Modality', meta: { card: { isCorner: true } } },
  {
    id: 'description',
    accessorKey: 'description',
    header: 'Description',
    meta: { takesRest: true, card: { label: 'Description' } },
  },
  { id: 'date', accessorKey: 'date', header: 'Date', meta: { sort: 'desc', card: { label: 'Date' } } },
  {
    id: 'actions',
    header: 'Actions',
    cell: ({ row }) => more(row.original.patient),
    meta: { isTitleHidden: true },
  },
];

const idOf = ({ id }: Study) => id;
const few = studies(4);
const long = few.map((study) => ({ ...study, patient: longName, description: longText }));
const details = { label: 'series', show: ({ description }: Study) => <p>{description}, 3 series</p> };

function Sorted() {
  const [sort, onSort] = useState('date,desc');
  return <DataTable label="studies" columns={columns} items={few} idOf={idOf} sort={sort} onSort={onSort} />;
}

function Arranged() {
  const arrangement = useArrangement('gallery', columns);
  return (
    <>
      <ColumnsMenu arrangement={arrangement} />
      <DataTable label="studies" arrangement={arrangement} items={few} idOf={idOf} />
    </>
  );
}

function Columns() {
  return <ColumnList arrangement={useArrangement('gallery-list', columns)} />;
}

const views = [
  { value: 'mine', label: 'My studies', count: { total: 12 } },
  { value: 'overdue', label: 'Overdue', count: { total: 3 }, isPressing: true },
  { value: 'all', label: 'All studies', count: { total: 10_000, isMore: true } },
] as const;

const pageOf = (number: number, totalPages: number) => ({
  content: [],
  number,
  totalPages,
  totalElements: totalPages * 10,
  first: number === 0,
  last: number + 1 >= totalPages,
});

export const specimens: Specimens = {
  DataTable: {
    rows: (
      <Stage width={984} height={240}>
        <DataTable label="studies" columns={columns} items={few} idOf={idOf} onOpen={ignore} />
      </Stage>
    ),
    compact: (
      <Stage width={984} height={240}>
        <DataTable label="studies" columns={columns} items={few} idOf={idOf} density="compact" isRefreshing />
      </Stage>
    ),
    'many rows': (
      <Stage width={984} height={240}>
        <DataTable label="studies" columns={columns} items={studies(200)} idOf={idOf} />
      </Stage>
    ),
    empty: (
      <Stage width={984} height={240}>
        <DataTable label="studies" columns={columns} items={[]} idOf={idOf}>
          <EmptyState title="No studies" detail="Studies appear here when images arrive." />
        </DataTable>
      </Stage>
    ),
    error: (
      <Stage width={984} height={240}>
        <DataTable label="studies" columns={columns} items={undefined} idOf={idOf}>
          <ErrorState failed="Could not load the studies" error={refused} onRetry={ignore} />
        </DataTable>
      </Stage>
    ),
    narrow: (
      <Stage width={320} height={360}>
        <DataTable label="studies" columns={columns} items={few} idOf={idOf} />
      </Stage>
    ),
  },
  TableHead: {
    sorted: (
      <Stage width={984} height={240}>
        <Sorted />
      </Stage>
    ),
  },
  TableRow: {
    expanded: (
      <Stage width={984} height={280}>
        <DataTable label="studies" columns={columns} items={few} idOf={idOf} details={details} opened={['study-1']} />
      </Stage>
    ),
    'long text': (
      <Stage width={984} height={240}>
        <DataTable label="studies" columns={columns} items={long} idOf={idOf} />
      </Stage>
    ),
  },
  SkeletonRows: {
    loading: (
      <Stage width={984} height={240}>
        <DataTable label="studies" columns={columns} items={undefined} idOf={idOf} />
      </Stage>
    ),
  },
  ColumnsMenu: {
    closed: (
      <Stage width={984} height={280}>
        <Arranged />
      </Stage>
    ),
  },
  ColumnList: {
    many: (
      <Stage width={360} height={320}>
        <Columns />
      </Stage>
    ),
  },
  RowActions: { resting: more(names[0]) },
  ExportButton: {
    calm: <ExportButton exporting={{ isPending: false, mutate: ignore }} />,
    exporting: <ExportButton exporting={{ isPending: true, mutate: ignore }} />,
  },
  Pagination: {
    first: <Pagination currentPage={pageOf(0, 5)} size={10} onPaging={ignore} />,
    'many rows': <Pagination currentPage={pageOf(40, 900)} size={10} hasEnds onPaging={ignore} />,
    inexact: <Pagination currentPage={{ ...pageOf(3, 900), isTotalExact: false }} size={10} onPaging={ignore} />,
    empty: <Pagination currentPage={pageOf(0, 0)} size={10} onPaging={ignore} />,
  },
  ViewTabs: {
    counted: <ViewTabs label="Lists" views={views} current="mine" onView={ignore} />,
    loading: (
      <ViewTabs
        label="Lists"
        views={views.map(({ value, label }) => ({ value, label }))}
        current="all"
        onView={ignore}
      />
    ),
    'long text': (
      <Stage width={320}>
        <ViewTabs
          label="Lists"
          views={[...views, { value: 'long', label: longText }]}
          current="overdue"
          onView={ignore}
        />
      </Stage>
    ),
  },
  VirtualRows: {
    'many rows': (
      <Stage width={320} height={200}>
        <VirtualRows label="Images" count={10_000} rowHeight={24} keyOf={(index) => index}>
          {(index) => `Image ${index + 1}`}
        </VirtualRows>
      </Stage>
    ),
    empty: (
      <Stage width={320} height={60}>
        <VirtualRows label="No images" count={0} rowHeight={24} keyOf={(index) => index}>
          {() => null}
        </VirtualRows>
      </Stage>
    ),
  },
};

import { t } from '@lingui/core/macro';
import { ActionIcon, Badge, Button, Tooltip } from '@mantine/core';
import { IconEye, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { errorMessageOf } from '#core/http/api.ts';
import { toast } from '#core/browser/toasts.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { type Column, DataTable } from '#ui/tables/data-table.tsx';
import { FilterForm, SearchField } from '#ui/lists/filter-form.tsx';
import { OutdatedList } from '#ui/lists/list-notice.tsx';
import { Pagination } from '#ui/lists/pagination.tsx';
import { RowActions } from '#ui/tables/row-actions.tsx';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import { useLastPageFallback } from '#ui/lists/use-last-page-fallback.ts';
import { isolateText } from '#ui/formats/isolate-text.ts';
import type { LibraryKind, Text } from './library-kinds.ts';
import type { LibrarySearch } from './library-search.ts';
import styles from './library.module.css';
import { TextDetails } from './text-details.tsx';
import { TextForm } from './text-form.tsx';

const defaultSize = 10;

type Props = {
  kind: LibraryKind;
  search: LibrarySearch;
  onChange: (next: Partial<LibrarySearch>) => void;
  /** Columns between the author column and the files column. */
  columns: Column<Text>[];
};

/** Lists texts with files. Users can search, read and edit them. The address holds the search. */
export function LibraryScreen({ kind, search, onChange, columns }: Props) {
  const { says } = kind;
  const [edited, setEdited] = useState<Text | 'new'>();
  const [opened, setOpened] = useState<string>();
  const { q, page = 0, size = defaultSize } = search;
  const result = useQuery({
    queryKey: [kind.noun, 'list', { q, page, size }],
    queryFn: ({ signal }) => kind.list({ q, page, size }, signal),
    placeholderData: keepPreviousData,
  });
  const { mutate: remove } = useRemoval(kind);
  useLastPageFallback(result.data, (last) => onChange({ page: last || undefined }));
  // Memoized, because new columns would replace the buttons, and a pressed button would lose the focus.
  const all = useMemo(
    () => [
      titleColumn(setOpened),
      { id: 'author', header: t`Author`, cell: ({ row }) => row.original.author } satisfies Column<Text>,
      ...columns,
      filesColumn(kind.says.files),
      actionsColumn(kind, { open: setOpened, edit: setEdited, remove: (text) => void askToRemove(kind, text, remove) }),
    ],
    [columns, kind, remove],
  );
  const create = kind.mayManage() && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
      {says.create}
    </Button>
  );
  return (
    <>
      <ScreenTitle title={says.title} actions={create} />
      <Search key={q} q={q} label={says.search} onSearch={(next) => onChange({ q: next, page: undefined })} />
      <OutdatedList label={says.many} result={result} failed={says.failedToLoad} />
      <DataTable
        label={says.many}
        items={result.data?.content}
        idOf={({ id }) => id}
        columns={all}
        details={{
          label: says.wordsDetails,
          show: (text) => <p className={styles.words}>{text.words || says.noWords}</p>,
        }}
        onOpen={({ id }) => setOpened(id)}
        isRefreshing={result.isFetching}
      >
        {result.isLoadingError && (
          <ErrorState failed={says.failedToLoad} error={result.error} onRetry={() => void result.refetch()} />
        )}
        {result.data?.totalElements === 0 && (
          <Nothing kind={kind} q={q} create={create} onClear={() => onChange({ q: undefined })} />
        )}
      </DataTable>
      {result.data && <Pagination currentPage={result.data} size={size} onPaging={onChange} />}
      {edited && (
        <TextForm kind={kind} text={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
      {opened && <TextDetails kind={kind} id={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function Search({
  q = '',
  label,
  onSearch,
}: {
  q: string | undefined;
  label: string;
  onSearch: (q: string | undefined) => void;
}) {
  const [words, setWords] = useState(q);
  return (
    <FilterForm onSubmit={() => onSearch(words.trim() || undefined)}>
      <SearchField
        aria-label={label}
        placeholder={`${label}...`}
        value={words}
        maxLength={200}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      <Button type="submit" variant="default">
        {t`Search`}
      </Button>
      {(q !== '' || words !== '') && (
        <Button
          variant="subtle"
          onClick={() => {
            setWords('');
            onSearch(undefined);
          }}
        >
          {t`Clear`}
        </Button>
      )}
    </FilterForm>
  );
}

function Nothing({
  kind,
  q,
  create,
  onClear,
}: {
  kind: LibraryKind;
  q: string | undefined;
  create: ReactNode;
  onClear: () => void;
}) {
  if (q) {
    const clear = (
      <Button variant="default" onClick={onClear}>
        {t`Clear search`}
      </Button>
    );
    return <EmptyState title={kind.says.noMatch(isolateText(q))} action={clear} />;
  }
  return (
    <EmptyState
      title={kind.says.none}
      detail={t`All users in your organization can read new entries.`}
      action={create}
    />
  );
}

const useRemoval = ({ noun, remove, says }: LibraryKind) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Text) => remove(id),
    onSuccess: () => {
      toast.success(says.deleted);
      return Promise.all([noun, 'knowledge'].map((outdated) => client.invalidateQueries({ queryKey: [outdated] })));
    },
    onError: (error) => toast.failure(errorMessageOf(error, says.failedToDelete)),
  });
};

const askToRemove = async ({ says }: LibraryKind, text: Text, remove: (text: Text) => void) => {
  const count = text.files.length;
  const title = isolateText(text.title);
  const files = says.filesIn(count);
  const consequence =
    count === 0
      ? t`“${title}” will be deleted for all users. This cannot be undone.`
      : t`“${title}” and ${files} will be deleted for all users. This cannot be undone.`;
  if (await confirm({ question: says.askToDelete, consequence, verb: says.verb })) {
    remove(text);
  }
};

const titleColumn = (open: (id: string) => void): Column<Text> => ({
  id: 'title',
  header: t`Title`,
  meta: { isRowName: true, takesRest: true },
  cell: ({ row }) => (
    <button type="button" className={styles.title} onClick={() => open(row.original.id)}>
      {row.original.title}
    </button>
  ),
});

const filesColumn = (header: string): Column<Text> => ({
  id: 'files',
  header,
  meta: { card: { label: header, order: 5 } },
  cell: ({ row }) => <Badge variant="default">{row.original.files.length}</Badge>,
});

const labelsOf = ({ title }: Text) => ({ view: t`View ${title}`, edit: t`Edit ${title}`, remove: t`Delete ${title}` });

type Actions = { open: (id: string) => void; edit: (text: Text) => void; remove: (text: Text) => void };

const actionsColumn = (kind: LibraryKind, { open, edit, remove }: Actions): Column<Text> => ({
  id: 'actions',
  header: t`Actions`,
  meta: { card: { order: 7 } },
  cell: ({ row: { original: text } }) => (
    <RowActions>
      <Tooltip label={t`View`}>
        <ActionIcon aria-label={labelsOf(text).view} onClick={() => open(text.id)}>
          <IconEye size={16} />
        </ActionIcon>
      </Tooltip>
      {kind.mayManage() && (
        <>
          <Tooltip label={t`Edit`}>
            <ActionIcon aria-label={labelsOf(text).edit} onClick={() => edit(text)}>
              <IconPencil size={16} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t`Delete`}>
            <ActionIcon aria-label={labelsOf(text).remove} onClick={() => remove(text)}>
              <IconTrash size={16} />
            </ActionIcon>
          </Tooltip>
        </>
      )}
    </RowActions>
  ),
});

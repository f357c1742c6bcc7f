import { t } from '@lingui/core/macro';
import { Button, NativeSelect } from '@mantine/core';
import { type Template, templates } from '@radwork/contract/reading/templates';
import { IconFileImport, IconPlus, IconTemplate } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { query } from '#core/http/api.ts';
import { DataTable } from '#ui/tables/data-table.tsx';
import { Pagination } from '#ui/lists/pagination.tsx';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import { ImportTemplateDialog } from './import-template-dialog.tsx';
import { templateColumns } from './template-columns.tsx';
import { TemplateFilters } from './template-filters.tsx';
import { TemplatePreview } from '#reading/templates/editing/template-preview.tsx';
import type { TemplatesSearch } from './templates-search.ts';
import styles from './templates-screen.module.css';
import { useTemplateActions } from './use-template-actions.tsx';

type Props = {
  search: TemplatesSearch;
  onSearch: (search: TemplatesSearch) => void;
  onOpen: (id: string) => void;
};

const activities = ['active', 'inactive'] as const;
const activityChoices = [
  { value: '', label: t`Active and inactive` },
  { value: 'active', label: t`Active` },
  { value: 'inactive', label: t`Inactive` },
];

/** List of the organization's own templates. */
export function TemplatesPanel({ search, onSearch, onOpen }: Props) {
  const { modality, bodyPart, q, activity, page = 0, size = 25 } = search;
  const [isImporting, setImporting] = useState(false);
  const list = useQuery({
    ...query(templates.list, { query: { page, size, ...queryOf(search) } }),
    placeholderData: keepPreviousData,
  });
  const actions = useTemplateActions(onOpen);
  const columns = useMemo(() => templateColumns({ ...actions, onEdit: ({ id }) => onOpen(id) }), [actions, onOpen]);
  const { data, error } = list;
  const isFiltered = Boolean(modality || bodyPart || q || activity);

  return (
    <>
      <div className={styles.bar}>
        <TemplateFilters filter={search} onFilter={(filter) => onSearch({ ...filter, page: undefined })}>
          <NativeSelect
            aria-label={t`Status`}
            value={activity ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onSearch({ activity: activities.find((one) => one === value), page: undefined })
            }
            data={activityChoices}
          />
        </TemplateFilters>
        <div className={styles.atEnd}>
          <Button
            variant="default"
            leftSection={<IconFileImport size={16} aria-hidden />}
            onClick={() => setImporting(true)}
          >
            {t`Import MRRT`}
          </Button>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => onOpen('new')}>
            {t`Create template`}
          </Button>
        </div>
      </div>
      <DataTable
        label={t`templates`}
        items={data?.content}
        idOf={({ id }) => id}
        columns={columns}
        details={{ label: t`preview`, show: (template) => <TemplatePreview text={template} /> }}
        isRefreshing={list.isPlaceholderData}
        onOpen={({ id }: Template) => onOpen(id)}
      >
        {error && !data && (
          <ErrorState failed={t`Failed to load templates`} error={error} onRetry={() => void list.refetch()} />
        )}
        {data?.totalElements === 0 && <Nothing isFiltered={isFiltered} onGlobals={() => onSearch({ tab: 'global' })} />}
      </DataTable>
      {data && data.totalElements > 0 && <Pagination currentPage={data} size={size} onPaging={onSearch} />}
      <ImportTemplateDialog opened={isImporting} onClose={() => setImporting(false)} onSaved={onOpen} />
    </>
  );
}

const queryOf = ({ modality, bodyPart, q, activity }: TemplatesSearch) => ({
  ...(modality && { modality }),
  ...(bodyPart && { bodyPart }),
  ...(q && { q }),
  ...(activity && { isActive: activity === 'active' ? ('true' as const) : ('false' as const) }),
});

function Nothing({ isFiltered, onGlobals }: { isFiltered: boolean; onGlobals: () => void }) {
  if (isFiltered) return <EmptyState icon={IconTemplate} title={t`No templates found matching your criteria`} />;
  return (
    <EmptyState
      icon={IconTemplate}
      title={t`No templates yet`}
      detail={t`Use global templates as they are, or copy and edit them.`}
      action={
        <Button variant="default" onClick={onGlobals}>
          {t`Show global templates`}
        </Button>
      }
    />
  );
}

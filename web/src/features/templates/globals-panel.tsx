import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { globalTemplates, type GlobalTemplate } from '@radwork/contract/templates';
import { IconPlus, IconTemplate } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { query, useAction } from '#core/api.ts';
import { confirm } from '#ui/confirm.tsx';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { ModalityTag } from '#ui/modality-tag.tsx';
import { EmptyState, ErrorState } from '#ui/states.tsx';
import { TemplateName } from './template-columns.tsx';
import { bodyPartLabel, isFound } from './template-filter.ts';
import { TemplateFilters } from './template-filters.tsx';
import { TemplatePreview } from './template-preview.tsx';
import type { TemplatesSearch } from './templates-search.ts';
import styles from './templates-screen.module.css';
import { mayChangeGlobals } from './who-may.ts';

type Props = { search: TemplatesSearch; onSearch: (search: TemplatesSearch) => void; onOpen: (id: string) => void };

/** Global templates: read, copy, and edit if the user manages the installation. */
export function GlobalsPanel({ search, onSearch, onOpen }: Props) {
  const list = useQuery(query(globalTemplates.list, {}));
  const columns = useGlobalColumns(onOpen);
  const found = list.data?.filter((template) => isFound(template, search));
  return (
    <>
      <div className={styles.bar}>
        <TemplateFilters filter={search} onFilter={onSearch} />
        {mayChangeGlobals() && (
          <div className={styles.atEnd}>
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => onOpen('new')}>
              {t`New global template`}
            </Button>
          </div>
        )}
      </div>
      <DataTable
        label={t`global templates`}
        items={found}
        idOf={({ id }) => id}
        columns={columns}
        details={{ label: 'preview', show: (template) => <TemplatePreview text={template} /> }}
      >
        {list.error && !list.data && (
          <ErrorState failed={t`Failed to load templates`} error={list.error} onRetry={() => void list.refetch()} />
        )}
        {found?.length === 0 && <EmptyState icon={IconTemplate} title={t`No templates found matching your criteria`} />}
      </DataTable>
    </>
  );
}

const useGlobalColumns = (onOpen: (id: string) => void): Column<GlobalTemplate>[] => {
  const { mutate: copy } = useAction(globalTemplates.copy, {
    done: t`Copied into your templates`,
    failed: t`Failed to copy the template`,
  });
  const { mutate: remove } = useAction(globalTemplates.remove, {
    done: t`Global template deleted`,
    failed: t`Failed to delete the template`,
  });
  return useMemo(() => {
    const askToRemove = async ({ id, name }: GlobalTemplate) => {
      const agreed = await confirm({
        question: t`Delete this global template?`,
        consequence: t`"${name}" is no longer offered to any organisation. Copies of it stay.`,
        verb: t`Delete template`,
      });
      if (agreed) remove({ params: { id } });
    };
    return globalColumns({
      onCopy: ({ id }) => copy({ params: { id } }),
      onEdit: ({ id }) => onOpen(id),
      onRemove: (template) => void askToRemove(template),
    });
  }, [copy, remove, onOpen]);
};

type Actions = Record<'onCopy' | 'onEdit' | 'onRemove', (template: GlobalTemplate) => void>;

const globalColumns = (actions: Actions): Column<GlobalTemplate>[] => [
  {
    id: 'name',
    header: 'Name',
    meta: { isRowName: true, takesRest: true },
    cell: ({ row }) => <TemplateName text={row.original} />,
  },
  {
    id: 'modality',
    header: 'Modality',
    meta: { card: { order: 1 } },
    cell: ({ row }) => <ModalityTag modality={row.original.modality} />,
  },
  {
    id: 'bodyPart',
    header: 'Body part',
    meta: { card: { order: 2 } },
    cell: ({ row }) => bodyPartLabel(row.original.bodyPart),
  },
  {
    id: 'by',
    header: 'By',
    meta: { card: { label: t`By`, order: 3 } },
    cell: ({ row: { original } }) => (original.isStarter ? 'Comes with Radwork' : original.updatedBy),
  },
  {
    id: 'actions',
    header: 'Actions',
    meta: { isTitleHidden: true, card: { order: 4 } },
    cell: ({ row }) => <GlobalActions template={row.original} actions={actions} />,
  },
];

function GlobalActions({ template, actions }: { template: GlobalTemplate; actions: Actions }) {
  const { name, isStarter } = template;
  const button = (label: string, act: (template: GlobalTemplate) => void) => (
    <Button size="compact-xs" variant="default" aria-label={`${label} ${name}`} onClick={() => act(template)}>
      {label}
    </Button>
  );
  return (
    <span className={styles.rowActions}>
      {mayChangeGlobals() && !isStarter && button('Edit', actions.onEdit)}
      {mayChangeGlobals() && !isStarter && button('Delete', actions.onRemove)}
      {button('Copy', actions.onCopy)}
    </span>
  );
}

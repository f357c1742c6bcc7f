import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Menu } from '@mantine/core';
import type { Template, TemplateText } from '@radwork/contract/reading/templates';
import { IconDots } from '@tabler/icons-react';
import type { Column } from '#ui/tables/data-table.tsx';
import { formatMoment } from '#ui/formats/formats.ts';
import { ModalityTag } from '#ui/marks/modality-tag.tsx';
import { bodyPartLabel } from '#reading/templates/template-filter.ts';
import styles from './templates-screen.module.css';

export type TemplateActions = {
  onEdit: (template: Template) => void;
  onDuplicate: (template: Template) => void;
  onActivate: (template: Template) => void;
  onRemove: (template: Template) => void;
};

/** Name of a template, with its purpose on the next line. */
export function TemplateName({ text: { name, description, isActive } }: { text: TemplateText }) {
  return (
    <span className={styles.name}>
      <span>
        <strong>{name}</strong>
        {!isActive && <span className={styles.inactive}> {t`· Inactive`}</span>}
      </span>
      {description && (
        <span className={styles.description} title={description}>
          {description}
        </span>
      )}
    </span>
  );
}

const lastUse = ({ lastUsedAt }: Template): string => {
  const moment = formatMoment(lastUsedAt);
  return lastUsedAt ? t`Last used ${moment}` : t`Never used`;
};

const byWhom = ({ updatedBy }: Template): string => t`By ${updatedBy}`;

export const templateColumns = (actions: TemplateActions): Column<Template>[] => [
  {
    id: 'name',
    header: t`Name`,
    meta: { isRowName: true, takesRest: true },
    cell: ({ row }) => <TemplateName text={row.original} />,
  },
  {
    id: 'modality',
    header: t`Modality`,
    meta: { card: { order: 1 } },
    cell: ({ row }) => <ModalityTag modality={row.original.modality} />,
  },
  {
    id: 'bodyPart',
    header: t`Body part`,
    meta: { card: { order: 2 } },
    cell: ({ row }) => bodyPartLabel(row.original.bodyPart),
  },
  {
    id: 'sections',
    header: t`Sections`,
    meta: { card: { label: t`Sections`, order: 3 } },
    cell: ({ row }) => row.original.sections.length,
  },
  {
    id: 'version',
    header: t`Version`,
    meta: { card: { label: t`Version`, order: 4 } },
    cell: ({ row }) => row.original.version,
  },
  {
    id: 'useCount',
    header: t`Used`,
    meta: { card: { label: t`Used`, order: 5 } },
    cell: ({ row: { original } }) => <span title={lastUse(original)}>{original.useCount}</span>,
  },
  {
    id: 'updatedAt',
    header: t`Updated`,
    meta: { card: { label: t`Updated`, order: 6 } },
    cell: ({ row: { original } }) => <span title={byWhom(original)}>{formatMoment(original.updatedAt)}</span>,
  },
  {
    id: 'actions',
    header: t`Actions`,
    meta: { isTitleHidden: true, card: { order: 7 } },
    cell: ({ row }) => <RowMenu template={row.original} actions={actions} />,
  },
];

function RowMenu({ template, actions }: { template: Template; actions: TemplateActions }) {
  const { name, isActive, useCount } = template;
  return (
    <span className={styles.rowActions}>
      <Button size="compact-xs" variant="default" aria-label={t`Edit ${name}`} onClick={() => actions.onEdit(template)}>
        {t`Edit`}
      </Button>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon size={24} aria-label={t`More actions for ${name}`}>
            <IconDots size={16} stroke={1.7} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => actions.onDuplicate(template)}>{t`Duplicate`}</Menu.Item>
          <Menu.Item onClick={() => actions.onActivate(template)}>{isActive ? t`Deactivate` : t`Activate`}</Menu.Item>
          {(useCount === 0 || isActive) && (
            <Menu.Item color="red.4" onClick={() => actions.onRemove(template)}>
              {t`Delete`}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </span>
  );
}

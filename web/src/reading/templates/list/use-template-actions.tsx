import { plural, t } from '@lingui/core/macro';
import { type Template, templates } from '@radwork/contract/reading/templates';
import { useMemo } from 'react';
import { useAction } from '#core/http/api.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import type { TemplateActions } from './template-columns.tsx';

/** Actions on a template of the list, except opening it. */
export const useTemplateActions = (onOpen: (id: string) => void): Omit<TemplateActions, 'onEdit'> => {
  const { mutate: create } = useAction(templates.create, {
    done: t`Template duplicated`,
    failed: t`Failed to duplicate template`,
  });
  const { mutate: update } = useAction(templates.update, { failed: t`Failed to update template` });
  const { mutate: remove } = useAction(templates.remove, { failed: t`Failed to delete template` });
  return useMemo(
    () => ({
      onDuplicate: (template) =>
        create(
          { body: { ...template, modality: template.modality, name: copyName(template.name) } },
          { onSuccess: ({ id }) => onOpen(id) },
        ),
      onActivate: (template) =>
        update({ params: { id: template.id }, body: { ...template, isActive: !template.isActive } }),
      onRemove: (template) => void askToRemove(template, () => remove({ params: { id: template.id } })),
    }),
    [create, update, remove, onOpen],
  );
};

/** Adds a suffix, because names are unique per modality. Shortens the name, because the suffix must fit too. */
const copyName = (name: string): string => {
  const short = name.slice(0, 110);
  return t`${short} (copy)`;
};

const askToRemove = async ({ name, useCount, version }: Template, remove: () => void) => {
  const wasUsed = useCount > 0;
  const reports = t`${plural(useCount, { one: '# report', other: '# reports' })}`;
  const versions = t`${plural(version, { one: '# version', other: '# versions' })}`;
  const agreed = await confirm({
    question: wasUsed ? t`Deactivate template?` : t`Delete template?`,
    consequence: wasUsed
      ? t`“${name}” was used in ${reports}. The template stays, but users can no longer choose it.`
      : t`“${name}” (${versions}) will be deleted. It was never used in a report.`,
    verb: wasUsed ? t`Deactivate template` : t`Delete template`,
  });
  if (agreed) remove();
};

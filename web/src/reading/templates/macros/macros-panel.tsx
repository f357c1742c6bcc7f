import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { type Macro, macros, offeredMacros } from '@radwork/contract/reading/macros';
import { IconPlus, IconSlashes } from '@tabler/icons-react';
import { useState } from 'react';
import { useAction } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { offerUndo } from '#ui/feedback/undo-toast.tsx';
import { MacroForm } from './macro-form.tsx';
import styles from './macros-panel.module.css';
import { useMacroList } from './use-macros.ts';
import { canEditShared, canWriteMacros } from '#reading/templates/template-permissions.ts';

/** Lists private and shared macros; creates, edits and deletes them. */
export function MacrosPanel() {
  const known = useMacroList();
  const [edited, setEdited] = useState<Macro | 'new'>();
  const remove = useRemoval();
  if (edited) {
    return <MacroForm macro={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />;
  }
  const mayAdd = may(macros.create) && (canEditShared() || canWriteMacros());
  return (
    <div className={styles.panel}>
      <div className={styles.head}>
        <p className={styles.hint}>
          <Trans>
            Type an abbreviation followed by a space or Tab, or type <kbd>//</kbd> to choose from a list.
          </Trans>
        </p>
        {mayAdd && (
          <Button data-autofocus leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
            {t`Create macro`}
          </Button>
        )}
      </div>
      {known.isPending && <Skeleton lines={5} label={t`Loading macros`} />}
      {known.error && (
        <ErrorState failed={t`Failed to load macros`} error={known.error} onRetry={() => void known.refetch()} />
      )}
      {known.data?.length === 0 && (
        <EmptyState
          icon={IconSlashes}
          title={t`No macros yet`}
          detail={t`A macro replaces an abbreviation with a prepared text.`}
        />
      )}
      <ul className={styles.list}>
        {known.data?.map((macro) => (
          <MacroRow
            key={macro.id}
            macro={macro}
            isHidden={isHidden(macro, known.data)}
            onEdit={() => setEdited(macro)}
            onRemove={() => remove(macro)}
          />
        ))}
      </ul>
    </div>
  );
}

/** Whether a private macro with the same abbreviation replaces this shared macro. */
const isHidden = (macro: Macro, all: readonly Macro[]): boolean =>
  !offeredMacros(all).some(({ id }) => id === macro.id);

/** Deletes a macro. The user can undo the deletion for ten seconds. */
const useRemoval = () => {
  const remove = useAction(macros.remove, { failed: t`Failed to delete macro` });
  const restore = useAction(macros.create, { done: t`Macro restored`, failed: t`Failed to restore macro` });
  return ({ id, abbreviation, name, text, isShared }: Macro) =>
    remove.mutate(
      { params: { id } },
      {
        onSuccess: () =>
          offerUndo(t`Macro ${abbreviation} deleted`, () =>
            restore.mutate({ body: { abbreviation, name, text, isShared } }),
          ),
      },
    );
};

type RowProps = { macro: Macro; isHidden: boolean; onEdit: () => void; onRemove: () => void };

function MacroRow({ macro: { abbreviation, name, text, isShared }, isHidden: isBehind, onEdit, onRemove }: RowProps) {
  const mayChange = isShared ? canEditShared() : canWriteMacros();
  return (
    <li className={styles.row}>
      <span className={styles.key}>{abbreviation}</span>
      <span className={styles.words}>
        <strong>{name}</strong>
        <span className={styles.text}>{text}</span>
      </span>
      <span className={styles.owner}>
        {isShared ? t`Shared` : t`Yours`}
        {isBehind && <span className={styles.behind}>{t`Overridden by your macro`}</span>}
      </span>
      {mayChange && (
        <span className={styles.actions}>
          <Button size="compact-xs" variant="default" aria-label={t`Edit ${abbreviation}`} onClick={onEdit}>
            {t`Edit`}
          </Button>
          <Button size="compact-xs" variant="default" aria-label={t`Delete ${abbreviation}`} onClick={onRemove}>
            {t`Delete`}
          </Button>
        </span>
      )}
    </li>
  );
}

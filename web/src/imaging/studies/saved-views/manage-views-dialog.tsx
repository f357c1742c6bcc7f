import { t } from '@lingui/core/macro';
import { ActionIcon, TextInput, Tooltip } from '@mantine/core';
import type { SavedView } from '@radwork/contract/imaging/saved-views';
import {
  IconArrowDown,
  IconArrowUp,
  IconBookmark,
  IconHome,
  IconHomeFilled,
  type IconProps,
  IconTrash,
} from '@tabler/icons-react';
import { type ComponentType, type KeyboardEvent, useState } from 'react';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import styles from './manage-views-dialog.module.css';
import { mayChange, useSavedViews, useViewActions } from './use-saved-views.ts';

/** Renames, orders and deletes saved views, and chooses the first view of the list. */
export function ManageViewsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Saved views`} size={560}>
      <Views />
    </Dialog>
  );
}

function Views() {
  const views = useSavedViews();
  if (views.isPending) return <Skeleton lines={4} label={t`Loading saved views`} />;
  if (!views.data) {
    return (
      <ErrorState failed={t`Failed to load saved views`} error={views.error} onRetry={() => void views.refetch()} />
    );
  }
  if (views.data.length === 0) {
    return (
      <EmptyState
        icon={IconBookmark}
        title={t`No saved views`}
        detail={t`Set filters in the study list, then save them as a view.`}
      />
    );
  }
  return (
    <>
      <ViewList title={t`Own views`} views={views.data.filter(({ owner }) => owner === 'USER')} />
      {[...Map.groupBy(views.data, ({ group }) => group?.id)].map(([groupId, ofGroup]) => {
        const name = ofGroup[0]?.group?.name ?? '';
        return groupId && <ViewList key={groupId} title={t`Views of the group ${name}`} views={ofGroup} />;
      })}
      <ViewList
        title={t`Views of the organization`}
        views={views.data.filter(({ owner }) => owner === 'ORGANIZATION')}
      />
    </>
  );
}

function ViewList({ title, views }: { title: string; views: readonly SavedView[] }) {
  const { move, setDefault, removeWithUndo } = useViewActions();
  if (views.length === 0) return null;
  return (
    <section className={styles.section}>
      <h3 className={styles.title}>{title}</h3>
      <ol className={styles.list} aria-label={title}>
        {views.map((view, at) => {
          const { id, name, isDefault, group } = view;
          const to = (place: number) => move.mutate({ params: { id }, body: { at: place } });
          return (
            <li key={id} className={styles.row}>
              <NameField key={`${id} ${name}`} view={view} />
              {group?.isOwn !== false && (
                <Act
                  tip={isDefault ? t`Do not open the list with this view` : t`Open the list with this view`}
                  name={t`Open the list with ${name}`}
                  icon={isDefault ? IconHomeFilled : IconHome}
                  isPressed={isDefault}
                  run={() => setDefault.mutate({ params: { id }, body: { isDefault: !isDefault } })}
                />
              )}
              {mayChange(view) && (
                <>
                  <Act
                    tip={t`Move up`}
                    name={t`Move up ${name}`}
                    icon={IconArrowUp}
                    isOff={at === 0}
                    run={() => to(at - 1)}
                  />
                  <Act
                    tip={t`Move down`}
                    name={t`Move down ${name}`}
                    icon={IconArrowDown}
                    isOff={at === views.length - 1}
                    run={() => to(at + 1)}
                  />
                  <Act tip={t`Delete`} name={t`Delete ${name}`} icon={IconTrash} run={() => removeWithUndo(view, at)} />
                </>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** Name of a view, which is saved when the field is left or Enter is pressed. */
function NameField({ view }: { view: SavedView }) {
  const { id, name, search, revision } = view;
  const { update } = useViewActions();
  const [text, setText] = useState(name);
  if (!mayChange(view)) return <span className={styles.name}>{name}</span>;
  const save = () => {
    const next = text.trim();
    if (next === '' || next === name) return setText(name);
    update.mutate({ params: { id }, body: { name: next, search, revision } }, { onError: () => setText(name) });
  };
  return (
    <TextInput
      className={styles.name}
      aria-label={t`Name of ${name}`}
      maxLength={60}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={save}
      onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
        if (event.key === 'Enter') event.currentTarget.blur();
      }}
    />
  );
}

type ActProps = {
  tip: string;
  name: string;
  icon: ComponentType<IconProps>;
  isOff?: boolean;
  isPressed?: boolean;
  run: () => void;
};

function Act({ tip, name, icon: Icon, isOff = false, isPressed, run }: ActProps) {
  return (
    <Tooltip label={tip}>
      <ActionIcon
        aria-label={name}
        aria-disabled={isOff}
        {...(isPressed !== undefined && { 'aria-pressed': isPressed })}
        {...(isOff && { 'data-disabled': true })}
        onClick={() => !isOff && run()}
      >
        <Icon size={16} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

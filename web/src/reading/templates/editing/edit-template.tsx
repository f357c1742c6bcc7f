import { t } from '@lingui/core/macro';
import { globalTemplates, templates } from '@radwork/contract/reading/templates';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query } from '#core/http/api.ts';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { emptyTemplate } from './template-draft.ts';
import { TemplateEditor } from './template-editor.tsx';

type Props = { id: string; onOpen: (id: string | undefined) => void; onCreated: (id: string) => void };

/** Edits one of the organization's templates, or a new one. */
export function EditTemplate({ id, onOpen, onCreated }: Props) {
  const isNew = id === 'new';
  const stored = useQuery({ ...query(templates.get, { params: { id } }), enabled: !isNew });
  const close = () => onOpen(undefined);
  if (!isNew && stored.error && !stored.data) {
    return (
      <ErrorState failed={t`Failed to fetch template`} error={stored.error} onRetry={() => void stored.refetch()} />
    );
  }
  if (!isNew && !stored.data) return <Skeleton lines={10} label={t`Loading template`} />;
  return (
    <TemplateEditor
      kind="own"
      start={stored.data ?? emptyTemplate}
      stored={stored.data}
      onClose={close}
      onCreated={onCreated}
    />
  );
}

/** Edits a global template, or a new one. */
export function EditGlobalTemplate({ id, onOpen, onCreated }: Props) {
  const isNew = id === 'new';
  const list = useQuery(query(globalTemplates.list, {}));
  const listed = list.data?.find((template) => template.id === id);
  // Keeps the text if another user deletes the template. Saving then shows the error.
  const [stored, setStored] = useState(listed);
  if (listed && listed !== stored) setStored(listed);
  if (list.error && !list.data) {
    return <ErrorState failed={t`Failed to fetch template`} error={list.error} onRetry={() => void list.refetch()} />;
  }
  if (!list.data) return <Skeleton lines={10} label={t`Loading template`} />;
  if (!isNew && (!stored || stored.isStarter)) {
    return <EmptyState title={t`Template not found`} isPage />;
  }
  return (
    <TemplateEditor
      kind="global"
      start={stored ?? emptyTemplate}
      stored={stored}
      onClose={() => onOpen(undefined)}
      onCreated={onCreated}
    />
  );
}

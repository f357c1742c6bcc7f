import { t } from '@lingui/core/macro';
import {
  globalTemplates,
  type GlobalTemplate,
  type Template,
  templates,
  type TemplateText,
} from '@radwork/contract/reading/templates';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, query, useAction } from '#core/http/api.ts';
import { fieldErrorsOf } from '#ui/forms/field-errors.ts';
import { draftOf, textOf, type TemplateWriting } from './template-draft.ts';

type Stored = Template | GlobalTemplate;

type Props = {
  kind: 'own' | 'global';
  stored: Stored | undefined;
  writing: TemplateWriting;
  /** Version on which the unsaved text is based, if not on the stored version. */
  begunOn: number | undefined;
  onCreated: (id: string) => void;
};

const says = { done: t`Template saved`, failed: t`Failed to save template` };

const endpointsOf = { own: templates, global: globalTemplates };

/**
 * Saves a template together with the version that the writer saw. On a conflict, returns the other user's text and
 * keeps both texts.
 */
export const useTemplateSaving = ({ kind, stored, writing, begunOn, onCreated }: Props) => {
  const client = useQueryClient();
  const create = useAction(endpointsOf[kind].create, says);
  const update = useAction(endpointsOf[kind].update, says);
  const [seen, setSeen] = useState(begunOn ?? stored?.version ?? 0);
  const [changedMeanwhile, setChangedMeanwhile] = useState<Stored>();
  /** Increases when the whole text is replaced, which remounts the editors. */
  const [generation, setGeneration] = useState(0);

  const readTheirs = async (id: string): Promise<Stored | undefined> => {
    if (kind === 'own') return client.fetchQuery({ ...query(templates.get, { params: { id } }), staleTime: 0 });
    const all = await client.fetchQuery({ ...query(globalTemplates.list, {}), staleTime: 0 });
    return all.find((one) => one.id === id);
  };
  const onError = async (error: Error) => {
    const isChanged = error instanceof ApiError && error.error === 'template.changed';
    if (isChanged && stored) setChangedMeanwhile(await readTheirs(stored.id));
  };
  const save = () => {
    const sent = writing.latest();
    const body = textOf(sent);
    if (!stored) {
      create.mutate({ body }, { onSuccess: ({ id }) => onCreated(id) });
      return;
    }
    update.mutate(
      { params: { id: stored.id }, body: { ...body, revision: seen } },
      {
        onSuccess: ({ version }) => {
          setSeen(version);
          setChangedMeanwhile(undefined);
          writing.noteSaved(sent);
        },
        onError: (error) => void onError(error),
      },
    );
  };
  const error = create.error ?? update.error;
  return {
    save,
    seen,
    isPending: create.isPending || update.isPending,
    error,
    faults: fieldErrorsOf(error),
    generation,
    changedMeanwhile,
    /** Continues with the text on the screen, now based on the other user's version. */
    keepMine: () => {
      if (!changedMeanwhile) return;
      setSeen(changedMeanwhile.version);
      setChangedMeanwhile(undefined);
      update.reset();
    },
    takeTheirs: () => {
      if (!changedMeanwhile) return;
      writing.begin(changedMeanwhile);
      setSeen(changedMeanwhile.version);
      setChangedMeanwhile(undefined);
      setGeneration(generation + 1);
      update.reset();
    },
    /** Replaces the text by that of an earlier version. Saving then creates a new version. */
    restore: (text: TemplateText) => {
      writing.change(() => draftOf(text));
      setGeneration(generation + 1);
    },
  };
};

import { t } from '@lingui/core/macro';
import { lesions } from '@radwork/contract/reading/lesions';
import { IconTarget } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { Editor } from '@tiptap/react';
import { useState } from 'react';
import { errorMessageOf, query } from '#core/http/api.ts';
import { toast } from '#core/browser/toasts.ts';
import { may } from '#core/state/session.ts';
import { insertHtml } from '#reading/editor/extensions/insert.ts';
import { Tool } from '#reading/editor/toolbar/tool-row.tsx';
import { recistHtml } from './recist-table.ts';

/** Inserts the RECIST table of the patient into the report. */
export function RecistTool({ editor, studyId }: { editor: Editor; studyId: string }) {
  const client = useQueryClient();
  const [isInserting, setInserting] = useState(false);
  if (!may(lesions.ofStudy)) return null;
  const insert = async () => {
    setInserting(true);
    try {
      const found = await client.fetchQuery({
        ...query(lesions.ofStudy, { params: { id: studyId } }),
        staleTime: 0,
      });
      if (found.lesions.every(({ kind }) => kind === 'FOLLOWED')) toast.info(t`No target or non-target lesions`);
      else if (insertHtml(editor, recistHtml(found))) editor.commands.focus();
    } catch (error) {
      toast.failure(errorMessageOf(error, t`Could not load lesions`));
    } finally {
      setInserting(false);
    }
  };
  return (
    <Tool label={t`Insert RECIST table`} icon={IconTarget} isDisabled={isInserting} onClick={() => void insert()} />
  );
}

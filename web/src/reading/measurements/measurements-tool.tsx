import { t } from '@lingui/core/macro';
import { lesions } from '@radwork/contract/reading/lesions';
import { measurements } from '@radwork/contract/reading/measurements';
import { IconRuler2 } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { Editor } from '@tiptap/react';
import { useState } from 'react';
import { query, errorMessageOf } from '#core/http/api.ts';
import { toast } from '#core/browser/toasts.ts';
import { may } from '#core/state/session.ts';
import { insertHtml } from '#reading/editor/extensions/insert.ts';
import { Tool } from '#reading/editor/toolbar/tool-row.tsx';
import { changesIn, measurementsTable } from './measurements-table.ts';

/** Inserts the current measurements of the study into its report. */
export function MeasurementsTool({ editor, studyId }: { editor: Editor; studyId: string }) {
  const client = useQueryClient();
  const [isInserting, setInserting] = useState(false);
  /** Changes since earlier studies. Without them, the measurements are inserted all the same. */
  const changes = async () => {
    if (!may(lesions.ofStudy)) return undefined;
    const input = { params: { id: studyId } };
    const found = await client.fetchQuery({ ...query(lesions.ofStudy, input), staleTime: 0 }).catch(() => undefined);
    return found && changesIn(found, studyId);
  };
  const insert = async () => {
    setInserting(true);
    try {
      const measured = await client.fetchQuery({
        ...query(measurements.ofStudy, { params: { id: studyId } }),
        staleTime: 0,
      });
      const worded = measured.filter(({ values, label }) => values.length > 0 || label !== '');
      if (worded.length === 0) toast.info(t`This study has no measurements`);
      else if (insertHtml(editor, measurementsTable(worded, await changes()))) editor.commands.focus();
    } catch (error) {
      toast.failure(errorMessageOf(error, t`Could not load measurements`));
    } finally {
      setInserting(false);
    }
  };
  return (
    <Tool label={t`Insert measurements`} icon={IconRuler2} isDisabled={isInserting} onClick={() => void insert()} />
  );
}

import { t } from '@lingui/core/macro';
import { fillText, type MergeValues } from '@radwork/contract/reading/merge-fields';
import { type Macro, macros, offeredMacros, type OfferedMacro } from '@radwork/contract/reading/macros';
import { useQuery } from '@tanstack/react-query';
import type { Editor } from '@tiptap/react';
import { useEffect } from 'react';
import { query } from '#core/http/api.ts';
import { offerMacros } from '#reading/editor/extensions/macros.ts';
import { useStudyFacts } from '#reading/templates/use-templates.ts';

export const useMacroList = () => useQuery({ ...query(macros.list, {}), staleTime: 60_000 });

const noMacros: readonly Macro[] = [];

const noteOf = ({ isShared, hides }: OfferedMacro): string => {
  if (isShared) return t`Shared`;
  return hides ? t`Yours, overrides the shared macro` : t`Yours`;
};

/** Gives the writer's macros to the editor. Their merge fields are filled with data of the study. */
export const useMacrosIn = (editor: Editor, studyId: string): void => {
  const { data: known = noMacros } = useMacroList();
  const { data: facts } = useStudyFacts(studyId);
  useEffect(() => {
    const values: MergeValues = facts?.values ?? {};
    const offered = offeredMacros(known).map((macro) => ({
      abbreviation: macro.abbreviation,
      name: macro.name,
      text: fillText(macro.text, values),
      note: noteOf(macro),
    }));
    offerMacros(editor, offered);
  }, [editor, known, facts]);
};

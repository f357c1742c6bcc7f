import type { Editor } from '@tiptap/react';
import { DictationTool } from '#reading/dictation/dictation-tool.tsx';
import { DraftingTool } from '#reading/drafting/drafting-tool.tsx';
import { EnhanceTool } from '#reading/drafting/enhance-tool.tsx';
import { FilledPartsTool } from '#reading/editor/filled/filled-parts-tool.tsx';
import { SectionsTool } from '#reading/editor/toolbar/sections-tool.tsx';
import { KeyImagesTool } from '#reading/key-images/key-images-tool.tsx';
import { MeasurementsTool } from '#reading/measurements/measurements-tool.tsx';
import { RecistTool } from '#reading/measurements/recist-tool.tsx';
import { ChecksTool } from '#reading/report-checks/checks-tool.tsx';
import { TemplatesTool } from '#reading/templates/picker/templates-tool.tsx';

/** Tools next to the formatting buttons. They need the editor code, so they load only for writing. */
export function WritingTools({ editor, studyId }: { editor: Editor; studyId: string }) {
  return (
    <>
      <SectionsTool editor={editor} />
      <DictationTool editor={editor} studyId={studyId} />
      <TemplatesTool editor={editor} studyId={studyId} />
      <MeasurementsTool editor={editor} studyId={studyId} />
      <FilledPartsTool editor={editor} studyId={studyId} />
      <RecistTool editor={editor} studyId={studyId} />
      <KeyImagesTool editor={editor} studyId={studyId} />
      <DraftingTool editor={editor} studyId={studyId} />
      <ChecksTool editor={editor} studyId={studyId} />
    </>
  );
}

/** Tools of an addendum. Checks and drafting concern the report only. */
export function AddendumTools({ editor, studyId }: { editor: Editor; studyId: string }) {
  return (
    <>
      <DictationTool editor={editor} studyId={studyId} />
      <TemplatesTool editor={editor} studyId={studyId} />
      <MeasurementsTool editor={editor} studyId={studyId} />
      <FilledPartsTool editor={editor} studyId={studyId} />
      <KeyImagesTool editor={editor} studyId={studyId} />
    </>
  );
}

/** Tools next to selected text. */
export function SelectionTools({ editor }: { editor: Editor }) {
  return <EnhanceTool editor={editor} />;
}

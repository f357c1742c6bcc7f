import type { Editor } from '@tiptap/react';
import { DictationTool } from '#features/dictation/dictation-tool.tsx';
import { DraftingTool } from '#features/drafting/drafting-tool.tsx';
import { EnhanceTool } from '#features/drafting/enhance-tool.tsx';
import { KeyImagesTool } from '#features/key-images/key-images-tool.tsx';
import { MeasurementsTool } from '#features/measurements/measurements-tool.tsx';
import { ChecksTool } from '#features/report-checks/checks-tool.tsx';
import { TemplatesTool } from '#features/templates/templates-tool.tsx';

/** What stands beside the formatting buttons. It needs the editing engine, which who only reads does not wait for. */
export function WritingTools({ editor, studyId }: { editor: Editor; studyId: string }) {
  return (
    <>
      <TemplatesTool editor={editor} studyId={studyId} />
      <MeasurementsTool editor={editor} studyId={studyId} />
      <KeyImagesTool editor={editor} studyId={studyId} />
      <DictationTool editor={editor} studyId={studyId} />
      <DraftingTool editor={editor} studyId={studyId} />
      <ChecksTool editor={editor} studyId={studyId} />
    </>
  );
}

/** What stands beside selected words. */
export function SelectionTools({ editor }: { editor: Editor }) {
  return <EnhanceTool editor={editor} />;
}

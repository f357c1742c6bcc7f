import { t } from '@lingui/core/macro';
import { reportingSettings } from '@radwork/contract/reading/reporting-settings';
import { RichTextEditor } from '@mantine/tiptap';
import { IconSparkles } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Editor } from '@tiptap/react';
import { query } from '#core/http/api.ts';
import { Tool } from '#reading/editor/toolbar/tool-row.tsx';
import { requestEnhancement } from './enhance-requests.ts';

/**
 * Button next to the selection that requests an enhancement. The button is hidden if the organization has no AI
 * provider.
 */
export function EnhanceTool({ editor }: { editor: Editor }) {
  const { data } = useQuery(query(reportingSettings.forWriting, {}));
  if (!data?.drafting.isOn) return null;
  return (
    <RichTextEditor.ControlsGroup>
      <Tool label={t`Enhance wording`} icon={IconSparkles} onClick={() => requestEnhancement(editor)} />
    </RichTextEditor.ControlsGroup>
  );
}

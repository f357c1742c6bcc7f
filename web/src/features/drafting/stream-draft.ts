import { type DraftingEvent, draftingEvent, type PassageKind } from '@radwork/contract/drafting';
import { callStream } from '#core/api.ts';

/** What is asked for. A report is drafted from findings alone, everything else from the text that there is. */
export type DraftAsked =
  | { kind: Exclude<PassageKind, 'REPORT'>; prompt: string }
  | { kind: 'REPORT'; studyDescription: string; findings: string };

/** Somewhat longer than the server itself waits for the last piece of an answer, in milliseconds. */
const patience = 130_000;

const pathOf = ({ kind }: DraftAsked): string => (kind === 'REPORT' ? '/gemini/medical-report' : '/gemini/generate');

/** What the server tells of a draft while it is made. Throws an ApiError when it does not begin or breaks off. */
export async function* streamDraft(
  asked: DraftAsked,
  studyId: string,
  signal: AbortSignal,
): AsyncGenerator<DraftingEvent> {
  const { body } = await callStream(
    '/api',
    { method: 'POST', path: `${pathOf(asked)}?stream=1`, can: 'report.edit' },
    { body: JSON.stringify({ ...asked, studyId }), signal, timeout: patience },
  );
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const whole = (text + piece.value).split('\n\n');
    text = whole.pop() ?? '';
    for (const event of whole) yield draftingEvent.parse(JSON.parse(event.replace(/^data: /, '')));
  }
}

import { type DraftingEvent, draftingEvent, type PassageKind } from '@radwork/contract/reading/drafting';
import { callStream } from '#core/http/api.ts';

/** A draft request. A report is drafted from findings, other passages from the existing text. */
export type DraftRequest =
  | { kind: Exclude<PassageKind, 'REPORT'>; prompt: string }
  | { kind: 'REPORT'; studyDescription: string; findings: string };

/** Time-out in milliseconds. It is longer than the server's time-out for the last piece. */
const patience = 130_000;

const pathOf = ({ kind }: DraftRequest): string => (kind === 'REPORT' ? '/gemini/medical-report' : '/gemini/generate');

/** Streams the events of a draft from the server. Throws ApiError when the stream does not start or breaks off. */
export async function* streamDraft(
  request: DraftRequest,
  studyId: string,
  signal: AbortSignal,
): AsyncGenerator<DraftingEvent> {
  const { body } = await callStream(
    '/api',
    { method: 'POST', path: `${pathOf(request)}?stream=1`, can: 'report.edit' },
    { body: JSON.stringify({ ...request, studyId }), signal, timeout: patience },
  );
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    const blocks = (text + chunk.value).split('\n\n');
    text = blocks.pop() ?? '';
    for (const event of blocks) yield draftingEvent.parse(JSON.parse(event.replace(/^data: /, '')));
  }
}

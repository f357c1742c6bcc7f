import { t } from '@lingui/core/macro';
import { audit, type AuditVerdict, verifyEvent, type VerifyProgress } from '@radwork/contract/identity/audit';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callStream } from '#core/http/api.ts';

/** Time-out in milliseconds. Verifying ten million entries takes minutes. */
const patience = 30 * 60_000;

/** Verifies the whole audit chain on the server and reports progress. */
export const useVerification = () => {
  const client = useQueryClient();
  const [progress, setProgress] = useState<VerifyProgress>();
  const verification = useMutation({
    mutationFn: async (): Promise<AuditVerdict> => {
      setProgress(undefined);
      const { method, path, can } = audit.verify;
      const { body } = await callStream(
        '/api',
        { method: method as 'POST', path: `${path}?stream=1`, can },
        { timeout: patience },
      );
      for await (const event of eventsIn(body)) {
        if (event.kind === 'progress') setProgress(event);
        if (event.kind === 'failed') throw new Error(event.message);
        if (event.kind === 'done') return event.verdict;
      }
      throw new Error(t`The verification stopped before it finished. Try again.`);
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['audit'] }),
  });
  return { ...verification, progress };
};

async function* eventsIn(body: ReadableStream<Uint8Array> | null) {
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let text = '';
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    const blocks = (text + chunk.value).split('\n\n');
    text = blocks.pop() ?? '';
    for (const event of blocks) yield verifyEvent.parse(JSON.parse(event.replace(/^data: /, '')));
  }
}

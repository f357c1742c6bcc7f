import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError, errorMessageOf } from '#core/http/api.ts';
import { toast } from '#core/browser/toasts.ts';
import type { Fields, LibraryKind, Text } from './library-kinds.ts';

type SentText = {
  known?: Pick<Text, 'id' | 'revision'> | undefined;
  fields?: Fields | undefined;
  files: readonly File[];
};

/** Sends a text with files, one request at a time. Reports progress and errors. The user can cancel. */
export const useTextUpload = (kind: LibraryKind, says: { done: string; failed: string }, onDone: () => void) => {
  const client = useQueryClient();
  const [share, setShare] = useState<number>();
  const [error, setError] = useState<Error>();
  const [sentFiles, setSentFiles] = useState<readonly File[]>([]);
  const stop = useRef<AbortController>(null);
  const send = async ({ known, fields, files }: SentText) => {
    if (stop.current) return;
    const controller = new AbortController();
    stop.current = controller;
    setShare(0);
    setError(undefined);
    setSentFiles(files);
    try {
      await kind.save(known, fields, { files, onShare: setShare, signal: controller.signal });
      toast.success(says.done);
      await Promise.all([kind.noun, 'knowledge'].map((noun) => client.invalidateQueries({ queryKey: [noun] })));
      onDone();
    } catch (failure) {
      if (controller.signal.aborted) return;
      const fault = failure instanceof Error ? failure : new Error(says.failed);
      setError(fault);
      toast.failure(errorMessageOf(fault, says.failed));
    } finally {
      stop.current = null;
      setShare(undefined);
    }
  };
  const faults = error instanceof ApiError ? error.fields : {};
  return {
    send,
    share,
    isPending: share !== undefined,
    error,
    faults,
    /** Returns the server's error for a file. Works even if the position of the file in the list has changed. */
    faultOf: (file: File) => faults[`files.${sentFiles.indexOf(file)}`],
    cancel: () => stop.current?.abort(),
  };
};

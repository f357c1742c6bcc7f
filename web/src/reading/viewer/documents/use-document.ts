import { t } from '@lingui/core/macro';
import { studies } from '@radwork/contract/imaging/studies';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, callStream, query, errorMessageOf } from '#core/http/api.ts';
import { saveFile } from '#core/browser/save-file.ts';
import { toast } from '#core/browser/toasts.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import type { DocumentKind } from './document-kinds.ts';

const nameIn = (headers: Headers): string | undefined =>
  /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1];

/** Downloads a document about a study as a file. */
export const useDocumentDownload = ({ exported, fileName, notExported }: DocumentKind, studyId: string) =>
  useMutation({
    mutationFn: async () => {
      const answer = await callStream('', exported, { params: { id: studyId }, accept: 'application/dicom' });
      return { name: nameIn(answer.headers) ?? fileName, content: await answer.blob() };
    },
    onSuccess: ({ name, content }) => saveFile(name, content),
    onError: (error) => toast.failure(errorMessageOf(error, notExported)),
  });

/** Stores a document about a study as a new series of the study, after confirmation. */
export const useDocumentStore = (kind: DocumentKind, studyId: string) => {
  const client = useQueryClient();
  const { question, consequence } = kind;
  return useMutation({
    mutationFn: async () => {
      if (!(await confirm({ question, consequence, verb: t`Store in the study`, tone: 'primary' }))) return undefined;
      return call(kind.store, { params: { id: studyId } });
    },
    onSuccess: (stored) => {
      if (!stored) return;
      toast.success(stored.isNew ? kind.stored : kind.isThere);
      void client.invalidateQueries({ queryKey: query(studies.get, { params: { id: studyId } }).queryKey });
    },
    onError: (error) => toast.failure(errorMessageOf(error, kind.notStored)),
  });
};

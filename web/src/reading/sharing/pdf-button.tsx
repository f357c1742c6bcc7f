import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { portal } from '@radwork/contract/reading/portal';
import { IconFileTypePdf } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { ApiError, call, errorMessageOf } from '#core/http/api.ts';
import { callWithRetries } from '#core/http/retry.ts';
import { saveFile } from '#core/browser/save-file.ts';
import { toast } from '#core/browser/toasts.ts';

type Props = { hash: string; code: string | undefined };

/** Downloads the shared report as PDF. The server checks the link again and counts another opening. */
export function PdfButton({ hash, code }: Props) {
  const download = useMutation({
    mutationFn: () =>
      callWithRetries(() =>
        call(portal.pdf, { params: { hash }, body: code === undefined ? {} : { code } }, { isAnonymous: true }),
      ),
    onSuccess: ({ fileName, pdf }) => {
      const bytes = Uint8Array.from(atob(pdf), (character) => character.charCodeAt(0));
      saveFile(fileName, new Blob([bytes], { type: 'application/pdf' }));
    },
    onError: (error) => toast.failure(wordsOf(error)),
  });
  return (
    <Button
      variant="default"
      leftSection={<IconFileTypePdf size={15} aria-hidden />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      {t`PDF`}
    </Button>
  );
}

/** Message of an error. The server does not say why a link no longer opens. */
const wordsOf = (error: Error): string =>
  error instanceof ApiError && error.status === 404
    ? t`This link is no longer valid`
    : errorMessageOf(error, t`Failed to create the PDF`);

import { t } from '@lingui/core/macro';
import { studies } from '@radwork/contract/imaging/studies';
import { useAction } from '#core/http/api.ts';

/** Restores a study from the recycle bin. */
export const useStudyRestore = () =>
  useAction(studies.restore, {
    done: t`Study restored successfully`,
    failed: ({ params: { id } }) => t`Error restoring study ${id}`,
  });

import { studies } from '@radwork/contract/studies';
import { useAction } from '#core/api.ts';

/** Restores a study from the recycle bin. */
export const useRestoring = () =>
  useAction(studies.restore, {
    done: 'Study restored successfully',
    failed: ({ params }) => `Error restoring study ${params.id}`,
  });

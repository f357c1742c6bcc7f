import { t } from '@lingui/core/macro';
import { rejections } from '@radwork/contract/imaging/rejections';
import { useAction } from '#core/http/api.ts';

/** Nouns that show images or count these. */
export const changedNouns = ['studies', 'key-images', 'measurements', 'patients'];

/** Restores the images of a rejection. */
export const useRestoreImages = () =>
  useAction(rejections.restore, {
    done: t`Images restored`,
    failed: t`Could not restore the images`,
    refreshes: changedNouns,
  });

import { t } from '@lingui/core/macro';
import { type KeyImage, keyImages } from '@radwork/contract/reading/key-images';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { call, query, errorMessageOf } from '#core/http/api.ts';
import { newId } from '#core/browser/new-id.ts';
import { may } from '#core/state/session.ts';
import { toast } from '#core/browser/toasts.ts';
import { offerUndo } from '#ui/feedback/undo-toast.tsx';

/**
 * Ignores a second press within this time, in milliseconds. A double click or a held key must not undo the first press.
 */
const atOnce = 600;

/** Image to mark, and how it is displayed. */
export type ImageToMark = Pick<KeyImage, 'seriesInstanceUID' | 'sopInstanceUID' | 'frame' | 'look'>;

export const isOf =
  ({ sopInstanceUID, frame }: Pick<ImageToMark, 'sopInstanceUID' | 'frame'>) =>
  (one: KeyImage): boolean =>
    one.sopInstanceUID === sopInstanceUID && one.frame === frame;

const formOf = ({ seriesInstanceUID, sopInstanceUID, frame, look, note, revision }: KeyImage) => ({
  seriesInstanceUID,
  sopInstanceUID,
  frame,
  look,
  note,
  revision,
});

/** Returns the key images of a study, and the actions that the user may take. */
export const useKeyImages = (study: StudyDetails) => {
  const client = useQueryClient();
  const keyImagesQuery = query(keyImages.ofStudy, { params: { id: study.id } });
  const list = useQuery({ ...keyImagesQuery, enabled: may(keyImages.ofStudy) });
  /** Images and key images with a running call. Prevents a second call for the same image. */
  const busy = useRef(new Set<string>());
  const toggled = useRef({ image: '', at: 0 });

  const hold = (change: (before: readonly KeyImage[]) => KeyImage[]) => {
    void client.cancelQueries({ queryKey: keyImagesQuery.queryKey });
    client.setQueryData<KeyImage[]>(keyImagesQuery.queryKey, (before = []) => change(before));
  };
  const keep = (saved: KeyImage) =>
    hold((before) =>
      before.some(({ id }) => id === saved.id)
        ? before.map((one) => (one.id === saved.id ? saved : one))
        : [...before, saved].toSorted((one, other) => one.createdDate.localeCompare(other.createdDate)),
    );

  const doing = async (what: string, failed: string, act: () => Promise<void>) => {
    if (busy.current.has(what)) return;
    busy.current.add(what);
    try {
      await act();
    } catch (error) {
      toast.failure(errorMessageOf(error, failed));
      // Reloads the list, because the call may have succeeded on the server.
      void client.invalidateQueries({ queryKey: keyImagesQuery.queryKey });
    } finally {
      busy.current.delete(what);
    }
  };

  const save = async ({ id, ...body }: ReturnType<typeof formOf> & { id: string }) =>
    keep(await call(keyImages.save, { params: { id: study.id, keyImageId: id }, body }));

  const bringBack = (one: KeyImage, revision: number) =>
    doing(one.id, t`The key image could not be restored`, () => save({ id: one.id, ...formOf({ ...one, revision }) }));

  const remove = (one: KeyImage) =>
    doing(one.id, t`The key image could not be removed`, async () => {
      const params = { id: study.id, keyImageId: one.id };
      const { revision } = await call(keyImages.remove, { params, query: { revision: one.revision } });
      hold((before) => before.filter(({ id }) => id !== one.id));
      offerUndo(t`Key image removed`, () => void bringBack(one, revision));
    });

  return {
    list,
    canMark: may(keyImages.save),
    /**
     * Marks the image, or removes the user's own mark. `whyNot` is the reason why the image cannot be marked. A mark
     * that already exists can still be removed.
     */
    toggle: (target: ImageToMark, whyNot?: string) => {
      const image = `${target.sopInstanceUID} ${target.frame}`;
      // `whyNot` is part of the key, so the user can mark again as soon as the reason is gone.
      const pressed = `${image} ${whyNot ?? ''}`;
      const isAgain = toggled.current.image === pressed && Date.now() - toggled.current.at < atOnce;
      toggled.current = { image: pressed, at: Date.now() };
      if (isAgain) return;
      // The cache may be newer than the list on the screen.
      const known = client.getQueryData<KeyImage[]>(keyImagesQuery.queryKey);
      if (!known) {
        toast.failure(t`Key images are still loading. Try again in a moment.`);
        return;
      }
      const mine = known.find((one) => one.isMine && isOf(target)(one));
      if (mine) void remove(mine);
      else if (whyNot) toast.info(whyNot);
      else {
        void doing(image, t`The key image could not be saved`, () =>
          save({ id: newId(), ...target, note: '', revision: 0 }),
        );
      }
    },
    annotate: (one: KeyImage, note: string) =>
      void doing(one.id, t`The note could not be saved`, () => save({ id: one.id, ...formOf({ ...one, note }) })),
    remove: (one: KeyImage) => void remove(one),
  };
};

export type KeyImages = ReturnType<typeof useKeyImages>;

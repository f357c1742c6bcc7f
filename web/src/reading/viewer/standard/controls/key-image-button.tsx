import { t } from '@lingui/core/macro';
import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { useShownPart, type View } from '#reading/viewer/engine/stack/shown-image.ts';
import { placeOf } from '#reading/viewer/key-images/image-to-mark.ts';
import { isOf } from '#reading/viewer/key-images/use-key-images.ts';
import { ToolbarButton } from '#reading/viewer/shell/toolbar-button.tsx';
import { paneKeys } from './pane-keys.ts';
import type { KeyImageMarking } from './use-key-image-marking.ts';

/** Marks the image in the current pane as key image. Give each viewport its own React key. */
export function KeyImageButton({ view, marking }: { view: View | undefined; marking: KeyImageMarking }) {
  const isMine = useShownPart(view, ({ image }) => {
    const isOfShown = isOf(placeOf(image));
    return marking.ofCurrent.some((one) => one.isMine && isOfShown(one));
  });
  return (
    <ToolbarButton
      label={t`Key image`}
      keys={paneKeys.keyImage}
      icon={isMine ? IconStarFilled : IconStar}
      isPressed={isMine === true}
      isDisabled={isMine === undefined || !marking.canMark}
      onClick={marking.markShown}
    />
  );
}

import { t } from '@lingui/core/macro';
import type { KeyImage, KeyImagePicture } from '@radwork/contract/reading/key-images';
import { escapeHtml } from '@radwork/contract/reading/merge-fields';
import { keyImageAddress } from '@radwork/contract/reading/report-link-address';

/** A key image and its rendered file. */
export type DrawnKeyImage = { keyImage: Pick<KeyImage, 'id' | 'note' | 'look'>; picture: KeyImagePicture };

/**
 * Longest side of an image in a text, in CSS pixels. It is smaller than the rendered image, so that prints are sharp.
 */
const shownSide = 400;

const shownSize = ({ width, height }: Pick<KeyImagePicture, 'width' | 'height'>) => {
  const scale = shownSide / Math.max(width, height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
};

/**
 * Describes mirroring and rotation. Without side letters, the reader cannot tell from the image whether it is mirrored
 * or rotated.
 */
const handlingOf = ({ rotation, isMirroredAcross, isMirroredDown }: KeyImage['look']): string =>
  [
    ...(isMirroredAcross === isMirroredDown ? [] : [t`mirrored`]),
    // A vertical flip equals a horizontal flip and half a turn.
    ...((rotation + (isMirroredDown ? 180 : 0)) % 360 === 0 ? [] : [t`rotated`]),
  ].join(', ');

/** Returns the caption: the note or "Key image", the place in the study, and how the image is turned. */
export const captionOf = (
  { note, look }: Pick<KeyImage, 'note' | 'look'>,
  { place }: Pick<KeyImagePicture, 'place'>,
): string => {
  const remarks = [place, handlingOf(look)].filter(Boolean).join(', ');
  return `${note || t`Key image`}${remarks && ` (${remarks})`}`;
};

/** Returns report HTML for key images. Each image has a caption that links to the viewer. */
export const keyImagesHtml = (studyId: string, keyImages: readonly DrawnKeyImage[]): string =>
  keyImages
    .map(({ keyImage, picture }) => {
      const caption = escapeHtml(captionOf(keyImage, picture));
      const { width, height } = shownSize(picture);
      const imageHtml = `<img src="${picture.src}" alt="${caption}" width="${width}" height="${height}">`;
      return `${imageHtml}<p><a href="${keyImageAddress(studyId, keyImage.id)}">${caption}</a></p>`;
    })
    .join('');

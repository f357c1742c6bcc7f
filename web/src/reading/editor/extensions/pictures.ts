import { t } from '@lingui/core/macro';
import { maxImageBytes, pictureFit, imageTypeOf, stripImageMetadata } from '@radwork/contract/image-files';
import type { Editor } from '@tiptap/core';
import { NodeSelection } from '@tiptap/pm/state';
import { toast } from '#core/browser/toasts.ts';
import { reportBytesLimit } from './report-size-limit.ts';

/** Picture for the text. The size is unknown if this browser cannot draw the file. */
export type Picture = { src: string; alt?: string; width?: number; height?: number };

/** Reason why a file could not become a picture. The message is shown to the user. */
export class PictureError extends Error {
  override readonly name = 'PictureError';
}

/**
 * Converts a file to a picture for a report: at most 400 by 400 pixels, JPEG quality 0.5 on white, without metadata. If
 * this browser cannot draw the file, only the metadata is removed. The content decides the file type, not the name.
 * Throws PictureError.
 */
export const pictureFrom = async (file: Blob): Promise<Picture> => {
  if (file.size > maxImageBytes) throw new PictureError(t`The image is larger than 10 MB`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const type = imageTypeOf(bytes);
  if (!type) throw new PictureError(t`Only PNG, JPEG, GIF and WebP images can be inserted`);
  const mediaType = `image/${type}`;
  const small = await compressed(new Blob([bytes], { type: mediaType }));
  return small ?? { src: dataUrl(mediaType, stripImageMetadata(bytes)) };
};

/** Inserts a picture and selects it, so that the user can describe and resize it. Returns false if it was refused. */
export const insertPicture = (editor: Editor, picture: Picture, at = editor.state.selection.to): boolean => {
  const bytes = new TextEncoder().encode(editor.getHTML()).length + picture.src.length;
  if (bytes > reportBytesLimit) {
    toast.failure(t`The image was not inserted. The report would exceed 5 MB.`);
    return false;
  }
  const image = editor.schema.nodes['image']?.create({ alt: '', ...picture });
  if (!image || !editor.isEditable) return false;
  const { state, view } = editor;
  const place = Math.min(at, state.doc.content.size);
  const before = state.doc;
  view.dispatch(state.tr.replaceRangeWith(place, place, image));
  const put = positionOf(editor, image);
  if (editor.state.doc === before || put === undefined) return false;
  view.dispatch(
    editor.state.tr.setSelection(NodeSelection.create(editor.state.doc, put)).setMeta('addToHistory', false),
  );
  return true;
};

/** Inserts dropped or pasted files. Reports the files that are not pictures. */
export const insertFiles = async (editor: Editor, files: readonly File[], at?: number): Promise<void> => {
  let place = at;
  for (const file of files) {
    const picture = await pictureFrom(file).catch((error: unknown) => {
      if (!(error instanceof PictureError)) throw error;
      toast.failure(`${file.name}: ${error.message}`);
      return undefined;
    });
    if (editor.isDestroyed) return;
    // Inserts the next picture below this picture.
    if (picture && insertPicture(editor, picture, place)) place = editor.state.selection.to;
  }
};

type Node = Editor['state']['doc'];

const positionOf = (editor: Editor, image: Node): number | undefined => {
  let foundPosition: number | undefined;
  editor.state.doc.descendants((node, position) => {
    if (node === image) foundPosition = position;
    return foundPosition === undefined;
  });
  return foundPosition;
};

const compressed = async (file: Blob): Promise<Picture | undefined> => {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const scale = Math.min(1, pictureFit.side / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    const pen = canvas.getContext('2d');
    if (!pen) return undefined;
    // Paints the background white, because JPEG has no transparency and paper is white.
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.imageSmoothingQuality = 'high';
    pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    const jpeg = await new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve, 'image/jpeg', pictureFit.quality);
    });
    if (!jpeg) return undefined;
    const src = dataUrl('image/jpeg', new Uint8Array(await jpeg.arrayBuffer()));
    return { src, width: canvas.width, height: canvas.height };
  } catch {
    // The browser cannot or must not draw this file. The caller uses the file itself.
    return undefined;
  }
};

const dataUrl = (mediaType: string, bytes: Uint8Array): string => {
  let binary = '';
  // Converts in parts, because the number of arguments of a call is limited.
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return `data:${mediaType};base64,${btoa(binary)}`;
};

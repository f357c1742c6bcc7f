import { t } from '@lingui/core/macro';
import { Extension } from '@tiptap/core';
import { FileHandler } from '@tiptap/extension-file-handler';
import { Plugin } from '@tiptap/pm/state';
import { inertDocument } from '#core/browser/inert-document.ts';
import { toast } from '#core/browser/toasts.ts';
import { insertFiles } from './pictures.ts';

/**
 * Inserts dropped and pasted image files. Without this extension, the browser would open a dropped file in place of the
 * page.
 */
export const PictureFiles = FileHandler.configure({
  // Office programs copy text as HTML and add an image of the text as a file.
  consumePasteEvent: true,
  onDrop: (editor, files, position) => void insertFiles(editor, files, position),
  onPaste: (editor, files) => void insertFiles(editor, files),
});

/** Whether HTML was copied from this editor. Its pictures already have the right size. */
const isOwn = (html: string) => html.includes('data-pm-slice');

/**
 * Removes pictures from pasted HTML. The editor must not contact other sites, and pictures of other programs may be
 * large.
 */
export const PastedPictures = Extension.create({
  name: 'pastedPictures',
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        transformPastedHTML: (html) => {
          if (isOwn(html) || !/<img\b/i.test(html)) return html;
          const { body } = inertDocument(html);
          for (const picture of body.querySelectorAll('img')) picture.remove();
          toast.info(t`Images in the pasted text were left out. Insert them as files or by URL.`);
          return body.innerHTML;
        },
      },
    }),
  ],
});

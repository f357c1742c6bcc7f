import { Extension } from '@tiptap/core';
import { FileHandler } from '@tiptap/extension-file-handler';
import { Plugin } from '@tiptap/pm/state';
import { inertDocument } from '#core/inert-document.ts';
import { toast } from '#core/toasts.ts';
import { insertFiles } from './pictures.ts';

/** Files that are dropped or pasted become pictures of the text, and are never opened in place of the page. */
export const PictureFiles = FileHandler.configure({
  // What is copied from an office program brings its words as HTML and a drawing of them as a file.
  consumePasteEvent: true,
  onDrop: (editor, files, position) => void insertFiles(editor, files, position),
  onPaste: (editor, files) => void insertFiles(editor, files),
});

/** What this editor itself has put on the clipboard: its pictures are small already. */
const isOwn = (html: string) => html.includes('data-pm-slice');

/**
 * Pictures inside pasted HTML stay behind: those of other sites are never loaded from there, and those of other programs
 * are as large as they come.
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
          toast.info('Pictures inside pasted text were left out. Insert them as files or by their URL.');
          return body.innerHTML;
        },
      },
    }),
  ],
});

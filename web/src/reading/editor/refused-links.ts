import { t } from '@lingui/core/macro';
import { Extension } from '@tiptap/core';
import { mayBeLinked } from '@radwork/contract/reading/report-link-address';
import { Plugin } from '@tiptap/pm/state';
import { inertDocument } from '#core/browser/inert-document.ts';
import { toast } from '#core/browser/toasts.ts';

const isWhole = (address: string): boolean => /^[a-z][a-z\d+.-]*:/i.test(address);

/** Shows a message with the links removed from pasted content. The text of the links stays. */
export const RefusedLinks = Extension.create({
  name: 'refusedLinks',
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        transformPastedHTML: (html) => {
          const { body } = inertDocument(html);
          const addresses = Array.from(body.querySelectorAll('a[href]'), (link) => link.getAttribute('href') ?? '');
          if (addresses.some((address) => isWhole(address) && !mayBeLinked(address))) {
            toast.info(t`Some links were pasted as text. Only https:// and mailto: links are allowed.`);
          }
          return html;
        },
      },
    }),
  ],
});

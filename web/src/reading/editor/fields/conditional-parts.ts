import { t } from '@lingui/core/macro';
import { escapeHtml } from '@radwork/contract/reading/merge-fields';
import { fieldKey, isConditionMet, readCondition } from '@radwork/contract/reading/template-fields';
import { layOutFields } from '@radwork/contract/reading/template-fields-html';
import { Extension } from '@tiptap/core';
import { DOMParser as ProseMirrorParser, Fragment, type Mark, type Node, type Schema } from '@tiptap/pm/model';
import { Plugin, type Transaction } from '@tiptap/pm/state';
import { inertDocument } from '#core/browser/inert-document.ts';
import { toast } from '#core/browser/toasts.ts';
import { safeHtml } from '#reading/editor/reading/safe-html.ts';
import { fieldValuesIn } from './field-ranges.ts';

type Part = { from: number; to: number; mark: Mark | undefined; condition: string; source: string; text: string };

/** Returns the conditional parts of a document, shown and hidden. */
const partsIn = (document: Node): Part[] => {
  const parts: Part[] = [];
  document.descendants((node, at) => {
    const mark = node.marks.find(({ type }) => type.name === 'shownPart');
    if (!mark && node.type.name !== 'hiddenPart') return;
    const { condition, source } = mark?.attrs ?? node.attrs;
    const last = parts.at(-1);
    if (mark && last?.to === at && last.mark?.eq(mark)) {
      last.to = at + node.nodeSize;
      last.text += node.text ?? '';
    } else {
      const text = node.text ?? '';
      parts.push({
        from: at,
        to: at + node.nodeSize,
        mark,
        condition: String(condition),
        source: String(source),
        text,
      });
    }
  });
  return parts;
};

/** Returns the text of a part with its fields. */
const contentOf = (schema: Schema, { condition, source }: Part): Fragment => {
  const { body } = inertDocument(safeHtml(`<p>${layOutFields(escapeHtml(source))}</p>`));
  const content = ProseMirrorParser.fromSchema(schema).parse(body, { preserveWhitespace: 'full' }).firstChild?.content;
  const mark = schema.mark('shownPart', { condition, source });
  const words: Node[] = [];
  content?.forEach((node) => words.push(node.mark(mark.addToSet(node.marks))));
  return Fragment.from(words);
};

const exchange = (transaction: Transaction, part: Part): void => {
  const { schema } = transaction.doc.type;
  const content = contentOf(schema, part);
  if (!part.mark) {
    transaction.replaceWith(part.from, part.to, content);
    return;
  }
  if (part.text !== content.textBetween(0, content.size)) {
    toast.info(t`A conditional part that you changed no longer applies. Use Undo to restore it.`);
  }
  const { condition, source } = part;
  transaction.replaceWith(part.from, part.to, schema.node('hiddenPart', { condition, source }));
};

/**
 * Shows and hides the conditional parts of a template when the values of fields change, in the same undo step. A part
 * whose field was deleted stays as it is.
 */
export const ConditionalParts = Extension.create({
  name: 'conditionalParts',
  addProseMirrorPlugins: () => [
    new Plugin({
      appendTransaction: (transactions, _, state) => {
        if (!transactions.some(({ docChanged }) => docChanged)) return null;
        const parts = partsIn(state.doc);
        if (parts.length === 0) return null;
        const values = fieldValuesIn(state.doc);
        const wrong = parts.filter(({ condition, mark }) => {
          const read = readCondition(condition);
          const key = fieldKey(read.name);
          return values.has(key) && isConditionMet(read, values.get(key)) !== (mark !== undefined);
        });
        if (wrong.length === 0) return null;
        const { tr: transaction } = state;
        for (const part of wrong.toReversed()) exchange(transaction, part);
        return transaction;
      },
    }),
  ],
});

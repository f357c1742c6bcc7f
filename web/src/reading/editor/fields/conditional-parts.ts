import { t } from '@lingui/core/macro';
import { escapeHtml } from '@radwork/contract/reading/merge-fields';
import { fieldKey, isConditionMet, readCondition, type TemplateField } from '@radwork/contract/reading/template-fields';
import { layOutFields, readTemplateFields } from '@radwork/contract/reading/template-fields-html';
import { Extension } from '@tiptap/core';
import { DOMParser as ProseMirrorParser, Fragment, type Mark, type Node, type Schema } from '@tiptap/pm/model';
import { Plugin, type Transaction } from '@tiptap/pm/state';
import { inertDocument } from '#core/browser/inert-document.ts';
import { toast } from '#core/browser/toasts.ts';
import { safeHtml } from '#reading/editor/reading/safe-html.ts';
import { typedRangesIn } from './field-ranges.ts';

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

/** A field on which a part may depend. `value` is undefined while the field is unfilled. */
type PlacedField = { field: TemplateField; from: number; to: number; value: string | undefined };

/** Returns the fields of a document in order. The fields inside hidden parts count as unfilled. */
const placedFieldsIn = (document: Node, parts: readonly Part[]): PlacedField[] => {
  const visible = typedRangesIn(document).map(({ field, from, to, text, isFilled }) => ({
    field,
    from,
    to,
    value: isFilled ? text : undefined,
  }));
  const hidden = parts.flatMap(({ mark, source, from, to }) =>
    mark ? [] : readTemplateFields(escapeHtml(source)).fields.map((field) => ({ field, from, to, value: undefined })),
  );
  return [...visible, ...hidden].toSorted((left, right) => left.from - right.from);
};

/**
 * Whether a part is to be shown. The nearest field of that name before the part decides, else the nearest after it: a
 * macro inserted twice has two fields of one name. A part that has no field any more is shown, so that the reader sees
 * it and deletes it if it is wrong.
 */
const isToBeShown = ({ condition, from, to }: Part, fields: readonly PlacedField[]): boolean => {
  const read = readCondition(condition);
  const namesakes = fields.filter(({ field }) => fieldKey(field.name) === fieldKey(read.name));
  const nearest = namesakes.findLast((field) => field.to <= from) ?? namesakes.find((field) => field.from >= to);
  if (!nearest) return true;
  const { field, value } = nearest;
  return isConditionMet(read, value, field.kind === 'number' ? field.unit : '');
};

/** Shows and hides the conditional parts of a template when the values of fields change, in the same undo step. */
export const ConditionalParts = Extension.create({
  name: 'conditionalParts',
  addProseMirrorPlugins: () => [
    new Plugin({
      appendTransaction: (transactions, _, state) => {
        if (!transactions.some(({ docChanged }) => docChanged)) return null;
        const parts = partsIn(state.doc);
        if (parts.length === 0) return null;
        const fields = placedFieldsIn(state.doc, parts);
        const wrong = parts.filter((part) => isToBeShown(part, fields) !== (part.mark !== undefined));
        if (wrong.length === 0) return null;
        const { tr: transaction } = state;
        for (const part of wrong.toReversed()) exchange(transaction, part);
        return transaction;
      },
    }),
  ],
});

import { type AnyExtension, Extension } from '@tiptap/core';
import Highlight from '@tiptap/extension-highlight';
import { TaskItem, TaskList } from '@tiptap/extension-list';
import Subscript from '@tiptap/extension-subscript';
import Superscript from '@tiptap/extension-superscript';
import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table';
import TextAlign from '@tiptap/extension-text-align';
import { Color, TextStyle } from '@tiptap/extension-text-style';
import type { Node } from '@tiptap/pm/model';
import { Plugin } from '@tiptap/pm/state';
import StarterKit from '@tiptap/starter-kit';
import { mayBeLinked } from '@radwork/contract/reading/report-link-address';
import { reportTextLimit } from '@radwork/contract/reading/reports';
import { CaretBeforeKeys } from './caret-before-keys.ts';
import { CaretPlace } from './caret-place.ts';
import { CommentMarks } from '#reading/editor/comments/comment-marks.ts';
import { ProposedTextMark, PassageDecisions, ReplacedTextMark } from '#reading/editor/drafting/draft-passage.ts';
import { PendingDraft } from '#reading/editor/drafting/pending-draft.ts';
import { InterimText } from './dictation-interim.ts';
import { EmbeddedImage } from './editor-image.ts';
import { LeaveByTab } from '#reading/editor/leave-by-tab.ts';
import { ConditionalParts } from '#reading/editor/fields/conditional-parts.ts';
import { FieldEntryKeys } from '#reading/editor/fields/field-entry-keys.ts';
import { HiddenPart, ShownPartMark, TemplateFieldMark } from '#reading/editor/fields/field-marks.ts';
import { FilledPartMark, FilledParts } from '#reading/editor/filled/filled-parts.ts';
import { FieldsByTab } from './template-fields.ts';
import { Macros } from './macros.ts';
import { knownBackground, knownTextColor } from './allowed-colors.ts';
import { PastedLists } from '#reading/editor/pasting/pasted-lists.ts';
import { PastedTables } from '#reading/editor/pasting/pasted-tables.ts';
import { spanOf } from '#reading/editor/pasting/cell-grid.ts';
import { PastedPictures, PictureFiles } from './picture-files.ts';
import { RefusedLinks } from '#reading/editor/refused-links.ts';
import { ShownPassages } from '#reading/editor/drafting/passage-visibility.ts';

/** Counts the visible characters without markup, as the server does. */
export const charactersIn = (document: Node): number => document.textContent.length;

/**
 * Refuses a whole insertion that exceeds the length limit of a report. TipTap's CharacterCount would cut it, and half a
 * sentence can mean the opposite.
 */
const textLimit = (onRefused: () => void) =>
  Extension.create({
    name: 'textLimit',
    addProseMirrorPlugins: () => [
      new Plugin({
        filterTransaction: (transaction, state) => {
          if (!transaction.docChanged) return true;
          const length = charactersIn(transaction.doc);
          // Allows changes that shorten a text over the limit.
          if (length <= reportTextLimit || length <= charactersIn(state.doc)) return true;
          onRefused();
          return false;
        },
      }),
    ],
  });

/** Background of a cell. The cells of TipTap have an alignment but no background. */
const shading = {
  backgroundColor: {
    default: null,
    parseHTML: (cell: HTMLElement) => knownBackground(cell.style.backgroundColor),
    renderHTML: ({ backgroundColor }: { backgroundColor?: string | null }) =>
      backgroundColor ? { style: `background-color: ${backgroundColor}` } : {},
  },
};

/** Spans of a cell, limited to those of a report. */
const spans = {
  colspan: { default: 1, parseHTML: (cell: HTMLElement) => spanOf(cell, 'colspan') },
  rowspan: { default: 1, parseHTML: (cell: HTMLElement) => spanOf(cell, 'rowspan') },
};

/** Colors of text, limited to those of a report. Pasted text in other colors loses its color. */
const TextColor = Color.extend({
  addGlobalAttributes: () => [
    {
      types: ['textStyle'],
      attributes: {
        color: {
          default: null,
          parseHTML: (words: HTMLElement) => knownTextColor(words.style.color),
          renderHTML: ({ color }: { color?: string | null }) => (color ? { style: `color: ${color}` } : {}),
        },
      },
    },
  ],
});

const KnownHighlight = Highlight.extend({
  parseHTML: () => [{ tag: 'mark', getAttrs: (mark) => (knownBackground(backgroundOf(mark)) ? null : false) }],
  addAttributes: () => ({
    color: {
      default: null,
      parseHTML: (mark: HTMLElement) => knownBackground(backgroundOf(mark)),
      renderHTML: ({ color }: { color?: string | null }) =>
        color ? { 'data-color': color, style: `background-color: ${color}` } : {},
    },
  }),
}).configure({ multicolor: true });

const backgroundOf = (mark: HTMLElement) => mark.style.backgroundColor || mark.dataset['color'];

/** Extensions of the report editor. `onTooLong` is called when the length limit refuses an insertion. */
export const reportExtensions = (onTooLong: () => void): AnyExtension[] => [
  StarterKit.configure({
    heading: { levels: [1, 2, 3] },
    code: false,
    codeBlock: false,
    link: { openOnClick: false, autolink: false, isAllowedUri: mayBeLinked, shouldAutoLink: mayBeLinked },
  }),
  TextStyle,
  TextColor,
  KnownHighlight,
  Subscript,
  Superscript,
  TextAlign.configure({ types: ['heading', 'paragraph'] }),
  TaskList,
  TaskItem.configure({ nested: true }),
  EmbeddedImage,
  PictureFiles,
  PastedPictures,
  RefusedLinks,
  CaretBeforeKeys,
  CaretPlace,
  LeaveByTab,
  TemplateFieldMark,
  ShownPartMark,
  HiddenPart,
  ConditionalParts,
  FieldEntryKeys,
  FieldsByTab,
  FilledPartMark,
  FilledParts,
  Macros,
  Table,
  TableRow,
  TableCell.extend({
    addAttributes() {
      return { ...this.parent?.(), ...spans, ...shading };
    },
  }),
  TableHeader.extend({
    addAttributes() {
      return { ...this.parent?.(), ...spans, ...shading };
    },
  }),
  PastedTables,
  PastedLists,
  InterimText,
  ProposedTextMark,
  ReplacedTextMark,
  PassageDecisions,
  ShownPassages,
  PendingDraft,
  CommentMarks,
  textLimit(onTooLong),
];

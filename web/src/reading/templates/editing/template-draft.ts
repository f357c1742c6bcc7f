import { t } from '@lingui/core/macro';
import type { TemplateText } from '@radwork/contract/reading/templates';
import { useRef, useState } from 'react';

/** A section of a draft. Its key stays when the section moves. */
export type DraftSection = { key: string; name: string; content: string };
export type DraftNormal = { key: string; bodyPart: string; modality: string; content: string };

export type TemplateDraft = Omit<TemplateText, 'sections' | 'normalFindings'> & {
  sections: readonly DraftSection[];
  normalFindings: readonly DraftNormal[];
};

export const emptyTemplate: TemplateText = {
  name: '',
  description: '',
  modality: '',
  bodyPart: '',
  isActive: true,
  content: '',
  sections: ['Indication', 'Technique', 'Comparison', 'Findings', 'Impression'].map((name, index) => ({
    name,
    content: '',
    order: index + 1,
  })),
  normalFindings: [],
};

let keys = 0;
const newKey = () => `part-${++keys}`;

export const draftOf = (text: TemplateText): TemplateDraft => ({
  name: text.name,
  description: text.description,
  modality: text.modality,
  bodyPart: text.bodyPart,
  isActive: text.isActive,
  content: text.content,
  sections: text.sections
    .toSorted((one, other) => one.order - other.order)
    .map(({ name, content }) => ({ key: newKey(), name, content })),
  normalFindings: text.normalFindings.map((finding) => ({ ...finding, key: newKey() })),
});

/** Returns the text of a draft, with sections numbered from 1. */
export const textOf = ({ sections, normalFindings, ...fields }: TemplateDraft): TemplateText => ({
  ...fields,
  sections: sections.map(({ name, content }, index) => ({ name, content, order: index + 1 })),
  normalFindings: normalFindings.map(({ bodyPart, modality, content }) => ({ bodyPart, modality, content })),
});

/** Returns the list with one part moved. */
export const moveItem = <Part>(parts: readonly Part[], from: number, to: number): readonly Part[] => {
  const part = parts[from];
  if (part === undefined || to < 0 || to >= parts.length || from === to) return parts;
  return parts.toSpliced(from, 1).toSpliced(to, 0, part);
};

export const newSection = (): DraftSection => ({ key: newKey(), name: t`New section`, content: '' });
export const newNormal = (): DraftNormal => ({ key: newKey(), bodyPart: '', modality: '', content: '' });

const isSame = (one: TemplateDraft, other: TemplateDraft): boolean =>
  JSON.stringify(textOf(one)) === JSON.stringify(textOf(other));

/**
 * State of a template during editing. It begins with `start`, or with unsaved text in `initial`. The editor reports text
 * with a delay; `latest` returns the text without delay.
 */
export const useTemplateDraft = (start: TemplateText, initial = start) => {
  const [begun, setBegun] = useState(() => draftOf(start));
  const [draft, setDraft] = useState(() => draftOf(initial));
  const current = useRef(draft);
  const flushNow = useRef(() => {});
  const change = (next: (draft: TemplateDraft) => TemplateDraft) => {
    current.current = next(current.current);
    setDraft(current.current);
  };
  return {
    draft,
    change,
    /** Sets the function that makes the open editor report its text. */
    listenTo: (flush: () => void) => {
      flushNow.current = flush;
    },
    latest: (): TemplateDraft => {
      flushNow.current();
      return current.current;
    },
    isChanged: !isSame(draft, begun),
    /** Replaces the draft by another text, which counts as unchanged. */
    begin: (text: TemplateText) => {
      const next = draftOf(text);
      current.current = next;
      setBegun(next);
      setDraft(next);
    },
    /** Marks the sent text as saved. Text typed since it was sent stays unsaved. */
    noteSaved: (sent: TemplateDraft) => setBegun(sent),
  };
};

export type TemplateWriting = ReturnType<typeof useTemplateDraft>;

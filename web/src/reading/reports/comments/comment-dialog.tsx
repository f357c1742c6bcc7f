import { t } from '@lingui/core/macro';
import { Select, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { anchorOf, hasSameLines, type TextAnchor } from '@radwork/contract/reading/report-anchors';
import type { Place } from '@radwork/contract/reading/report-check-text';
import { longestPassage } from '@radwork/contract/reading/report-comments';
import type { Report } from '@radwork/contract/reading/reports';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import styles from './comments.module.css';
import { SuggestionText } from './suggestion-text.tsx';
import { useCreateComment } from './use-comments.ts';

export type CommentKind = 'comment' | 'suggestion';

/** A comment that the user begins. Without a selection, `place` is undefined, and the user chooses a line. */
export type NewComment = { kind: CommentKind; text: string; place: Place | undefined };

type Props = { report: Report; begun: NewComment | undefined; onClose: () => void };

/** Form of a new comment or suggestion on a passage of the report. */
export function CommentDialog({ report, begun, onClose }: Props) {
  const title = begun?.kind === 'suggestion' ? t`Suggest change` : t`Comment`;
  return (
    <Dialog opened={begun !== undefined} onClose={onClose} title={title} size={520}>
      {begun && <CommentForm report={report} begun={begun} onClose={onClose} />}
    </Dialog>
  );
}

type Values = { line: string; lastLine: string; replacement: string; text: string };

function CommentForm({ report, begun: { kind, text, place }, onClose }: Props & { begun: NewComment }) {
  const create = useCreateComment();
  const lines = linesOf(text);
  const selected = place && anchorOf(text, place);
  const isSuggestion = kind === 'suggestion';
  const anchorFor = (values: Values): TextAnchor | undefined => {
    const chosen = placeOfLines(lines, values);
    return selected ?? (chosen && anchorOf(text, chosen));
  };
  const form = useForm<Values>({
    initialValues: { line: '', lastLine: '', replacement: selected?.exact ?? '', text: '' },
    validate: (values) => faultsOf(values, anchorFor(values), isSuggestion),
  });
  const anchor = anchorFor(form.values);
  const choices = lines.map(({ from, to }, index) => ({ value: String(index), label: text.slice(from, to) }));
  const choose = (chosen: Pick<Values, 'line' | 'lastLine'>) => {
    const words = placeOfLines(lines, chosen);
    form.setValues({ ...chosen, replacement: words ? text.slice(words.from, words.to) : '' });
  };
  const submit = form.onSubmit((values) => {
    const chosen = anchorFor(values);
    if (!chosen) return;
    const replacement = isSuggestion ? values.replacement : null;
    const body = { anchor: chosen, text: values.text, replacement, revision: report.revision };
    create.mutate({ params: { id: report.id }, body }, { onSuccess: onClose });
  });
  return (
    <DialogForm
      verb={isSuggestion ? t`Suggest change` : t`Add comment`}
      action={create}
      onSubmit={submit}
      onCancel={onClose}
    >
      {selected ? (
        <blockquote className={styles.quote} dir="auto">
          {selected.exact}
        </blockquote>
      ) : (
        <>
          <Select
            label={t`Line of the report`}
            withAsterisk
            searchable
            data-autofocus
            data={choices}
            {...form.getInputProps('line')}
            onChange={(line) => choose({ line: line ?? '', lastLine: '' })}
          />
          {form.values.line !== '' && (
            <Select
              label={t`Last line, if several`}
              searchable
              clearable
              data={choices.filter(({ value }) => Number(value) > Number(form.values.line))}
              {...form.getInputProps('lastLine')}
              onChange={(lastLine) => choose({ line: form.values.line, lastLine: lastLine ?? '' })}
            />
          )}
        </>
      )}
      {isSuggestion && (
        <Textarea
          label={t`Suggested text`}
          description={t`A new line begins a paragraph or list item. Leave empty to delete the words.`}
          rows={Math.min(12, 2 + form.values.replacement.split('\n').length)}
          maxLength={4000}
          data-autofocus={selected ? true : undefined}
          {...form.getInputProps('replacement')}
        />
      )}
      {isSuggestion && anchor && form.values.replacement !== anchor.exact && (
        <div className={styles.preview} role="status">
          <SuggestionText passage={anchor.exact} replacement={form.values.replacement} />
        </div>
      )}
      <Textarea
        label={isSuggestion ? t`Reason` : t`Comment`}
        withAsterisk={!isSuggestion}
        rows={3}
        maxLength={4000}
        data-autofocus={selected && !isSuggestion ? true : undefined}
        {...form.getInputProps('text')}
      />
    </DialogForm>
  );
}

/** Returns the lines of a text that are not empty. */
const linesOf = (text: string): Place[] => {
  const lines: Place[] = [];
  let from = 0;
  for (const line of text.split('\n')) {
    if (line.trim() !== '') lines.push({ from, to: from + line.length });
    from += line.length + 1;
  }
  return lines;
};

/** Returns the place from the chosen line to the last; undefined if no line is chosen. */
const placeOfLines = (lines: readonly Place[], { line, lastLine }: Pick<Values, 'line' | 'lastLine'>) => {
  const first = line === '' ? undefined : lines[Number(line)];
  const last = lastLine === '' ? first : lines[Number(lastLine)];
  return first && last && { from: first.from, to: last.to };
};

/** Returns the errors by field. The server applies the same rules. */
const faultsOf = ({ text, replacement }: Values, anchor: TextAnchor | undefined, isSuggestion: boolean) => ({
  line: anchor ? null : t`Choose a line`,
  text: isSuggestion || text.trim() !== '' ? null : t`Comment is required`,
  replacement: isSuggestion && anchor ? faultOfSuggestion(anchor, replacement) : null,
});

const faultOfSuggestion = ({ exact }: TextAnchor, replacement: string): string | null => {
  if (exact.length > longestPassage) return t`The passage is longer than 2,000 characters`;
  return hasSameLines(replacement, exact) ? t`Change the text to suggest a change` : null;
};

import { t } from '@lingui/core/macro';
import { Select, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { anchorOf, type TextAnchor } from '@radwork/contract/reading/report-anchors';
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

type Values = { line: string; replacement: string; text: string };

function CommentForm({ report, begun: { kind, text, place }, onClose }: Props & { begun: NewComment }) {
  const create = useCreateComment();
  const lines = linesOf(text);
  const selected = place && anchorOf(text, place);
  const isSuggestion = kind === 'suggestion';
  const anchorFor = ({ line }: Values): TextAnchor | undefined => {
    const chosen = lines[Number(line)];
    return selected ?? (line !== '' && chosen ? anchorOf(text, chosen) : undefined);
  };
  const form = useForm<Values>({
    initialValues: { line: '', replacement: selected?.exact ?? '', text: '' },
    validate: (values) => faultsOf(values, anchorFor(values), isSuggestion),
  });
  const anchor = anchorFor(form.values);
  const submit = form.onSubmit((values) => {
    const chosen = anchorFor(values);
    if (!chosen) return;
    const replacement = isSuggestion ? values.replacement.replaceAll(/[\n\r]+/g, ' ') : null;
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
        <Select
          label={t`Line of the report`}
          withAsterisk
          searchable
          data-autofocus
          data={lines.map(({ from, to }, index) => ({ value: String(index), label: text.slice(from, to) }))}
          {...form.getInputProps('line')}
          onChange={(line) => {
            const chosen = lines[Number(line ?? '')];
            form.setValues({ line: line ?? '', replacement: chosen ? text.slice(chosen.from, chosen.to) : '' });
          }}
        />
      )}
      {isSuggestion && (
        <Textarea
          label={t`Suggested text`}
          description={t`Leave empty to delete the words.`}
          rows={3}
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

/** Returns the errors by field. The server applies the same rules. */
const faultsOf = ({ text, replacement }: Values, anchor: TextAnchor | undefined, isSuggestion: boolean) => ({
  line: anchor ? null : t`Choose a line`,
  text: isSuggestion || text.trim() !== '' ? null : t`Comment is required`,
  replacement: isSuggestion && anchor ? faultOfSuggestion(anchor, replacement) : null,
});

const faultOfSuggestion = ({ exact }: TextAnchor, replacement: string): string | null => {
  if (exact.length > longestPassage) return t`The passage is longer than 2,000 characters`;
  if (exact.includes('\n')) return t`Select words within one paragraph to suggest a change`;
  return replacement.trim() === exact.trim() ? t`Change the text to suggest a change` : null;
};

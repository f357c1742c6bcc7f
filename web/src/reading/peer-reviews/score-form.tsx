import { t } from '@lingui/core/macro';
import { Checkbox, Radio, Textarea } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { peerGrades, type PeerReview, peerScore, type PeerScore } from '@radwork/contract/reading/peer-reviews';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import styles from './peer-reviews.module.css';

type Props = {
  /** Wording of the four grades. */
  grades: readonly string[];
  review?: Pick<PeerReview, 'grade' | 'isSignificant' | 'comment'>;
  action: { isPending: boolean; error: Error | null };
  onScore: (score: PeerScore) => void;
  onCancel: () => void;
};

/** Form for a score: grade, clinical significance and comment. */
export function ScoreForm({ grades, review, action, onScore, onCancel }: Props) {
  const form = useForm({
    initialValues: {
      grade: String(review?.grade ?? ''),
      isSignificant: review?.isSignificant ?? false,
      comment: review?.comment ?? '',
    },
    validate: (values) => schemaResolver(peerScore, { sync: true })({ ...values, grade: Number(values.grade) }),
  });
  return (
    <DialogForm
      verb={t`Save review`}
      action={action}
      onCancel={onCancel}
      onSubmit={form.onSubmit(({ grade, ...score }) => {
        const chosen = peerGrades.find((one) => String(one) === grade);
        if (chosen) onScore({ ...score, grade: chosen });
      })}
    >
      <Radio.Group label={t`Grade`} withAsterisk {...form.getInputProps('grade')}>
        <div className={styles.grades}>
          {peerGrades.map((grade) => (
            <Radio key={grade} value={String(grade)} label={`${grade} · ${grades[grade - 1] ?? ''}`} />
          ))}
        </div>
      </Radio.Group>
      <Checkbox label={t`Clinically significant`} {...form.getInputProps('isSignificant', { type: 'checkbox' })} />
      <Textarea
        label={t`Comment`}
        description={t`The author reads it. Required from grade 2.`}
        rows={3}
        maxLength={4000}
        {...form.getInputProps('comment')}
      />
    </DialogForm>
  );
}

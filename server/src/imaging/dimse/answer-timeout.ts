import { t } from '@radwork/contract/core/translate';
import { RemoteError } from '#core/outgoing/remote-error.ts';
import type { Association } from './association.ts';

export type AnswerTimeout = {
  /** Starts the wait again, for example after a wanted instance has arrived. */
  renew: () => void;
  /** Stops the wait. */
  rest: () => void;
};

/**
 * Aborts an association when nothing wanted arrives for too long. The waiting code throws this error. Each single wait
 * is short, but useless answers could continue without end.
 */
export const startAnswerTimeout = (association: Association, place: string, milliseconds: number): AnswerTimeout => {
  const giveUp = () => association.fail(new RemoteError('TIMEOUT', t`${place} answers but makes no progress.`));
  let timer = setTimeout(giveUp, milliseconds);
  const rest = () => clearTimeout(timer);
  return {
    renew: () => {
      rest();
      timer = setTimeout(giveUp, milliseconds);
    },
    rest,
  };
};

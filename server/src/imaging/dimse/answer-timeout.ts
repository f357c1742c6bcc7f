import { t } from '@radwork/contract/core/translate';
import { RemoteError } from '#core/outgoing/remote-error.ts';
import type { Association } from './association.ts';

export type AnswerTimeout = {
  /** Starts the waiting time again, for example after a wanted instance has arrived. */
  renew: () => void;
  /** Stops the timer. */
  stop: () => void;
};

/**
 * Aborts an association when no wanted instance or answer arrives for too long. The code that reads the association
 * then throws this error. Each single wait has its own limit, but an archive could send useless answers without end.
 */
export const startAnswerTimeout = (association: Association, place: string, milliseconds: number): AnswerTimeout => {
  const timeOut = () => association.fail(new RemoteError('TIMEOUT', t`${place} answers but makes no progress.`));
  let timer = setTimeout(timeOut, milliseconds);
  const stop = () => clearTimeout(timer);
  return {
    renew: () => {
      stop();
      timer = setTimeout(timeOut, milliseconds);
    },
    stop,
  };
};

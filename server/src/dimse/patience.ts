import { RemoteError } from '#core/outgoing/remote-error.ts';
import type { Association } from './association.ts';

export type Patience = {
  /** Something of what is wanted has come, or is waited for again. */
  renew: () => void;
  /** Nothing is waited for. */
  rest: () => void;
};

/**
 * Breaks an association off when nothing of what is wanted has come for so long, which is then thrown to whoever waits.
 * Each wait for the other side is short, but answers that say nothing, one after the other, would have no end.
 */
export const startPatience = (association: Association, place: string, milliseconds: number): Patience => {
  const giveUp = () =>
    association.fail(
      new RemoteError('TIMEOUT', `${place} answers, but for too long it does not get on with what was asked for.`),
    );
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

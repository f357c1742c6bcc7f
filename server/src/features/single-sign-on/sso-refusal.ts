import { type SsoFailure, ssoFailures } from '@radwork/contract/single-sign-on';
import type { TestCause } from '@radwork/contract/remote-configurations';

/**
 * Why somebody is not let in: what they are told, and what an administrator who tests the connection is told. Holds
 * nothing that the other side has written.
 */
export class SsoRefusal extends Error {
  override readonly name = 'SsoRefusal';
  readonly failure: SsoFailure;
  readonly remoteCause: TestCause;

  constructor(failure: SsoFailure, message: string = ssoFailures[failure], remoteCause: TestCause = 'WRONG_SERVICE') {
    super(message);
    this.failure = failure;
    this.remoteCause = remoteCause;
  }
}

import { type SsoFailure, ssoFailures } from '@radwork/contract/identity/single-sign-on';
import type { TestCause } from '@radwork/contract/core/connection-test';

/**
 * The reason of a refused sign-in: its message for the user, and one for an administrator who tests the connection.
 * Holds no text of the other side.
 */
export class SsoRefusal extends Error {
  override readonly name = 'SsoRefusal';
  readonly failure: SsoFailure;
  readonly remoteCause: TestCause;

  constructor(failure: SsoFailure, message: string = ssoFailures[failure](), remoteCause: TestCause = 'WRONG_SERVICE') {
    super(message);
    this.failure = failure;
    this.remoteCause = remoteCause;
  }
}

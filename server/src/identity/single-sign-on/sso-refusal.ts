import { type SsoFailure, ssoFailures } from '@radwork/contract/identity/single-sign-on-failures';
import type { TestCause } from '@radwork/contract/core/connection-test';

/**
 * Why a sign-in was refused: a message for the user, and one for an administrator who tests the connection. Contains no
 * text from the provider.
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

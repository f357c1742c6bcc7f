import type { TestCause } from '@radwork/contract/core/connection-test';

/** Why another system could not be used, as a code and a message. Contains no path and no secret. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  readonly remoteCause: TestCause;

  constructor(remoteCause: TestCause, message: string) {
    super(message);
    this.remoteCause = remoteCause;
  }
}

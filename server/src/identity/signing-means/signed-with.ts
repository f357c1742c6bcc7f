import { t } from '@radwork/contract/core/translate';
import type { Context } from '#core/context.ts';
import { invalid } from '#core/http/problem.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { atHome } from '#identity/credentials/own-user.ts';
import { acceptSignature } from './signature.ts';
import { storeSignature } from './own-signing-means.ts';
import { type SignerProof, proveSigner } from './prove-signer.ts';
import { savedPicture } from './stored-means.ts';

/** The fields for the signature in a form. */
export type Form = SignerProof & {
  signatureData?: string | undefined;
  typedName?: string | undefined;
  usesSavedSignature?: boolean | undefined;
  savesSignature?: boolean | undefined;
};

/** Details of a signature for the audit log. Empty for a drawn or typed signature after a recent sign-in. */
export type SigningDetail = Record<string, string | boolean>;

/** The image of a signature whose signer was verified, and the details for the audit log. */
export type SigningResult = {
  picture: string | null;
  detail: SigningDetail;
  complete: (scope: Scope) => Promise<void>;
};

/** A signature that the server creates for users of the demo, without a proof. */
export const unasked = (picture: string): SigningResult => ({ picture, detail: {}, complete: async () => {} });

/**
 * Checks the proof of the signer and reads the signature before the transaction, because both take long. Call
 * `complete` in the transaction of the signature.
 */
export const readSigning = async (context: Context, session: Session, form: Form): Promise<SigningResult> => {
  refuseMixed(form);
  const { proof, complete } = await proveSigner(context, session, form);
  const picture = form.usesSavedSignature
    ? await ownPicture(context, session)
    : await acceptSignature(form.signatureData);
  return {
    picture,
    detail: {
      ...(proof !== 'RECENT_SIGN_IN' && { proof }),
      ...(form.usesSavedSignature && { usesSavedSignature: true }),
    },
    complete: async (scope) => {
      await complete(scope);
      if (form.savesSignature && picture !== null) await storeSignature(scope, context, picture);
    },
  };
};

/** Refuses a form with more than one source of the image, and a form that saves an image that was not drawn. */
const refuseMixed = ({ signatureData, typedName, usesSavedSignature, savesSignature }: Form): void => {
  if (usesSavedSignature && (signatureData || typedName !== undefined)) {
    throw invalid({ signatureData: t`Use either the saved signature or a new signature` });
  }
  if (savesSignature && (usesSavedSignature || typedName !== undefined || !signatureData)) {
    throw invalid({ savesSignature: t`Only a drawn signature can be saved` });
  }
};

const ownPicture = async ({ scopes, vault }: Context, session: Session): Promise<string> => {
  const picture = await scopes.inTenant(atHome(session), (scope) => savedPicture(scope, vault));
  if (picture === null) throw invalid({ signatureData: t`You have no saved signature. Draw or type your signature.` });
  return picture;
};

import type { ReactNode } from 'react';
import { ProofFields } from '#ui/signing/proof-fields.tsx';
import { SavedSignature } from '#ui/signing/saved-signature.tsx';
import { SignaturePad } from '#ui/signing/signature-pad.tsx';
import { SigningRemarks } from '#ui/signing/signing-remarks.tsx';
import type { Proof } from '#ui/signing/use-proof.ts';
import { ignore, longText } from './data.ts';
import type { Specimens } from './specimens.ts';
import { Stage } from './stage.tsx';

const proof = (overrides: Partial<Proof>): ReactNode => (
  <Stage width={380}>
    <ProofFields
      proof={{
        asked: 'PASSWORD',
        input: 'password',
        provider: undefined,
        hasSecondFactor: false,
        isRequired: true,
        typed: '',
        setTyped: ignore,
        error: false,
        check: ignore,
        ...overrides,
      }}
    />
  </Stage>
);

const provider = { isOn: true, subdomain: 'north', label: 'North Clinic' };

const signature = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 60" width="240" height="60"><path d="M10 40C40 0 60 60 90 30S150 20 220 40" fill="none" stroke="#10131a" stroke-width="3"/></svg>',
)}`;

export const specimens: Specimens = {
  ProofFields: {
    password: proof({}),
    'password or code': proof({ asked: 'NOW', input: 'password-or-code', hasSecondFactor: true }),
    error: proof({ asked: 'PIN', input: 'pin', error: 'The PIN is wrong', typed: '1234' }),
    code: proof({ asked: 'CODE', input: 'code' }),
    'no PIN': proof({ asked: 'PIN', input: 'none' }),
    'no app': proof({ asked: 'CODE', input: 'none' }),
    'single sign-on': proof({ input: 'none', provider, error: 'Sign in at your provider first' }),
    'long text': proof({ provider: { ...provider, label: longText } }),
    none: proof({ asked: undefined }),
  },
  SignaturePad: { empty: <SignaturePad onChange={ignore} /> },
  SavedSignature: { filled: <SavedSignature picture={signature} /> },
  SigningRemarks: {
    both: (
      <SigningRemarks
        signed={{ signingRemark: 'The account was not confirmed.', identityStatement: 'Asked at the door' }}
      />
    ),
    'long text': <SigningRemarks signed={{ signingRemark: longText, identityStatement: longText }} />,
    none: <SigningRemarks signed={{ signingRemark: '', identityStatement: '' }} />,
  },
};

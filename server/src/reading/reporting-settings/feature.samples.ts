import { reportingSettings } from '@radwork/contract/reading/reporting-settings';
import { defineSamples } from '#test/feature-samples.ts';

const reportingForm = {
  isDictationAllowed: true,
  aiProvider: 'RULES',
  aiModel: '',
  aiBaseUrl: '',
  isAiAgreed: false,
  criticalMinutes: 60,
  urgentMinutes: 1440,
  significantMinutes: 10_080,
  isLinkCodeRequired: false,
  linkDays: 30,
  isReviewRequired: false,
  isSignatureRequired: true,
  signingProof: 'RECENT_SIGN_IN',
  letterhead: '',
  letterheadFooter: '',
  letterheadLogo: null,
  isReportStoredAsDicom: false,
  reportContact: '',
  reportIdentifier: 'BIRTH_DATE',
  revision: 1,
};

export const samples = defineSamples({
  access: `
                                        asks for      anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/reporting-settings      authenticated 401       200  200  200  200  200  none      403    200
    GET    /api/reporting-settings/all  config.manage 401       200  200  403  403  403  none      403    200
    PUT    /api/reporting-settings/all  config.manage 401       may  may  403  403  403  none      403    may
    POST   /api/reporting-settings/test config.manage 401       may  may  403  403  403  none      403    may
  `,
  unaudited: [reportingSettings.forWriting, reportingSettings.read],
  bodies: [
    [reportingSettings.save, reportingForm],
    [reportingSettings.test, { aiProvider: 'OPENAI', aiModel: 'x', aiBaseUrl: 'https://models.invalid/v1' }],
  ],
});

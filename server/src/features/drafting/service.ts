import type { DraftedPassage, drafting, DraftingEvent, PassageKind } from '@radwork/contract/drafting';
import type { Body } from '@radwork/contract/endpoint';
import { aiProviderNames } from '@radwork/contract/reporting-settings';
import { audit } from '#core/audit.ts';
import type { Context } from '#core/context.ts';
import { invalid, Problem } from '#core/problem.ts';
import type { Scope, Session } from '#core/scope.ts';
import { settingsOfTenant, type StoredSettings } from '#features/reporting-settings/stored-settings.ts';
import { type StoredStudy, studyById } from '#features/studies/study-rows.ts';
import { htmlOfAnswer, longestAnswer, sectionsOfAnswer } from './answer-html.ts';
import type { Drafter, DraftRequest } from './drafter.ts';
import { drafterOf } from './drafter-of-tenant.ts';
import { identifiersOfStudy } from './known-identifiers.ts';
import { findMentioned } from './mentioned-patients.ts';
import { hashOfText, type NewPassage, recordPassage } from './passages.ts';
import { strangeNumbers } from './strange-numbers.ts';
import { sectionsForStudy } from './template-sections.ts';
import { withhold, type Withheld } from './withheld.ts';

type Drafting = Pick<Context, 'outgoing' | 'scopes' | 'vault'>;

/** What somebody asks for, before it is known what is to be kept back of it. */
export type Asked = Omit<DraftRequest, 'sections'> & { studyId: string | undefined };

export const askedByPrompt = ({ prompt, kind, studyId }: Body<typeof drafting.generate>): Asked => ({
  kind,
  text: prompt,
  studyDescription: '',
  clinicalInfo: '',
  studyId,
});

export const askedForReport = (form: Body<typeof drafting.medicalReport>): Asked => ({
  kind: 'REPORT',
  text: form.findings?.trim() ? form.findings : (form.prompt ?? ''),
  studyDescription: form.studyDescription ?? '',
  clinicalInfo: form.clinicalInfo ?? '',
  studyId: form.studyId,
});

/** A request that is ready to be drafted: without identifiers where it leaves this server. */
type Prepared = {
  drafter: Drafter;
  request: DraftRequest;
  study: StoredStudy | undefined;
  withheld: Withheld;
  promptHash: Buffer;
};

/** Drafts something, and answers when all of it is there. Throws a 503 where nothing drafts, and a 502 or 504 in words. */
export const draft = async (context: Drafting, session: Session, asked: Asked): Promise<DraftedPassage[]> => {
  const prepared = await prepare(context, session, asked);
  const answer = await prepared.drafter.answer(prepared.request, new AbortController().signal);
  return finish(context, session, prepared, prepared.withheld.giveBack(answer));
};

/**
 * Drafts something, and tells of it as it comes: what was sent, each piece, and the passage at the end. A failure after
 * the first event is the last one. Ends, at the provider too, when the reader leaves.
 */
export const draftInPieces = async (context: Drafting, session: Session, asked: Asked) => {
  const prepared = await prepare(context, session, asked);
  return (gone: AbortSignal) => eventsOf(context, session, prepared, gone);
};

async function* eventsOf(
  context: Drafting,
  session: Session,
  prepared: Prepared,
  gone: AbortSignal,
): AsyncGenerator<DraftingEvent> {
  const { drafter, request, withheld } = prepared;
  yield { kind: 'sent', sent: drafter.sentFor(request) };
  try {
    let answer = '';
    for await (const text of withheld.giveBackPieces(drafter.pieces(request, gone))) {
      answer += text;
      refuseTooLong(answer);
      yield { kind: 'piece', text };
    }
    yield { kind: 'done', passages: await finish(context, session, prepared, answer.trim()) };
  } catch (error) {
    if (gone.aborted) return;
    if (!(error instanceof Problem)) throw error;
    yield { kind: 'failed', message: error.message };
  }
}

const prepare = (context: Drafting, session: Session, asked: Asked): Promise<Prepared> =>
  context.scopes.inTenant(session, async (scope) => {
    const settings = await settingsOfTenant(scope);
    const drafter = await drafterOf(context, settings);
    const study = asked.studyId === undefined ? undefined : await studyById(scope, asked.studyId);
    const withheld = await withheldOf(scope, drafter, study, asked);
    const request = await requestOf(scope, study, asked, withheld);
    const sent = drafter.sentFor(request);
    const promptHash = hashOfText(sent ? `${sent.instructions}\n\n${sent.prompt}` : request.text);
    await note(scope, { settings, study, kind: asked.kind, promptHash });
    return { drafter, request, study, withheld, promptHash };
  });

/**
 * Keeps back from a model all that is stored of the people of the study, and the name
 * and identifier of each other patient whom the text names. Of a text of which nobody says whose it is,
 * nobody knows which of its words name somebody, so it goes nowhere. Nothing is kept back from the rules, which send nothing.
 */
const withheldOf = async (
  scope: Scope,
  drafter: Drafter,
  study: StoredStudy | undefined,
  { text, studyDescription, clinicalInfo }: Asked,
): Promise<Withheld> => {
  if (drafter.provider === 'RULES') return withNothing;
  if (!study) {
    throw invalid({ studyId: 'Name the study that the text is about: what says who its patient is must not leave' });
  }
  const mentioned = await findMentioned(scope, [text, studyDescription, clinicalInfo]);
  return withhold(await identifiersOfStudy(scope, study), mentioned);
};

const withNothing: Withheld = {
  take: (text) => text,
  giveBack: (text) => text,
  giveBackPieces: async function* (pieces) {
    yield* pieces;
  },
};

const requestOf = async (
  scope: Scope,
  study: StoredStudy | undefined,
  { kind, text, studyDescription, clinicalInfo }: Asked,
  { take }: Withheld,
): Promise<DraftRequest> => ({
  kind,
  text: take(text),
  studyDescription: take(studyDescription),
  clinicalInfo: take(clinicalInfo),
  sections: kind === 'REPORT' && study ? await sectionsForStudy(scope, study) : [],
});

type Noted = { settings: StoredSettings; study: StoredStudy | undefined; kind: PassageKind; promptHash: Buffer };

/** Written down before anything leaves, whatever becomes of it. */
const note = (scope: Scope, { settings, study, kind, promptHash }: Noted): Promise<void> =>
  audit(scope, 'ai_passage.draft', {
    entity: 'ai_passage',
    ...(study && { studyId: study.id, patientId: study.patient_id }),
    detail: {
      kind,
      provider: settings.ai_provider,
      model: settings.ai_provider === 'RULES' ? '' : settings.ai_model,
      promptHash: promptHash.toString('hex'),
    },
  });

const textsOf = ({ text, studyDescription, clinicalInfo, sections }: DraftRequest): string[] => [
  text,
  studyDescription,
  clinicalInfo,
  ...sections.flatMap(({ heading, normal }) => [heading, normal]),
];

const refuseTooLong = (answer: string): void => {
  if (answer.length > longestAnswer) {
    throw new Problem(502, 'drafting.failed', 'The answer is longer than any report. Nothing of it is used.');
  }
};

/** Each section of a drafted report is a passage by itself: nobody decides about all of a report at once. */
const finish = async (
  { scopes }: Drafting,
  session: Session,
  { drafter, request, study, promptHash, withheld }: Prepared,
  answer: string,
): Promise<DraftedPassage[]> => {
  refuseTooLong(answer);
  const { provider, model } = drafter;
  const { kind } = request;
  const texts = kind === 'REPORT' ? sectionsOfAnswer(answer) : [answer];
  const given = textsOf(request).map(withheld.giveBack);
  const origin = study && { studyId: study.id, kind, provider, model, promptHash };
  const ids = origin ? await recordAll(scopes, session, origin, texts) : [];
  return texts.map((text, index) => {
    const id = ids[index] ?? null;
    return {
      id,
      kind,
      text,
      html: htmlOfAnswer(text, id),
      provider,
      providerName: aiProviderNames[provider],
      model,
      isRuleBased: provider === 'RULES',
      strangeNumbers: strangeNumbers(text, given),
    };
  });
};

const recordAll = (
  scopes: Drafting['scopes'],
  session: Session,
  origin: Omit<NewPassage, 'text'>,
  texts: readonly string[],
): Promise<string[]> =>
  scopes.inTenant(session, async (scope) => {
    const ids: string[] = [];
    for (const text of texts) ids.push(await recordPassage(scope, { ...origin, text }));
    return ids;
  });

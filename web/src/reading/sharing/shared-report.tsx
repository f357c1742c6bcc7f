import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { severityLabels } from '@radwork/contract/reading/critical-finding-states';
import type { PortalPart, PortalReport } from '@radwork/contract/reading/portal';
import { amendedLabel, partTitle, signerText } from '@radwork/contract/reading/report-parts';
import { reportIdentifierLabels } from '@radwork/contract/reading/reporting-settings';
import { IconPrinter } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ReportText } from '#reading/editor/reading/report-text.tsx';
import { formatLocal, formatMoment } from '#ui/formats/formats.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { SigningRemarks } from '#ui/signing/signing-remarks.tsx';
import styles from './shared-report.module.css';

/** A shared report for phone and paper: all signed parts in order. */
export function SharedReport({ report, pdf }: { report: PortalReport; pdf?: ReactNode }) {
  const { patientName, patientIdentifier, studyDescription, studyDate, modality } = report;
  return (
    <article className={styles.report}>
      <Letterhead report={report} pdf={pdf} />
      <header className={styles.head}>
        <h1>{patientName || t`No name`}</h1>
        {patientIdentifier && (
          <p className={styles.study}>
            {reportIdentifierLabels[patientIdentifier.kind]} {patientIdentifier.value}
          </p>
        )}
        <p className={styles.study}>
          {[studyDescription, modality, formatLocal(studyDate)].filter(Boolean).join(' · ')}
        </p>
      </header>
      <Banners report={report} />
      <ReportText html={report.content} />
      <Signature
        signed={{ ...report, signedByName: report.finalizedByName, signedByCredentials: report.finalizedByCredentials }}
        writtenBy={report.authorName === report.finalizedByName ? undefined : report.authorName}
      />
      {report.addenda.map((part) => (
        <Addendum key={part.number} part={part} />
      ))}
      {report.letterheadFooter && <footer className={styles.foot}>{report.letterheadFooter}</footer>}
    </article>
  );
}

function Letterhead({ report, pdf }: { report: PortalReport; pdf: ReactNode }) {
  const { tenantName, letterhead, letterheadLogo, contact } = report;
  return (
    <div className={styles.letterhead}>
      {letterheadLogo && <img src={letterheadLogo} alt="" />}
      <div className={styles.sender}>
        <p className={styles.tenant}>{tenantName}</p>
        {letterhead && <p className={styles.address}>{letterhead}</p>}
        {contact && <p className={styles.address}>{t`Questions about this report: ${contact}`}</p>}
      </div>
      <div className={styles.print}>
        {pdf}
        <Button variant="default" leftSection={<IconPrinter size={15} aria-hidden />} onClick={() => window.print()}>
          {t`Print`}
        </Button>
      </div>
    </div>
  );
}

/** Notices to read before the text. */
function Banners({ report }: { report: PortalReport }) {
  const { criticalFindings, criticalFindingsDetails, amended, newerSignedAt } = report;
  const newerMoment = formatMoment(newerSignedAt);
  const isCritical = criticalFindings.length > 0 || criticalFindingsDetails !== '';
  const isUnchanged = [report, ...report.addenda].every((part) => part.isUnchanged);
  if (!isCritical && !amended && isUnchanged && newerSignedAt === null) return null;
  return (
    <div className={styles.banners}>
      {!isUnchanged && <ChangedNotice />}
      {newerSignedAt !== null && (
        <Notice tone="danger">
          <Trans>
            <strong>A newer report of this study was signed</strong> on {newerMoment}. Do not rely on this report alone.
            Ask the sender of the link for the newer report.
          </Trans>
        </Notice>
      )}
      {isCritical && (
        <Notice tone="danger">
          <strong>{t`Critical findings`}</strong>
          <ul className={styles.findings}>
            {criticalFindings.map(({ finding, severity, identifiedDateTime }) => (
              <li key={`${identifiedDateTime} ${finding}`}>
                {finding} <span className="muted">{severityLabels[severity]}</span>
              </li>
            ))}
            {criticalFindingsDetails && <li>{criticalFindingsDetails}</li>}
          </ul>
        </Notice>
      )}
      {amended && (
        <Notice tone="warning">
          <Trans>
            <strong>{amendedLabel}.</strong> This report was amended after it was signed. Also read the text below the
            report.
          </Trans>
        </Notice>
      )}
    </div>
  );
}

function ChangedNotice() {
  return (
    <Notice tone="danger">
      <Trans>
        <strong>This is not the text that was signed.</strong> Its SHA-256 checksum differs. Do not rely on this text.
        Contact the sender of the link.
      </Trans>
    </Notice>
  );
}

function Addendum({ part }: { part: PortalPart }) {
  return (
    <section className={styles.addendum} aria-label={partTitle(part)}>
      <h2>{partTitle(part)}</h2>
      {part.kind === 'CORRECTION' && (
        <p>
          {t`Removed:`} <del>{part.passage}</del>
        </p>
      )}
      {part.kind === 'CORRECTION' && <p>{t`Replaced by:`}</p>}
      <ReportText html={part.content} />
      <Signature signed={part} writtenBy={undefined} />
    </section>
  );
}

type SignedPart = Pick<
  PortalPart,
  | 'signedByName'
  | 'signedByCredentials'
  | 'finalizedAt'
  | 'signatureData'
  | 'statement'
  | 'signingRemark'
  | 'identityStatement'
  | 'contentHash'
  | 'isUnchanged'
>;

function Signature({ signed, writtenBy }: { signed: SignedPart; writtenBy: string | undefined }) {
  const { signedByName, signedByCredentials, finalizedAt, signatureData, statement, contentHash, isUnchanged } = signed;
  const signer = signerText({ name: signedByName, credentials: signedByCredentials });
  const moment = formatMoment(finalizedAt);
  return (
    <footer className={styles.signature}>
      {writtenBy && <p>{t`Written by ${writtenBy}`}</p>}
      {signatureData && <img src={signatureData} alt={t`Signature of ${signedByName}`} />}
      <p>{t`Signed by ${signer}, ${moment}`}</p>
      {statement && <p>“{statement}”</p>}
      <SigningRemarks signed={signed} />
      {!isUnchanged && <ChangedNotice />}
      <p className={styles.hash}>
        <Trans>
          SHA-256 <span className="mono">{contentHash}</span>
        </Trans>
      </p>
    </footer>
  );
}

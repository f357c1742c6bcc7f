import type { Report } from '@radwork/contract/reading/reports';
import { AddendaFollow, PartText, SignedAddenda } from '#reading/reports/addenda/signed-addenda.tsx';
import { SignedBlock } from '#reading/reports/signing/signed-block.tsx';

/** The text of a report, its signature and its signed addenda. */
export function ReportBody({ report }: { report: Report }) {
  return (
    <>
      <AddendaFollow addenda={report.addenda} />
      <PartText number={0} content={report.content} />
      <Signature report={report} />
      <SignedAddenda addenda={report.addenda} />
    </>
  );
}

function Signature({ report }: { report: Report }) {
  const { finalizedBy, finalizedAt, contentHash, isUnchanged } = report;
  if (!finalizedBy || !finalizedAt || contentHash === null || isUnchanged === null) return null;
  return <SignedBlock signed={{ ...report, finalizedBy, finalizedAt, contentHash, isUnchanged }} />;
}

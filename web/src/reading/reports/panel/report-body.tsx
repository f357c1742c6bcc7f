import type { Report } from '@radwork/contract/reading/reports';
import type { Ref } from 'react';
import { AddendaFollow, PartText, SignedAddenda } from '#reading/reports/addenda/signed-addenda.tsx';
import { SignedBlock } from '#reading/reports/signing/signed-block.tsx';

type Props = {
  report: Report;
  /** Ref of the element that holds the text of the report, without signature and addenda. */
  textRef?: Ref<HTMLDivElement>;
};

/** The text of a report, its signature and its signed addenda. */
export function ReportBody({ report, textRef }: Props) {
  return (
    <>
      <AddendaFollow addenda={report.addenda} />
      <div ref={textRef}>
        <PartText number={0} content={report.content} />
      </div>
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

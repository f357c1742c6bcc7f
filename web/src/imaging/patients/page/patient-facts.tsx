import { t } from '@lingui/core/macro';
import { genderLabels, type PatientDetails } from '@radwork/contract/imaging/patients';
import type { ReactNode } from 'react';
import { formatMoment } from '#ui/formats/formats.ts';
import { StatusPill } from '#ui/marks/status-pill.tsx';
import { FormerIds, identifierOf } from './former-ids.tsx';
import styles from './patient-facts.module.css';

/** Shows the patient record: identity, contact data and access to reports. */
export function PatientFacts({ patient }: { patient: PatientDetails }) {
  const { formerIdentifiers, portalAccess } = patient;
  return (
    <div className={styles.facts}>
      <Section title={t`Identity`}>
        <Fact label={t`Name`}>{patient.patientName}</Fact>
        <Fact label={t`Patient ID`}>{identifierOf(patient)}</Fact>
        {formerIdentifiers.length > 0 && (
          <Fact label={t`Former IDs`}>
            <FormerIds patient={patient} />
          </Fact>
        )}
        <Fact label={t`Gender`}>{genderLabels[patient.gender]}</Fact>
        <Fact label={t`Date of birth`}>{patient.dateOfBirth}</Fact>
      </Section>
      <Section title={t`Contact`}>
        <Fact label={t`Phone`}>
          {patient.phoneNumber && (
            <a href={`tel:${patient.phoneNumber.replaceAll(/[^\d+]/g, '')}`}>{patient.phoneNumber}</a>
          )}
        </Fact>
        <Fact label={t`E-mail`}>{patient.email && <a href={`mailto:${patient.email}`}>{patient.email}</a>}</Fact>
        <Fact label={t`Address`}>{patient.address}</Fact>
      </Section>
      <Section title={t`Record`}>
        <Fact label={t`Portal access`}>
          <StatusPill
            tone={portalAccess.isActive ? 'success' : 'secondary'}
            shape={portalAccess.isActive ? 'dot' : 'ring'}
            label={portalAccess.isActive ? t`Active` : t`Inactive`}
          />
        </Fact>
        <Fact label={t`Created`}>{formatMoment(patient.createdDate)}</Fact>
        <Fact label={t`Last changed`}>{formatMoment(patient.lastModifiedDate)}</Fact>
      </Section>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className={styles.title}>{title}</h2>
      <dl className={styles.list}>{children}</dl>
    </section>
  );
}

/** Shows one value of the record, or a dash if it is missing. */
function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>
        {children || (
          <span className="muted">
            <span aria-hidden>–</span>
            <span className="visually-hidden">{t`unknown`}</span>
          </span>
        )}
      </dd>
    </div>
  );
}

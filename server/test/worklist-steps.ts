import { textOf } from '@radwork/dicom/dataset';
import type { Elements } from '@radwork/dicom/part10';
import type { Titles } from './dimse-device.ts';
import { addStudy } from './stored-study.ts';
import type { Tenant, World } from './world.ts';
import { readWhole } from '#imaging/dimse/association.ts';
import { commandField } from '#imaging/dimse/command-set.ts';
import { readIdentifier, writeIdentifier } from '#imaging/dimse/identifier.ts';
import { contextOf, inAssociation } from '#imaging/dimse/open-association.ts';
import { modalityWorklistFind } from '#imaging/dimse/sop-classes.ts';

/** Steps with orders, and worklist queries of scanners at a gateway. */
export const worklistSteps = (world: Pick<World, 'inTenant'>, gateway: { port: number }) => {
  /** Orders a study in the future, because past orders come last in the list. */
  const order = (tenant: Tenant, differences: Parameters<typeof addStudy>[1] = {}) =>
    world.inTenant(tenant, (scope) =>
      addStudy(scope, {
        seriesModalities: [],
        modality: 'CT',
        scheduled_at: '2126-11-23T08:30:00',
        accession_number: 'A-100',
        procedure_description: 'CT Abdomen',
        procedure_code: 'CTABD',
        priority: 'URGENT',
        ordering_physician_name: 'Moreau^Claire',
        ...differences,
      }),
    );

  const locate = async (address: string) => ({ address });

  /** Queries the worklist as a scanner does, and stops after a number of replies. */
  const ask = ({ called, calling }: Titles, keys: Elements, stopAfter = Infinity) => {
    const peer = { host: '127.0.0.1', port: gateway.port, calledAeTitle: called, callingAeTitle: calling };
    const proposal = { contexts: [{ abstractSyntax: modalityWorklistFind, transferSyntaxes: ['1.2.840.10008.1.2'] }] };
    return inAssociation(peer, locate, proposal, new AbortController().signal, async (association) => {
      const context = contextOf(association, modalityWorklistFind);
      if (!context) return { items: [], pending: [], status: undefined };
      const command = {
        CommandField: commandField.find,
        MessageID: 5,
        AffectedSOPClassUID: modalityWorklistFind,
        Priority: 0,
      };
      await association.send(context, command, writeIdentifier(keys, context.transferSyntax));
      const items = [];
      const pending: (number | undefined)[] = [];
      for (;;) {
        const message = await association.receive(10_000);
        if (!message?.dataSet)
          return { items, pending, status: message?.command.Status, comment: message?.command.ErrorComment };
        pending.push(message.command.Status);
        items.push(readIdentifier(await readWhole(message.dataSet, 1 << 20), context.transferSyntax));
        if (items.length === stopAfter)
          await association.send(context, { CommandField: commandField.cancel, MessageIDBeingRespondedTo: 5 });
      }
    });
  };

  const everything = { PatientName: [], AccessionNumber: [], ScheduledProcedureStepSequence: [{}] };
  const accessionNumbers = (items: Awaited<ReturnType<typeof ask>>['items']) =>
    items.map((item) => textOf(item, 'AccessionNumber'));

  return { order, ask, everything, accessionNumbers };
};

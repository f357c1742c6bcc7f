import { t } from '@radwork/contract/core/translate';

/** Messages of 404, whole sentences for translators. The key begins the code: "study.not_found". */
const messages = {
  addendum: () => t`Addendum not found`,
  arrival: () => t`Arrival not found`,
  assignment: () => t`Assignment not found`,
  atlas: () => t`Atlas not found`,
  'bulk data': () => t`Bulk data not found`,
  'correction of dictation': () => t`Correction not found`,
  configuration: () => t`Configuration not found`,
  deferral: () => t`Deferral not found`,
  delivery: () => t`Delivery not found`,
  device: () => t`Device not found`,
  difference: () => t`Difference not found`,
  field: () => t`Field not found`,
  file: () => t`File not found`,
  finding: () => t`Finding not found`,
  frame: () => t`Frame not found`,
  group: () => t`Group not found`,
  guideline: () => t`Guideline not found`,
  'hanging rule': () => t`Hanging rule not found`,
  identity: () => t`Identity not found`,
  image: () => t`Image not found`,
  import: () => t`Import not found`,
  instance: () => t`Instance not found`,
  join: () => t`Joined order not found`,
  'key image': () => t`Key image not found`,
  link: () => t`Link not found`,
  lock: () => t`Lock not found`,
  macro: () => t`Macro not found`,
  measurement: () => t`Measurement not found`,
  merge: () => t`Merge not found`,
  message: () => t`Message not found`,
  moment: () => t`Moment not found`,
  notification: () => t`Notification not found`,
  number: () => t`Number not found`,
  organization: () => t`Organization not found`,
  page: () => t`Page not found`,
  passage: () => t`Passage not found`,
  patient: () => t`Patient not found`,
  rejection: () => t`Rejection not found`,
  removal: () => t`Removal not found`,
  report: () => t`Report not found`,
  role: () => t`Role not found`,
  'saved signature': () => t`Saved signature not found`,
  'second factor': () => t`Second factor not found`,
  series: () => t`Series not found`,
  session: () => t`Session not found`,
  'signing PIN': () => t`Signing PIN not found`,
  study: () => t`Study not found`,
  template: () => t`Template not found`,
  tenant: () => t`Tenant not found`,
  user: () => t`User not found`,
  version: () => t`Version not found`,
  webhook: () => t`Webhook not found`,
} as const satisfies Record<string, () => string>;

/** The key of a message above, or a separate code and message for other data. */
export type MissingThing = keyof typeof messages | { code: string; message: string };

/** Returns the code and the message of a 404 about missing data. */
export const missing = (subject: MissingThing): { code: string; message: string } =>
  typeof subject === 'string' ? { code: subject, message: messages[subject]() } : subject;

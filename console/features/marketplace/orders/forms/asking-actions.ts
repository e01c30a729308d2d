/** Actions with a form, in display order. */
export const askingActions = [
  'deliver',
  'review',
  'reply_to_review',
  'request_revision',
  'submit_requirements',
  'propose',
  'dispute',
  'cancel',
] as const
export type AskingAction = (typeof askingActions)[number]

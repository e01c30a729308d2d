export type Variable = { name: string; description: string; sample: string }

/** A mail, with the variables that it has besides the common ones. */
export type Entry = { description: string; variables: Variable[] }

export const workspace_name = {
  name: 'workspace_name',
  description: 'Name of the workspace',
  sample: 'Bakery at the Corner',
}
export const amount = {
  name: 'amount',
  description: 'Amount, formatted in the language of the e-mail',
  sample: '499.00',
}
export const currency = { name: 'currency', description: 'Currency of the amount', sample: 'TRY' }
export const changed_at = {
  name: 'changed_at',
  description: 'Time of the change',
  sample: 'March 1, 2026 at 01:30 PM UTC',
}

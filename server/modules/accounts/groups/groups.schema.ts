import { Type } from 'typebox'
import { Closed, Count, exampleId, idOf, Line, nullable, Time } from '../../../lib/http/schema/schema.ts'

const MAX_GROUPED = 100

const fields = {
  name: Line('Name of the group. Unique in the workspace, without regard to case', 'Shops in Istanbul'),
  account_ids: Type.Array(idOf('account'), {
    maxItems: MAX_GROUPED,
    uniqueItems: true,
    description: 'Ids of the accounts, in their order. One that is disconnected by a member leaves its groups.',
    examples: [[exampleId('account')]],
  }),
}

export const AccountGroup = Type.Object(
  {
    id: idOf('account_group'),
    ...fields,
    created_by: nullable(idOf('user', 'Id of the member who created it. Null if that user no longer exists.')),
    created_at: Time,
    updated_at: Time,
    version: Count('Number of the version. Every change increases it.', 1),
  },
  { title: 'AccountGroup' },
)
export const NewAccountGroup = Closed(
  { name: fields.name, account_ids: Type.Optional(fields.account_ids) },
  { title: 'NewAccountGroup' },
)
export const AccountGroupChanges = Closed(
  { name: Type.Optional(fields.name), account_ids: Type.Optional(fields.account_ids) },
  { title: 'AccountGroupChanges', minProperties: 1, examples: [{ account_ids: [exampleId('account')] }] },
)

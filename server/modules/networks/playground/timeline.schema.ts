import { Type } from 'typebox'
import { Id, Time } from '../../../lib/http/schema.ts'

export const PlaygroundPost = Type.Object(
  {
    id: Id,
    account_id: Id,
    account_name: Type.String({ maxLength: 400, description: 'Name of the account in Meydan.' }),
    handle: Type.String({ maxLength: 400, description: 'Handle of the account on the Playground.' }),
    content: Type.String({ maxLength: 65_536 }),
    created_at: Time,
  },
  { title: 'PlaygroundPost' },
)

import { Type } from 'typebox'
import { idOf, Time } from '../../../lib/http/schema/schema.ts'

export const PlaygroundPost = Type.Object(
  {
    id: idOf('playground-post'),
    account_id: idOf('account'),
    account_name: Type.String({ maxLength: 400, description: 'Name of the account in Meydan.', examples: ['Bakery'] }),
    handle: Type.String({
      maxLength: 400,
      description: 'Handle of the account on the Playground.',
      examples: ['playground'],
    }),
    content: Type.String({ maxLength: 65_536, examples: ['Fresh simit from seven in the morning.'] }),
    created_at: Time,
  },
  { title: 'PlaygroundPost' },
)

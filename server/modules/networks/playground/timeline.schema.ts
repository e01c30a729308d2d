import { Type } from 'typebox'
import { idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'

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
    media_ids: Type.Array(idOf('media'), { maxItems: 20, description: 'Ids of the files.', examples: [[]] }),
    reply_to_id: nullable(idOf('playground-post', 'Id of the post that this one replies to.')),
    created_at: Time,
  },
  { title: 'PlaygroundPost' },
)

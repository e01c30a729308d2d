import { Type } from 'typebox'
import { Closed, Count, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'

const fields = {
  name: Type.String({
    minLength: 1,
    maxLength: 80,
    pattern: '\\S',
    description: 'Name by which members find the snippet. Unique in the workspace, without regard to case.',
    examples: ['Hashtags of the bakery'],
  }),
  content: Type.String({
    minLength: 1,
    maxLength: 5000,
    pattern: '\\S',
    description: 'Text to insert.',
    examples: ['#bakery #simit #istanbul'],
  }),
}

export const Snippet = Type.Object(
  {
    id: idOf('snippet'),
    ...fields,
    created_by: nullable(idOf('user', 'Id of the member who created it. Null if that user no longer exists.')),
    created_at: Time,
    updated_at: Time,
    version: Count('Number of the version. Every change increases it.', 1),
  },
  { title: 'Snippet' },
)
export const NewSnippet = Closed(fields, { title: 'NewSnippet' })
export const SnippetChanges = Closed(
  { name: Type.Optional(fields.name), content: Type.Optional(fields.content) },
  { title: 'SnippetChanges', minProperties: 1, examples: [{ content: '#bakery #simit' }] },
)

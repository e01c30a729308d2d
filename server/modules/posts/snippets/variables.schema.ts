import { Type } from 'typebox'
import { Closed, Count, InputTime, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { MAX_CONTENT } from '../record/posts.schema.ts'

const MAX_VARIABLES = 50

const Variable = Closed(
  {
    name: Type.String({
      pattern: '^[a-z][a-z0-9_]{0,29}$',
      maxLength: 30,
      description: 'Name that snippets have in double braces: lowercase letters, digits and `_`.',
      examples: ['phone'],
    }),
    value: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: '\\S',
      description: 'Text that is inserted in its place.',
      examples: ['0312 555 01 01'],
    }),
  },
  { title: 'Variable' },
)
const variables = Type.Array(Variable, {
  maxItems: MAX_VARIABLES,
  description: 'In the order in which they are shown.',
})

export const VariableFields = Closed(
  { variables },
  { title: 'VariableFields', examples: [{ variables: [{ name: 'phone', value: '0312 555 01 01' }] }] },
)
export const Variables = Type.Object(
  {
    variables,
    updated_at: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'Time of the last change. Null until they are first saved.' }),
    ),
    version: Count('Number of the version. Every change increases it. 0 until they are first saved.', 1),
  },
  { title: 'Variables' },
)

export const FillSnippet = Closed(
  {
    time: Type.Optional({ ...InputTime, description: 'Time that the post is planned for. Now by default.' }),
    account_ids: Type.Optional(
      Type.Array(idOf('account'), {
        maxItems: 50,
        uniqueItems: true,
        description: 'Accounts that `{{account}}` names. Without any, it is the name of the workspace.',
        examples: [[]],
      }),
    ),
  },
  { title: 'FillSnippet' },
)
const Filled = (description: string, example: string) =>
  Type.String({ maxLength: MAX_CONTENT, description, examples: [example] })
export const FilledSnippet = Type.Object(
  {
    content: Filled('Text with the values of its variables.', 'Open on Sunday from seven. Call 0312 555 01 01.'),
    first_comment: nullable(Filled('First comment with the values of its variables.', 'https://bakery.example')),
  },
  { title: 'FilledSnippet' },
)

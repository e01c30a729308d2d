import { Type } from 'typebox'
import { PageQuery } from '../../../lib/db/page.ts'
import { Closed, Count, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { Labels } from '../record/posts.schema.ts'

const MAX_TEXT = 5000

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
    maxLength: MAX_TEXT,
    pattern: '\\S',
    description:
      'Text to insert. `{{date}}`, `{{time}}`, `{{weekday}}`, `{{account}}`, `{{workspace}}` and the names of `GET /workspace/variables` are filled in when it is inserted.',
    examples: ['#bakery #simit #istanbul'],
  }),
  kind: Type.Enum(['text', 'hashtags', 'template'], {
    type: 'string',
    description:
      'Use of the snippet. `text`: a part of a text. `hashtags`: a set of hashtags. `template`: a whole post.',
    examples: ['hashtags'],
  }),
  account_ids: Type.Array(idOf('account'), {
    maxItems: 50,
    uniqueItems: true,
    description: 'Accounts that the post of a template is for. Empty for other kinds.',
    examples: [[]],
  }),
  labels: { ...Labels, description: 'Labels of the post of a template. Empty for other kinds.', examples: [[]] },
  first_comment: nullable(
    Type.String({
      minLength: 1,
      maxLength: MAX_TEXT,
      pattern: '\\S',
      description: 'First comment of the post of a template, with variables like `content`. Null for other kinds.',
    }),
  ),
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
const forTemplates = {
  account_ids: Type.Optional(fields.account_ids),
  labels: Type.Optional(fields.labels),
  first_comment: Type.Optional(fields.first_comment),
}
export const NewSnippet = Closed(
  {
    name: fields.name,
    content: fields.content,
    kind: Type.Optional({ ...fields.kind, default: 'text' }),
    ...forTemplates,
  },
  { title: 'NewSnippet', examples: [{ name: 'Hashtags of the bakery', content: '#bakery #simit', kind: 'hashtags' }] },
)
export const SnippetChanges = Closed(
  {
    name: Type.Optional(fields.name),
    content: Type.Optional(fields.content),
    kind: Type.Optional(fields.kind),
    ...forTemplates,
  },
  { title: 'SnippetChanges', minProperties: 1, examples: [{ content: '#bakery #simit' }] },
)
export const SnippetsQuery = Closed({ ...PageQuery, kind: Type.Optional(fields.kind) })

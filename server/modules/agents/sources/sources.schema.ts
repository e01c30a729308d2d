import { Type } from 'typebox'
import { PageQuery } from '../../../lib/db/page.ts'
import { Closed, idOf, Line, nullable, Time } from '../../../lib/http/schema/schema.ts'

export const fetchErrors = [
  ...([
    'unreachable',
    'timed_out',
    'too_large',
    'url_not_allowed',
    'redirect_refused',
    'not_found',
    'refused',
  ] as const),
  ...(['unavailable', 'unreadable'] as const),
] as const

/** Maximum of characters of a pasted text. */
const MAX_TEXT = 20_000

const Kind = Type.Enum(['feed', 'page', 'text'], {
  type: 'string',
  description:
    '`feed`: RSS, Atom or JSON Feed; each entry is written about once. `page`: the text of a web page. `text`: a text that members write, such as a menu.',
  examples: ['feed'],
})
const label = Line('Label', 'Our blog')
const url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'Address of the feed or page.',
  examples: ['https://cafe.example/feed.xml'],
})
const text = Type.String({
  minLength: 1,
  maxLength: MAX_TEXT,
  description: 'Text, of kind `text`. Members of the workspace wrote it, so it counts as trusted.',
  examples: ['Monday: lentil soup. Tuesday: rice with chickpeas.'],
})
const is_trusted = Type.Boolean({
  description:
    'Whether what it says may be published unseen. Only admins set it. An editor who changes the `url` unsets it. Posts written with a source that is not trusted wait for a person, also with `auto`.',
})

const fetchError = (description: string) =>
  nullable(
    Type.Enum([...fetchErrors], {
      type: 'string',
      description: `${description} \`refused\` and \`unavailable\`: the server responded with an error. Null if it could be read.`,
      examples: [null],
    }),
  )

export const AgentSource = Type.Object(
  {
    id: idOf('agent_source'),
    kind: Kind,
    label,
    url: nullable(url),
    text: nullable(text),
    is_trusted,
    is_complete: Type.Boolean({ description: 'Whether it has its `url` or `text`. Others are not read.' }),
    last_fetched_at: nullable(Type.Unsafe<Date>({ ...Time, description: 'Time when it was last read.' })),
    last_error: fetchError('Reason for which it could not be read the last time.'),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'AgentSource' },
)

export const NewAgentSource = Closed(
  {
    kind: Kind,
    label,
    url: Type.Optional(url),
    text: Type.Optional(text),
    is_trusted: Type.Optional(is_trusted),
  },
  {
    title: 'NewAgentSource',
    examples: [{ kind: 'feed', label: 'Our blog', url: 'https://cafe.example/feed.xml' }],
  },
)

export const ChangeAgentSource = Closed(Type.Partial(Type.Object({ label, url, text, is_trusted })).properties, {
  title: 'ChangeAgentSource',
  minProperties: 1,
  examples: [{ label: 'News of the café' }],
})

export const FindSourcesQuery = Closed({
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    pattern: '^https?://',
    description: 'Address of a site, a page or a feed.',
    examples: ['https://cafe.example'],
  }),
})

const excerpt = (description: string) => Type.String({ maxLength: 300, description, examples: ['Fresh from seven.'] })
const title = (description: string) => Type.String({ maxLength: 300, description, examples: ['New hours'] })

const FoundFeed = Type.Object(
  {
    url,
    entries: Type.Array(
      Type.Object({
        title: title('Title. Empty if it has none.'),
        text: excerpt('Beginning of its text, as an agent reads it.'),
        url: nullable(
          Type.String({ maxLength: 2048, description: 'Address of the entry, if it is on the same site.' }),
        ),
        published_at: nullable(Time),
      }),
      { maxItems: 3, description: 'Its newest entries.' },
    ),
  },
  { title: 'FoundFeed' },
)
const FoundPage = Type.Object(
  { url, title: title('Title of the page.'), text: excerpt('Beginning of its text, as an agent reads it.') },
  { title: 'FoundPage', description: 'The page at the address. Null if it is a feed.' },
)

export const FoundSources = Type.Object(
  {
    error: fetchError('Reason for which the address could not be read.'),
    feeds: Type.Array(FoundFeed, { maxItems: 5, description: 'The feed at the address, or those of its site.' }),
    page: nullable(FoundPage),
  },
  { title: 'FoundSources' },
)

export const AgentSourceQuery = Closed(PageQuery)

export const sourceParams = Closed({ id: idOf('agent'), source_id: idOf('agent_source') })

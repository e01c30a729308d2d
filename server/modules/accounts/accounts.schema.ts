import { Type } from 'typebox'
import { Count, Id, Line, nullable, Time } from '../../lib/schema.ts'

const AccountName = Line('Name inside of Meydan')

/** A name that nobody chose is the one on the network, which may be longer. */
const ShownName = Type.String({ maxLength: 400, description: 'Name inside of Meydan' })

export const Account = Type.Object(
  {
    id: Id,
    network: Type.String({ maxLength: 40, description: 'Which network, by its id in GET /accounts/networks' }),
    name: ShownName,
    handle: Type.String({ maxLength: 400, description: 'Name on the network' }),
    url: nullable(Type.String({ maxLength: 2000, description: 'Profile on the network' })),
    status: Type.Enum(['connected', 'disconnected'], {
      type: 'string',
      description: 'disconnected: the network no longer accepts the credentials',
    }),
    status_detail: nullable(Type.String({ maxLength: 400, description: 'Why it is disconnected' })),
    checked_at: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'When its network was last asked, by POST /accounts/:id/check' }),
    ),
    last_published_at: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'When a post that is still kept was last published there' }),
    ),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'Account' },
)

/** The fields besides these two are the network's own form, checked against it. */
export const NewAccount = Type.Object(
  {
    network: Type.String({ maxLength: 40, description: 'Id from GET /accounts/networks' }),
    name: Type.Optional(AccountName),
  },
  {
    title: 'NewAccount',
    additionalProperties: Type.String({ maxLength: 1000 }),
    description: 'Besides these, the fields of the form of the network (GET /accounts/networks).',
  },
)

export const NetworkInfo = Type.Object(
  {
    id: Type.String({ maxLength: 40 }),
    name: Type.String({ maxLength: 80 }),
    description: Type.String({ maxLength: 400 }),
    form: Type.Array(
      Type.Object({
        key: Type.String({ maxLength: 40 }),
        label: Type.String({ maxLength: 80 }),
        type: Type.Enum(['text', 'url', 'password'], { type: 'string' }),
        required: Type.Boolean(),
        default: Type.Optional(Type.String({ maxLength: 400 })),
        help: Type.Optional(Type.String({ maxLength: 400 })),
      }),
      { maxItems: 20, description: 'What to send in POST /accounts besides network and name' },
    ),
    capabilities: Type.Object({
      max_length: Count('Longest text, in characters as readers count them'),
      edit: Type.Boolean({ description: 'Whether a published post can be edited there' }),
    }),
  },
  { title: 'Network' },
)

export const PlaygroundPost = Type.Object(
  {
    id: Id,
    account_id: Id,
    account_name: ShownName,
    handle: Type.String({ maxLength: 400, description: 'Name of the account on the Playground' }),
    content: Type.String({ maxLength: 65_536 }),
    created_at: Time,
  },
  { title: 'PlaygroundPost' },
)

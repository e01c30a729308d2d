import { Type } from 'typebox'
import { Closed, exampleId, idOf, Line, nullable, Time } from '../../lib/http/schema/schema.ts'
import { AccountLimits, NetworkId } from '../networks/networks.schema.ts'

const AccountName = Line('Name of the account in Meydan', 'Bakery')

/** Defaults to the name on the network, which may be longer. */
const ShownName = Type.String({ maxLength: 400, description: 'Name of the account in Meydan.', examples: ['Bakery'] })

const Signature = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: '\\S',
  description:
    'Text that the composer of the console puts at the end of new posts for the account. Posts over the API, of agents and from imports do not get it. Null without one.',
  examples: ['Bakery, Kızılay 5, Ankara'],
})

export const Account = Type.Object(
  {
    id: idOf('account'),
    network: NetworkId,
    name: ShownName,
    handle: Type.String({ maxLength: 400, description: 'Handle on the network.', examples: ['bakery'] }),
    url: nullable(Type.String({ maxLength: 2000, description: 'URL of the profile on the network.' })),
    avatar_url: nullable(
      Type.String({
        maxLength: 100,
        description: 'Path of the image of the account. Null if it has none.',
        examples: [`/api/v1/accounts/${exampleId('account')}/avatar`],
      }),
    ),
    status: Type.Enum(['connected', 'disconnected'], {
      type: 'string',
      description: 'Status of the account. `disconnected`: the network no longer accepts the credentials.',
    }),
    status_detail: nullable(Type.String({ maxLength: 400, description: 'Reason why the account is disconnected.' })),
    paused: Type.Boolean({ description: 'Whether nothing is published there until the account is resumed.' }),
    paused_by: nullable(
      Type.Enum(['member', 'plan'], {
        type: 'string',
        description:
          'Cause of the pause. `plan`: the plan allows fewer accounts; a larger one resumes it. Null while it is not paused.',
        examples: ['member'],
      }),
    ),
    queue_paused: Type.Boolean({
      description:
        'Whether the posts of its queue wait until `POST /accounts/{id}/queue/resume`. Posts that were scheduled by hand are published nevertheless.',
    }),
    connected_by: Type.Enum(['form', 'sign_in'], {
      type: 'string',
      description:
        'Way in which the account was connected. `form`: with `POST /accounts`. `sign_in`: with a sign-in at the network, which begins with `POST /accounts/connections`.',
    }),
    app: nullable(
      Type.Enum(['workspace', 'instance'], {
        type: 'string',
        description:
          'App with which the account signed in. `workspace`: that of the workspace. `instance`: that of the instance, or one that Meydan registered at the server. Null for accounts without a sign-in, and for those of an earlier version.',
        examples: ['instance'],
      }),
    ),
    form: Type.Unsafe<Record<string, string>>(
      Type.Object(
        {},
        {
          additionalProperties: Type.String({ maxLength: 1000 }),
          description: 'Values that the account was connected with, without secrets. Send them to connect it again.',
          examples: [{ service: 'https://bsky.social', handle: 'bakery' }],
        },
      ),
    ),
    signature: nullable(Signature),
    limits: Type.Object(AccountLimits, {
      description:
        'Capabilities in which this account differs from its network, because its server or its credentials allow more or less.',
      examples: [{}],
    }),
    sign_in_ends_at: nullable(
      Type.Unsafe<Date>({
        ...Time,
        description:
          'Time at which the sign-in at the network ends. Null if Meydan renews it, and for accounts without a sign-in.',
      }),
    ),
    checked_at: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'Time of the last check with `POST /accounts/{id}/check`.' }),
    ),
    last_published_at: nullable(
      Type.Unsafe<Date>({
        ...Time,
        description: 'Time at which a post was last published there. Erased posts do not count.',
      }),
    ),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'Account' },
)

/** The other fields are the network's own form, and are validated against it. */
export const NewAccount = Type.Object(
  {
    network: NetworkId,
    name: Type.Optional(AccountName),
  },
  {
    title: 'NewAccount',
    additionalProperties: Type.String({ maxLength: 1000 }),
    description: "Also takes the fields of the network's form, as listed by `GET /accounts/networks`.",
  },
)

export const ChangeAccount = Closed(
  {
    name: Type.Optional(AccountName),
    paused: Type.Optional(
      Type.Boolean({
        description: 'Pauses or resumes the account. Posts that are due while it is paused fail.',
        examples: [true],
      }),
    ),
    signature: Type.Optional(nullable(Signature)),
  },
  { title: 'ChangeAccount', minProperties: 1, examples: [{ name: 'Bakery' }] },
)

export const MentionsQuery = Closed({
  query: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Beginning of a name or handle, or a whole handle, with or without `@` before it.',
    examples: ['bak'],
  }),
})

export const Mentionables = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        name: Type.String({ maxLength: 400, description: 'Name on the network.', examples: ['Bakery'] }),
        handle: Type.String({ maxLength: 400, examples: ['bakery'] }),
        text: Type.String({
          maxLength: 400,
          description: 'Text that mentions the account when it is written into a post.',
          examples: ['@bakery'],
        }),
      }),
      { maxItems: 10 },
    ),
  },
  { title: 'Mentionables' },
)

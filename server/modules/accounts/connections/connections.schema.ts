import { Type } from 'typebox'
import { Closed, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { OAuthNetworkId, oauthNetworkExample } from '../../networks/networks.schema.ts'

const ExternalId = Type.String({
  minLength: 1,
  maxLength: 400,
  description: 'Id of the account at its network.',
  examples: ['8675309'],
})

/** Reasons of failed sign-ins. */
const failureCodes = [
  ...(['expired', 'denied', 'scopes_missing', 'no_account'] as const),
  ...(['refused', 'unreachable', 'app_refused', 'app_changed', 'app_forgotten', 'not_allowed'] as const),
] as const
export type FailureCode = (typeof failureCodes)[number]

export const Connection = Type.Object(
  {
    id: idOf('connection'),
    network: OAuthNetworkId,
    instance: nullable(
      Type.String({
        maxLength: 400,
        description: 'Address of the server at which the user signs in. Null for networks with one server.',
        examples: ['https://social.example.com'],
      }),
    ),
    app: Type.Enum(['workspace', 'instance'], {
      type: 'string',
      description:
        'App with which the user signs in. `workspace`: that of the workspace. `instance`: that of the instance, or one that Meydan registered at the server.',
      examples: ['instance'],
    }),
    status: Type.Enum(['waiting', 'choose', 'connected', 'failed'], {
      type: 'string',
      description:
        'Status of the sign-in. `waiting`: the browser is at the network. `choose`: several accounts can be connected. `failed`: `error` has the reason.',
      examples: ['choose'],
    }),
    candidates: Type.Array(
      Type.Object({
        external_id: ExternalId,
        name: Type.String({ maxLength: 400, examples: ['Bakery'] }),
        handle: Type.String({ maxLength: 400, examples: ['bakery'] }),
        kind: Type.String({ maxLength: 40, description: 'Type of the account at the network.', examples: ['page'] }),
        avatar_url: nullable(Type.String({ maxLength: 2000 })),
        connected: Type.Boolean({ description: 'Whether the workspace has this account already.' }),
      }),
      { maxItems: 500, description: 'Accounts to choose from. Empty unless the status is `choose`.' },
    ),
    account_ids: Type.Array(idOf('account'), { maxItems: 500, description: 'Connected accounts.' }),
    error: nullable(
      Type.Object({
        code: Type.Enum([...failureCodes], {
          type: 'string',
          description: 'Reason of the failure.',
          examples: ['denied'],
        }),
        message: Type.String({ maxLength: 400, examples: ['The user canceled the sign-in.'] }),
      }),
    ),
    created_at: Time,
    expires_at: Type.Unsafe<Date>({ ...Time, description: 'Time until which the sign-in or the choice is possible.' }),
  },
  { title: 'Connection' },
)

export const StartedConnection = Type.Object(
  {
    ...Connection.properties,
    authorize_url: nullable(
      Type.String({
        maxLength: 4000,
        description:
          'Page of the network to open in the browser of the user. It is returned once: null for a repeated Idempotency-Key.',
        examples: ['https://network.example/oauth/authorize?response_type=code&client_id=86xu4f0zq1'],
      }),
    ),
  },
  { title: 'StartedConnection' },
)

export const NewConnection = Closed(
  {
    network: OAuthNetworkId,
    instance: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 400,
        description:
          'Server that the account is on, for a network whose `connect.instance` is not null, and for no other: its name such as `social.example.com`, its address, the address of a profile, or a handle.',
        examples: ['social.example.com'],
      }),
    ),
  },
  { title: 'NewConnection', examples: [{ network: oauthNetworkExample }] },
)

export const Choice = Closed(
  { external_ids: Type.Array(ExternalId, { minItems: 1, maxItems: 500, uniqueItems: true }) },
  { title: 'ConnectionChoice' },
)

const text = (description: string, maxLength: number) => Type.Optional(Type.String({ maxLength, description }))

/** Parameters with which a network sends the browser back (RFC 6749, section 4.1.2). Some networks add their own. */
export const Returned = Type.Object(
  {
    state: text('Value that Meydan gave to the network.', 200),
    code: text('Code to exchange for tokens.', 4000),
    iss: text('Issuer of the code (RFC 9207).', 2000),
    error: text('Reason why the sign-in failed.', 200),
    error_description: text('The reason for people.', 2000),
  },
  { additionalProperties: true },
)

const textOf = (example: string, description?: string) =>
  Type.String({ maxLength: 2000, examples: [example], ...(description && { description }) })
const listOf = (example: string) => Type.Array(textOf(example), { maxItems: 20 })
const clientAddress = 'https://meydan.example.com/api/v1/accounts/oauth/clients/n4bQgYhMfWWaL-qgxVrQFa'

/** Description that servers of a network read at the `client_id` of Meydan. */
export const ClientMetadata = Type.Object(
  {
    client_id: textOf(clientAddress, 'This address.'),
    client_name: textOf('Meydan'),
    client_uri: textOf('https://meydan.example.com'),
    redirect_uris: listOf(clientAddress.replace('/clients/', '/callback/')),
    grant_types: listOf('authorization_code'),
    response_types: listOf('code'),
    scope: textOf('atproto transition:generic', 'Permissions that Meydan asks for.'),
    application_type: textOf('web'),
    token_endpoint_auth_method: textOf('private_key_jwt'),
    token_endpoint_auth_signing_alg: textOf('ES256'),
    dpop_bound_access_tokens: Type.Boolean({ description: 'Tokens are bound to a key (RFC 9449).' }),
    jwks: Type.Object(
      {
        keys: Type.Array(Type.Record(Type.String(), textOf('EC')), {
          examples: [
            [{ kty: 'EC', crv: 'P-256', x: 'f83OJ3D2xF1B', y: 'x_FEzRu9m36H', kid: '1', alg: 'ES256', use: 'sig' }],
          ],
          maxItems: 20,
          description: 'Public keys with which Meydan proves its requests for tokens (RFC 7517).',
        }),
      },
      { description: 'Public keys.' },
    ),
  },
  { title: 'ClientMetadata' },
)

export const SeeOther = Type.Unsafe<void>(
  Type.Null({ description: 'Redirects the browser to the page of the sign-in in the console.' }),
)

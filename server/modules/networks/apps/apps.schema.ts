import { Type } from 'typebox'
import { Closed, Count, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { NetworkInfo, OAuthNetworkId } from '../networks.schema.ts'

/** Printable ASCII, as ids and secrets of all networks are. */
const credentialPattern = '^[\\x21-\\x7e]+$'

const ClientId = Type.String({
  minLength: 1,
  maxLength: 400,
  pattern: credentialPattern,
  description: 'Id of the app at the network.',
  examples: ['86xu4f0zq1'],
})

export const AppParams = Closed({ network: OAuthNetworkId })

export const NetworkApp = Type.Object(
  {
    network: OAuthNetworkId,
    name: Type.String({ maxLength: 80, examples: ['Network'] }),
    icon: NetworkInfo.properties.icon,
    client_id: nullable(ClientId),
    client_secret: Type.Object({
      set: Type.Boolean(),
      last4: nullable(Type.String({ maxLength: 4, examples: ['x9Qa'] })),
    }),
    redirect_uri: Type.String({
      maxLength: 2000,
      description: 'Address to enter at the network. It must be there exactly so.',
      examples: ['https://meydan.example.com/api/v1/accounts/oauth/callback'],
    }),
    privacy_uri: Type.String({
      maxLength: 2000,
      description: 'Address of the privacy page of this instance, which networks ask for.',
      examples: ['https://meydan.example.com/privacy'],
    }),
    notice_uris: nullable(
      Type.Object(
        {
          deauthorize: Type.String({
            maxLength: 2000,
            description: 'Address at which the network reports that a person removed the app.',
            examples: ['https://meydan.example.com/network-notices/network/deauthorize'],
          }),
          data_deletion: Type.String({
            maxLength: 2000,
            description: 'Address at which the network reports that a person wants their data deleted.',
            examples: ['https://meydan.example.com/network-notices/network/data-deletion'],
          }),
        },
        { description: 'Addresses to enter at the network. Null if it sends no notices.' },
      ),
    ),
    scopes: Type.Array(Type.String({ maxLength: 200, examples: ['w_member_social'] }), {
      maxItems: 50,
      description: 'Permissions that Meydan asks for.',
    }),
    registration: Type.Object({
      url: Type.String({
        maxLength: 2000,
        description: 'Page of the network on which apps are registered.',
        examples: ['https://developers.example.com/apps'],
      }),
      steps: Type.Array(Type.String({ maxLength: 400, examples: ['Create an app.'] }), {
        maxItems: 20,
        description: 'Steps in their order.',
      }),
      works_for: Type.Enum(['everyone', 'own_accounts', 'none'], {
        type: 'string',
        description:
          'Accounts that can publish before the network has reviewed the app. `everyone`: no review. `own_accounts`: those of people with a role in the app. `none`: nothing works without an approval.',
      }),
      notes: nullable(Type.String({ maxLength: 600, description: 'Costs, reviews and limits.' })),
    }),
    api_version: nullable(
      Type.Object(
        {
          version: Type.String({ maxLength: 40, description: 'Version of the API in use.', examples: ['202608'] }),
          served_until: nullable(
            Type.String({
              format: 'date',
              maxLength: 10,
              description: 'Day until which the network serves this version. Null if it has not announced one.',
              examples: ['2027-08-15'],
            }),
          ),
          state: Type.Enum(['served', 'ending', 'ended'], {
            type: 'string',
            description: '`ending`: the version ends within 120 days. `ended`: `served_until` has passed.',
          }),
        },
        { description: 'Null if the API has no versions that end.' },
      ),
    ),
    accounts: Count('Number of connected accounts.', 3),
    refused_at: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'Time at which the network refused the app. Null if it accepts it.' }),
    ),
    refused_reason: nullable(Type.String({ maxLength: 400 })),
    updated_at: nullable(Type.Unsafe<Date>({ ...Time, description: 'Null if the app is not set up.' })),
    version: Count('Number of changes. 0 if the app is not set up.', 1),
  },
  { title: 'NetworkApp' },
)

/** App of a workspace. */
export const WorkspaceNetworkApp = Type.Object(
  {
    ...NetworkApp.properties,
    app_in_use: Type.Enum(['workspace', 'instance', 'none'], {
      type: 'string',
      description:
        'App with which members of the workspace sign in. `workspace`: its own. `instance`: that of the instance. `none`: the network is not offered to them.',
    }),
  },
  { title: 'WorkspaceNetworkApp' },
)

export const NetworkAppInput = Closed(
  {
    client_id: ClientId,
    client_secret: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        pattern: credentialPattern,
        description: 'Secret of the app. Without it the stored one stays.',
      }),
    ),
  },
  { title: 'NetworkAppInput', examples: [{ client_id: '86xu4f0zq1', client_secret: 'WPL_AP1.0kB3nE.c2VjcmV0' }] },
)

export const NetworkAppTest = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the network accepts id and secret.' }),
    message: nullable(Type.String({ maxLength: 400, description: 'Reason of the network. Null if `ok`.' })),
  },
  { title: 'NetworkAppTest' },
)

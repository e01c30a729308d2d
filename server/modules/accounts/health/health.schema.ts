import { Type } from 'typebox'
import { Count, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { Account } from '../accounts.schema.ts'

/** Reasons in the order in which they are listed. */
export const reasonCodes = [
  'sign_in_ended',
  'credentials_refused',
  'app_missing',
  'app_refused',
  'permission_missing',
  'paused_by_limit',
  'paused_by_member',
  'sign_in_ends_soon',
  'renewal_failed',
  'last_publish_failed',
  'optional_permission_missing',
] as const

const Reason = Type.Object(
  {
    code: Type.Enum([...reasonCodes], {
      type: 'string',
      description:
        'Code of the reason. `sign_in_ended` and `credentials_refused`: connect the account again. `app_missing` and `app_refused`: an instance admin sets up the app of the network. `permission_missing`: sign in again and grant all permissions. `paused_by_limit` and `paused_by_member`: resume the account. `sign_in_ends_soon`: sign in again before `sign_in_ends_at`. `renewal_failed`: Meydan tries again. `last_publish_failed`: the last post failed here. `optional_permission_missing`: posts are published, but for what needs the permission.',
    }),
    message: nullable(
      Type.String({
        maxLength: 400,
        description: 'Message of the network. Null without one.',
        examples: ['The token was revoked.'],
      }),
    ),
    permissions: Type.Array(Type.String({ maxLength: 200 }), {
      maxItems: 100,
      description: 'Names of the missing permissions at the network.',
      examples: [[]],
    }),
    post_id: nullable(idOf('post', 'Id of the post that failed, for `last_publish_failed`.')),
  },
  { title: 'AccountHealthReason' },
)

export const AccountHealth = Type.Object(
  {
    account_id: idOf('account', 'Id of the account.'),
    network: Account.properties.network,
    name: Account.properties.name,
    handle: Account.properties.handle,
    avatar_url: Account.properties.avatar_url,
    connected_by: Account.properties.connected_by,
    instance: nullable(
      Type.String({
        maxLength: 400,
        description:
          'Address of the server at which its owner signed in, to name in `POST /accounts/connections`. Null for networks with one server, and without a sign-in.',
        examples: ['https://social.example.com'],
      }),
    ),
    state: Type.Enum(['ok', 'needs_attention', 'disconnected'], {
      type: 'string',
      description:
        'State of the account. `needs_attention`: posts fail or will fail unless somebody acts on the reasons. `disconnected`: the network no longer accepts the credentials, and nothing is published.',
    }),
    reasons: Type.Array(Reason, {
      maxItems: reasonCodes.length,
      description: 'Reasons for the state, the most urgent first.',
      examples: [[]],
    }),
    sign_in_ends_at: Account.properties.sign_in_ends_at,
    sign_in_days_left: nullable(
      Count(
        'Whole days until the sign-in ends. Null if Meydan renews it, and for accounts without a sign-in that ends.',
        9,
      ),
    ),
    scheduled_posts: Count('Number of scheduled posts that are to be published there.', 3),
    next_post_at: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'Time of the earliest of these posts. Null if there are none.' }),
    ),
    checked_at: Account.properties.checked_at,
    last_published_at: Account.properties.last_published_at,
  },
  { title: 'AccountHealth' },
)

export const AccountCheck = Type.Object(
  {
    status: Type.Enum(['none', 'running', 'completed'], {
      type: 'string',
      description: 'Status of the check. `none`: no check was started yet.',
    }),
    total: Count('Number of accounts to check.', 12),
    checked: Count('Number of accounts that were checked.', 5),
    disconnected: Count('Number of checked accounts that are disconnected.', 1),
    unreachable: Count('Number of checked accounts whose network did not confirm or reject the credentials.'),
    started_at: nullable(Type.Unsafe<Date>({ ...Time, description: 'Time at which the check was started.' })),
    completed_at: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'Time at which the check ended. Null while it runs.' }),
    ),
  },
  { title: 'AccountCheck' },
)

import { type Static, Type } from 'typebox'
import { Closed, Count, idOf, nullable, Time } from '../../lib/http/schema/schema.ts'
import { NetworkId } from '../networks/networks.schema.ts'

const MOST_POSTS = 1000

export const Release = Closed(
  {
    posts: Type.Enum(['publish', 'unschedule'], {
      type: 'string',
      description:
        '`publish`: due posts are published now. `unschedule`: they become drafts. One that was being published fails with `unconfirmed` on the accounts where that had not ended.',
    }),
    publish_post_ids: Type.Optional(
      Type.Array(idOf('post'), {
        maxItems: MOST_POSTS,
        uniqueItems: true,
        description: 'Due posts that are published although `posts` is `unschedule`.',
      }),
    ),
    deliveries: Type.Enum(['send', 'drop'], {
      type: 'string',
      description: '`send`: waiting deliveries are sent with their former `webhook-id`. `drop`: they are deleted.',
    }),
    mails: Type.Enum(['send', 'keep'], {
      type: 'string',
      description: '`send`: queued e-mails are sent. `keep`: they stay in the outbox, where each can be sent.',
    }),
    agents: Type.Optional(
      Type.Enum(['run', 'skip'], {
        type: 'string',
        default: 'run',
        description:
          '`run`: due agents run now, unless they are too late. `skip`: they run at their next time, and the run of now is recorded as skipped.',
      }),
    ),
    subscriptions: Type.Optional(
      Type.Enum(['run', 'skip'], {
        type: 'string',
        default: 'run',
        description:
          '`run`: due renewals are invoiced, and payers are reminded. `skip`: neither happens for what is due. Periods end, and payment processors are asked, in both cases.',
      }),
    ),
  },
  { title: 'Release', examples: [{ posts: 'unschedule', deliveries: 'drop', mails: 'keep' }] },
)

export const Hold = Type.Object(
  {
    held: Type.Boolean({
      description: 'Whether the installation is held: it was restored from a backup, and nothing goes out.',
    }),
    data_until: Type.Unsafe<Date | null>({
      ...nullable(Time),
      description: 'Time of the backup. Later changes are lost. Null if the installation is not held.',
    }),
    restored_at: Type.Unsafe<Date | null>({ ...nullable(Time), description: 'Null if the installation is not held.' }),
    release: Type.Unsafe<Static<typeof Release> | null>({
      ...nullable(Release),
      description: 'Choices of a release that has begun, and goes on with these alone. Null if none has.',
    }),
    due_posts: Count('Posts whose scheduled time has passed, or that were being published.'),
    waiting_deliveries: Count('Deliveries of events to webhooks.'),
    queued_mails: Count('E-mails that are not sent yet.'),
    due_agents: Count('Agents whose scheduled time has passed.'),
    due_subscriptions: Count('Subscriptions that are due to be renewed, reminded of or ended.'),
  },
  { title: 'Hold' },
)

export const DuePost = Type.Object(
  {
    id: idOf('post'),
    workspace_id: idOf('workspace'),
    workspace_name: Type.String({ maxLength: 80, examples: ['Simit Sarayı'] }),
    scheduled_at: Time,
    excerpt: Type.String({
      maxLength: 200,
      description: 'First 200 characters of the text.',
      examples: ['Fresh simit from six in the morning.'],
    }),
    networks: Type.Array(NetworkId, { maxItems: 100, description: 'Networks of its accounts.' }),
  },
  { title: 'DuePost' },
)

export const Released = Type.Object(
  {
    unscheduled_posts: Count('Posts that became drafts, or failed because they were being published.'),
    dropped_deliveries: Count('Deliveries that were deleted.'),
    kept_mails: Count('E-mails that stay in the outbox.'),
    skipped_runs: Count('Runs of agents that were skipped.'),
    skipped_renewals: Count('Subscriptions that are not invoiced or reminded of.'),
  },
  { title: 'Released' },
)

import { Type } from 'typebox'
import { Closed, Count, idOf, nullable } from '../../lib/http/schema/schema.ts'

const Version = (description: string) =>
  Type.String({
    maxLength: 64,
    description: `${description} Another value means that something changed. It has no order.`,
    examples: ['9e107d9d372bb6826bd81d3542a419d6'],
  })

export const Pulse = Type.Object(
  {
    notifications: Type.Object(
      {
        unread: Count('Number of groups with an unread notification, counted up to 100.', 3),
        newest_id: nullable(idOf('notification', 'Id of the newest notification. Null without one.')),
      },
      { description: 'Your notifications of all workspaces.' },
    ),
    outbox: nullable(Version('State of the outbox of this installation. Null unless you are an instance admin.')),
    workspace: nullable(
      Type.Object(
        {
          id: idOf('workspace'),
          posts: Version('State of the posts: changes and deletions.'),
          accounts: Version('State of the accounts.'),
          reviews: Version('State of what posts in review wait for, besides changes of posts.'),
          orders: Version('State of the orders that the workspace placed or received.'),
          agents: Version('State of the agents and their last runs.'),
          webhooks: Version('State of the webhooks and their deliveries.'),
          tokens: Version('State of the API tokens of the workspace, and when each was used.'),
        },
        { description: 'Null if the query names no workspace of yours.' },
      ),
    ),
  },
  { title: 'Pulse' },
)

export const PulseQuery = Closed({
  workspace_id: Type.Optional(idOf('workspace', 'Workspace whose changes are of interest.')),
})

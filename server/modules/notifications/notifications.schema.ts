import { Type } from 'typebox'
import { PageQuery } from '../../lib/db/page.ts'
import { Closed, Count, idOf, nullable, Time } from '../../lib/http/schema/schema.ts'
import { PersonName } from '../auth/auth.schema.ts'
import { KindName } from './preferences.schema.ts'

export const Notification = Type.Object(
  {
    id: idOf('notification', 'Id of the newest notification of the group.'),
    kind: KindName,
    workspace: nullable(
      Type.Object(
        {
          id: idOf('workspace'),
          name: Type.String({ maxLength: 80, examples: ['Bakery'] }),
          slug: Type.String({ maxLength: 80, examples: ['bakery'] }),
        },
        { description: 'Null for what is about the installation, which only instance admins see.' },
      ),
    ),
    subject: Type.Object({
      type: Type.Enum(['post', 'account', 'recurring_post', 'agent', 'order', 'workspace', 'installation'], {
        description: 'Kind of record that the newest notification is about.',
        examples: ['post'],
      }),
      id: idOf('post', 'Id of the subject. All zeros for the installation.'),
      name: Type.String({
        maxLength: 500,
        description: 'Its name at that time, such as the beginning of a post.',
        examples: ['Fresh simit from seven in the morning.'],
      }),
    }),
    detail: nullable(
      Type.String({
        maxLength: 500,
        description:
          'Reason: a message of a network, the words of a rejection, or a code. For orders, a code of the change.',
        examples: ['The account is disconnected.'],
      }),
    ),
    actor: nullable(
      Type.Object(
        { id: idOf('user'), name: PersonName },
        { description: 'The member who acted. Null if nobody did, or the user no longer exists.' },
      ),
    ),
    count: Count('Number of notifications in the group.', 1),
    subjects: Count('Number of records that the group is about, such as posts.', 1),
    unread: Type.Boolean({ description: 'Whether one of the group is unread.', examples: [true] }),
    created_at: Time,
  },
  {
    title: 'Notification',
    description:
      'Notifications of one kind about one subject, shown as one. Failures of one account in an hour are one, and so are posts of one workspace that wait for approval or are late since the same hour.',
  },
)

export const NotificationQuery = Closed({
  ...PageQuery,
  state: Type.Optional(
    Type.Enum(['unread', 'read'], { description: 'Lists only those that are unread, or read.', examples: ['unread'] }),
  ),
})

export const ReadAll = Closed(
  {
    until: Type.Optional(
      idOf('notification', 'Marks only this notification and earlier ones, such as those that were shown.'),
    ),
  },
  { title: 'ReadAllNotifications' },
)

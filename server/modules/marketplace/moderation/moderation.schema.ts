import { Type } from 'typebox'
import { PageQuery } from '../../../lib/db/page.ts'
import { Closed, idOf, Line, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { UserWithEmail } from '../../auth/auth.schema.ts'
import { Gig } from '../gigs/gigs.schema.ts'

const Reason = Type.Enum(['spam', 'fraud', 'illegal', 'copyright', 'offensive', 'other'], {
  type: 'string',
  description: 'Reason.',
  examples: ['spam'],
})
const Text = Type.String({ maxLength: 2000, description: 'Details. Can be empty.', examples: ['Copied from my page.'] })
const Status = Type.Enum(['open', 'dismissed', 'upheld'], {
  type: 'string',
  description: 'Status. `upheld`: the gig was taken down while the report was open.',
  examples: ['open'],
})

export const NewGigReport = Closed({ reason: Reason, text: Type.Optional(Text) }, { title: 'NewGigReport' })
export const OwnGigReport = Type.Object(
  { id: idOf('gig_report'), gig_id: idOf('gig'), reason: Reason, text: Text, created_at: Time },
  { title: 'OwnGigReport' },
)

export const GigReport = Type.Object(
  {
    ...OwnGigReport.properties,
    gig_title: Gig.properties.title,
    gig_url: Gig.properties.url,
    status: Status,
    reporter: UserWithEmail('User who reported the gig.'),
    decided_by_id: nullable(idOf('user', 'Id of the instance admin who decided. Null before, and after deletion.')),
    decided_at: nullable(Type.Unsafe<Date>({ ...Time, description: 'Time of the decision. Null before.' })),
  },
  { title: 'GigReport' },
)
export const GigReportQuery = Closed({ ...PageQuery, status: Type.Optional(Status) })

export const AdminGig = Type.Object(
  {
    id: idOf('gig'),
    slug: Gig.properties.slug,
    url: Gig.properties.url,
    title: Gig.properties.title,
    price: Gig.properties.price,
    currency: Gig.properties.currency,
    status: Gig.properties.status,
    taken_down_at: Gig.properties.taken_down_at,
    take_down_reason: Gig.properties.take_down_reason,
    owner: UserWithEmail('Owner.'),
    workspace_id: idOf('workspace'),
    open_reports: Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'Number of open reports.',
      examples: [0],
    }),
    created_at: Time,
  },
  { title: 'AdminGig' },
)
export const AdminGigQuery = Closed({
  ...PageQuery,
  taken_down: Type.Optional(
    Type.Boolean({ description: 'Returns only gigs that are hidden, or only others.', examples: [true] }),
  ),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Returns only the gig with this id or slug, or the gigs of the owner with this e-mail address.',
      examples: ['ada@example.com'],
    }),
  ),
})
export const TakeDown = Closed(
  { reason: Line('Reason, which the owner reads', 'Copied pictures', 500) },
  { title: 'TakeDown' },
)

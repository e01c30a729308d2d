import { Type } from 'typebox'
import { declareEvents, exampleTime } from '../../../lib/events/event-type.ts'
import { By, exampleBy } from '../../auth/event-actor.ts'
import { ClientLink } from './client-links.schema.ts'

/** Events are kept longer than the address of the client. */
const { client_email: _, ...shown } = ClientLink.properties
const LinkOfEvent = Type.Object(shown, { title: 'ClientLinkOfEvent' })

const client_link = {
  id: '01994f02-6a41-7b93-a1c8-0d5e7f2b9c35',
  name: 'Bakery, March',
  starts_on: '2026-03-01',
  ends_on: '2026-03-31',
  account_ids: [],
  labels: [],
  may_decide: true,
  timezone: 'Europe/Istanbul',
  state: 'valid',
  created_by: exampleBy.id,
  expires_at: '2026-04-01T09:30:00.000Z',
  revoked_at: null,
  opened_at: null,
  opened_count: 0,
  locale: 'tr',
  mails_stopped_at: null,
  has_password: false,
  created_at: exampleTime,
}

export const clientLinkEvents = declareEvents({
  'client_link.created': {
    description: 'A member created a client link. The event contains neither its secret nor the address of the client.',
    data: Type.Object({ client_link: LinkOfEvent, by: By }),
    example: { client_link, by: exampleBy },
  },
  'client_link.revoked': {
    description: 'A member revoked a client link.',
    data: Type.Object({ client_link: LinkOfEvent, by: By }),
    example: { client_link: { ...client_link, state: 'revoked', revoked_at: exampleTime }, by: exampleBy },
  },
})

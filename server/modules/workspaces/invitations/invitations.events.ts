import { Type } from 'typebox'
import { declareEvents, exampleTime } from '../../../lib/events/event-type.ts'
import { exampleBy, examplePerson, Person } from '../../auth/event-actor.ts'
import { WorkspaceMember } from '../members/members.schema.ts'
import { Invitation } from './invitations.schema.ts'

export const invitationEvents = declareEvents({
  'team.invitation.accepted': {
    description: 'A user accepted an invitation and became a member.',
    data: Type.Object({
      invitation: Invitation,
      inviter: Person('User who sent the invitation.'),
      member: WorkspaceMember,
    }),
    example: {
      invitation: {
        id: '019951aa-3d70-7e64-b0f2-9a8c7d6e5f41',
        email: 'deniz@example.com',
        role: 'editor',
        state: 'accepted',
        invited_by: exampleBy.id,
        expires_at: '2026-03-08T12:00:00.000Z',
        created_at: '2026-03-01T12:00:00.000Z',
      },
      inviter: examplePerson,
      member: {
        id: '019954e1-f0b8-7a1d-8e39-5c4b3a2f1e07',
        name: 'Deniz Kaya',
        email: 'deniz@example.com',
        role: 'editor',
        two_factor_enabled: false,
        created_at: exampleTime,
      },
    },
  },
})

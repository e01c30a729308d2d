import { Type } from 'typebox'
import { Closed } from '../../../lib/http/schema/schema.ts'

const part = (maxLength: number, description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description, examples: [example] }))

export const Buyer = Closed(
  {
    name: part(60, 'First name.', 'Ada'),
    surname: part(60, 'Last name.', 'Yılmaz'),
    phone: Type.Optional(
      Type.String({
        maxLength: 16,
        pattern: '^\\+[1-9][0-9]{6,14}$',
        description: 'Phone number in international form.',
        examples: ['+905350000000'],
      }),
    ),
    identity_number: Type.Optional(
      Type.String({
        maxLength: 20,
        pattern: '^[0-9A-Za-z]{5,20}$',
        description: 'National identity number, or passport number.',
        examples: ['10000000146'],
      }),
    ),
  },
  {
    title: 'Buyer',
    description: 'The person who pays. Sent to the provider and not stored. iyzico requires all of it.',
  },
)

import { type Static, Type } from 'typebox'
import type { Member } from '../../lib/http/access.ts'
import { idOf, nullable } from '../../lib/http/schema/schema.ts'
import { Email, PersonName } from './auth.schema.ts'

/** The properties of a user who caused an event. */
export const by = {
  id: idOf('user', 'Id of the user.'),
  email: Email,
  token_id: nullable(idOf('token', 'Id of the API token that was used. Null for a session.')),
}
export const By = Type.Object(by, { description: 'The user who did it.' })

/** The caller as shown in events. */
export const doneBy = ({ user_id, email, token }: Member): Static<typeof By> => ({
  id: user_id,
  email,
  token_id: token?.id ?? null,
})

/** Another user in the data of an event, such as the author of a post. */
export const Person = (description: string) =>
  nullable(
    Type.Object(
      { id: idOf('user'), name: PersonName, email: Email },
      { description: `${description} Null if the user no longer exists.` },
    ),
  )

const id = '01993a4b-7c55-7e0a-8f43-6b2d9e01c7a4'
const email = 'ada@example.com'
/** The user of the examples. */
export const exampleBy = { id, email, token_id: null }
export const examplePerson = { id, name: 'Ada Yılmaz', email }

import { audit, system } from '../../../lib/db/audit.ts'
import type { Tx } from '../../../lib/db/database.ts'
import { storedEmail } from '../../../lib/email.ts'
import { findUser, forgetUnverified, lockAddress } from '../sign-in/sign-in.ts'

type Person = { id: string; email: string; name: string; locale: string; timezone: string }

/**
 * Finds the users with these addresses, and creates those that are missing. They have no password: the owner of the
 * mailbox chooses one by "Forgot password". Replaces an unverified sign-up, which another person may have made.
 */
export async function findOrCreatePeople(tx: Tx, people: Person[]) {
  const found: { was: string; id: string; email: string; isNew: boolean }[] = []
  for (const { id: was, email: typed, name, locale, timezone } of people) {
    const email = storedEmail(typed)
    await lockAddress(tx, email)
    await forgetUnverified(tx, email)
    const existing = await findUser(tx, email)
    if (existing) found.push({ was, id: existing.id, email, isNew: false })
    else found.push({ was, id: await createUser(tx, { email, name, locale, timezone }), email, isNew: true })
  }
  return found
}

async function createUser(tx: Tx, values: Omit<Person, 'id'>) {
  const { id } = await tx
    .insertInto('user')
    .values({ ...values, email_verified: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  await audit(tx, system(), 'user.created', id)
  return id
}

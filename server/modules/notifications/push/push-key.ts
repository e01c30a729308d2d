import { seal, unseal } from '../../../lib/crypto/crypto.ts'
import { inTransaction, newId } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'

type PushKeyDeps = Pick<Deps, 'db' | 'keyring'>

const contextOf = (id: string) => `push_key|${id}|private_key`

const findKey = ({ db }: PushKeyDeps) =>
  db.selectFrom('push_key').select(['id', 'public_key', 'private_key']).executeTakeFirst()

/** Reads the key pair of this installation. The first call makes it. */
async function ensureKey(deps: PushKeyDeps) {
  const known = await findKey(deps)
  if (known) return known
  // Loaded here, so that an installation without subscriptions starts without it.
  const { default: webPush } = await import('web-push')
  const { publicKey, privateKey } = webPush.generateVAPIDKeys()
  await inTransaction(deps.db, async (tx) => {
    const id = await newId(tx)
    const private_key = seal(deps.keyring, privateKey, contextOf(id))
    await tx
      .insertInto('push_key')
      .values({ id, public_key: publicKey, private_key })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
  const made = await findKey(deps)
  if (!made) throw new Error('The key pair for push services was deleted while it was made')
  return made
}

/** Reads the public half, with which browsers subscribe. */
export const readPushKey = async (deps: PushKeyDeps) => ({ public_key: (await ensureKey(deps)).public_key })

/** Reads both halves, which sign calls to push services. */
export async function readSigningKey(deps: PushKeyDeps) {
  const { id, public_key, private_key } = await ensureKey(deps)
  return { publicKey: public_key, privateKey: unseal(deps.keyring, private_key, contextOf(id)) }
}

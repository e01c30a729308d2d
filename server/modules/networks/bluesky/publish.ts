import { randomInt } from 'node:crypto'
import type { Deps } from '../../../lib/deps.ts'
import type { Publication, Published } from '../network.ts'
import { publishThread, type ThreadPart } from '../publish-thread.ts'
import { cardOf, withoutThumb } from './card.ts'
import { uploadMedia } from './media.ts'
import { firstLink, POST, postgateRecord, postRecord, type Ref, threadgateRecord } from './record.ts'
import { callServer, findRecord, isBlobMissing, putRecord } from './repository.ts'

const sortableDigits = '234567abcdefghijklmnopqrstuvwxyz'

/** Makes a record key in TID form (atproto specification): microseconds and a random clock id, in sortable base32. */
function newRecordKey(now: Date) {
  let rest = (BigInt(now.getTime()) * 1000n + BigInt(randomInt(1000))) * 1024n + BigInt(randomInt(1024))
  let key = ''
  for (let digit = 0; digit < 13; digit++) {
    key = sortableDigits[Number(rest % 32n)] + key
    rest /= 32n
  }
  return key
}

/** Committed before a record is created. */
type Intent = { rkey: string; record: Record<string, unknown> }

export const keyOf = ({ uri }: Pick<Ref, 'uri'>) => uri.split('/').at(-1) ?? ''

/** The address names the account by its DID, because handles change. */
const published = ({ account }: Publication, ref: Ref): Published => ({
  external_id: ref.uri,
  url: `https://bsky.app/profile/${account.external_id}/post/${keyOf(ref)}`,
})

/** An earlier version committed the record key only, which is enough to look the record up. */
export const intentOfKey = (rkey: string) => ({ rkey })

export async function publish(deps: Deps, publication: Publication): Promise<Published> {
  const root = await publishThread<Ref>(publication.parts, async (part) => {
    const post = await publishPart(deps, publication, part)
    await publishGates(deps, publication, { post, index: part.index })
    return post
  })
  return published(publication, root)
}

async function publishPart(
  deps: Deps,
  publication: Publication,
  { part, index, name, before: reply }: ThreadPart<Ref>,
): Promise<Ref> {
  const { step, now } = publication
  const toRecord = async () => {
    const embed = await embedOf(deps, publication, { part, index })
    return callServer(deps, publication, (methods) =>
      postRecord(methods, publication, { text: part.text, reply, embed }),
    )
  }
  return step(name, {
    part: index,
    intent: async (former?: Intent): Promise<Intent> => ({
      rkey: former?.rkey ?? newRecordKey(now),
      record: await toRecord(),
    }),
    run: async ({ rkey, record }) => {
      const write = { collection: POST, rkey, record, isNew: true }
      try {
        return await putRecord(deps, publication, write)
      } catch (thrown) {
        if (!isBlobMissing(thrown)) throw thrown
        // Servers delete files that no record names for a while. The same bytes have the same reference.
        if (part.media.length > 0) await uploadMedia(deps, publication, { part, index, isAgain: true })
        else write.record = withoutThumb(write.record)
        return putRecord(deps, publication, write)
      }
    },
    // We choose the record key, so the server refuses a second record.
    ifLost: { find: ({ rkey }) => findRecord(deps, publication, { collection: POST, rkey }), ifAbsent: 'repeat' },
  })
}

/** The files of a part, or the card of its first link. */
async function embedOf(deps: Deps, publication: Publication, { part, index }: Pick<ThreadPart<Ref>, 'part' | 'index'>) {
  if (part.media.length > 0) return uploadMedia(deps, publication, { part, index })
  const link = firstLink(part.text)
  if (link === undefined) return null
  return publication.prepare(`card ${index}`, { from: link, make: () => cardOf(deps, publication, link) })
}

/** Limits who may reply to the thread and quote its parts: records of their own, under the key of their post. */
async function publishGates(deps: Deps, publication: Publication, { post, index }: { post: Ref; index: number }) {
  const { step } = publication
  const gates = [
    ...(index === 0 ? [{ name: 'threadgate', record: threadgateRecord(publication, post) }] : []),
    { name: `postgate ${index}`, record: postgateRecord(publication, post) },
  ]
  for (const { name, record } of gates)
    if (record)
      await step(name, {
        run: () => putRecord(deps, publication, { collection: record.$type, rkey: keyOf(post), record, isNew: false }),
        ifLost: 'repeat',
      })
}

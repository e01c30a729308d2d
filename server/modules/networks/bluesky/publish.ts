import { randomInt } from 'node:crypto'
import type { AtpAgent } from '@atproto/api'
import type { Deps } from '../../../lib/deps.ts'
import { NetworkFault, type Publication, type Published } from '../network.ts'
import { networkFault, toFault } from './errors.ts'
import { loadLibrary, withAgent } from './session.ts'

const COLLECTION = 'app.bsky.feed.post'

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

/** A reference to a record, as replies name their parent. */
type Ref = { uri: string; cid: string }
type Reply = { root: Ref; parent: Ref }
/** What is committed before a record is created. `record` is null if an earlier version committed the key only. */
type Intent = { rkey: string; record: Record<string, unknown> | null }

/** The address names the account by its DID, because handles change. */
const published = ({ account }: Publication, { uri }: Ref): Published => ({
  external_id: uri,
  url: `https://bsky.app/profile/${account.external_id}/post/${uri.split('/').at(-1)}`,
})

export async function publish(deps: Deps, publication: Publication): Promise<Published> {
  const { parts, step, now } = publication
  let root: Ref | undefined
  let parent: Ref | undefined
  for (const [index, part] of parts.entries()) {
    const reply: Reply | undefined = root && parent && { root, parent }
    const toRecord = () => call(deps, publication, (agent) => recordOf(agent, publication, { text: part.text, reply }))
    parent = await step(`post ${index}`, {
      part: index,
      intent: async (): Promise<Intent> => ({ rkey: newRecordKey(now), record: await toRecord() }),
      run: async ({ rkey, record }) => createRecord(deps, publication, { rkey, record: record ?? (await toRecord()) }),
      // We choose the record key, so the server refuses a second record.
      ifLost: { find: ({ rkey }) => findRecord(deps, publication, rkey), ifAbsent: 'repeat' },
    })
    root ??= parent
  }
  if (!root) throw new Error('A publication has at least one part')
  return published(publication, root)
}

/** Calls the server of the account. Throws a `NetworkFault`. */
async function call<T>(deps: Deps, publication: Publication, work: (agent: AtpAgent) => Promise<T>) {
  try {
    return await withAgent(deps, publication, work)
  } catch (thrown) {
    throw networkFault(thrown)
  }
}

/** Accepts a response that is about the record it was asked for. Another one says nothing about ours. */
function refOf({ account }: Publication, rkey: string, { uri, cid }: { uri: string; cid?: string | undefined }): Ref {
  if (uri === `at://${account.external_id}/${COLLECTION}/${rkey}` && cid !== undefined) return { uri, cid }
  const message = 'The server responded about another record than the one it was asked for.'
  throw new NetworkFault({ kind: 'unconfirmed', message })
}

const createRecord = (deps: Deps, publication: Publication, { rkey, record }: Intent & { record: object }) =>
  call(deps, publication, async (agent) => {
    const { data } = await agent.com.atproto.repo.createRecord({
      repo: publication.account.external_id,
      collection: COLLECTION,
      rkey,
      record: { ...record },
    })
    return refOf(publication, rkey, data)
  })

const findRecord = (deps: Deps, publication: Publication, rkey: string) =>
  call(deps, publication, async (agent) => {
    try {
      const { data } = await agent.com.atproto.repo.getRecord({
        repo: publication.account.external_id,
        collection: COLLECTION,
        rkey,
      })
      return refOf(publication, rkey, data)
    } catch (thrown) {
      const { error, message } = toFault(thrown)
      // Servers use either form.
      if (error === 'RecordNotFound' || /could not locate record/i.test(message)) return 'absent'
      throw thrown
    }
  })

/** Makes the record of a post. Resolving its mentions takes calls. */
async function recordOf(
  agent: AtpAgent,
  { options, now }: Publication,
  { text: content, reply }: { text: string; reply: Reply | undefined },
) {
  const { RichText, AppBskyRichtextFacet } = await loadLibrary()
  const text = new RichText({ text: content })
  // The library's own resolution puts an empty DID in place of a handle that it could not look up, for any reason.
  text.detectFacetsWithoutResolution()
  const resolved = await Promise.all(
    (text.facets ?? []).map(async (facet) => {
      const mention = facet.features.find((feature) => AppBskyRichtextFacet.isMention(feature))
      if (!mention) return facet
      const did = await resolveHandle(agent, mention.did)
      return did === undefined ? [] : { ...facet, features: [{ ...mention, did }] }
    }),
  )
  const facets = resolved.flat()
  return {
    $type: COLLECTION,
    text: text.text,
    ...(facets.length > 0 && { facets }),
    ...(reply && { reply }),
    ...options,
    createdAt: now.toISOString(),
  }
}

/** The DID of a mentioned handle; undefined when it is nobody's. Throws when the server gives no clear response. */
async function resolveHandle(agent: AtpAgent, handle: string) {
  try {
    return (await agent.com.atproto.identity.resolveHandle({ handle })).data.did
  } catch (thrown) {
    const { status, error } = toFault(thrown)
    if (status === 400 && ['InvalidRequest', 'HandleNotFound', 'InvalidHandle'].includes(error)) return undefined
    throw thrown
  }
}

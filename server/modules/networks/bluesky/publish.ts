import { randomInt } from 'node:crypto'
import type { AtpAgent } from '@atproto/api'
import type { Deps } from '../../../lib/deps.ts'
import type { Finding, Outcome, Publication } from '../network.ts'
import { notSent, postponement, sent, toFault } from './errors.ts'
import { loadLibrary, withAgent } from './session.ts'

const COLLECTION = 'app.bsky.feed.post'

const sortableDigits = '234567abcdefghijklmnopqrstuvwxyz'

/** Makes a record key in TID form (atproto specification): microseconds and a random clock id, in sortable base32. */
export function newRecordKey(now: Date) {
  let rest = (BigInt(now.getTime()) * 1000n + BigInt(randomInt(1000))) * 1024n + BigInt(randomInt(1024))
  let key = ''
  for (let digit = 0; digit < 13; digit++) {
    key = sortableDigits[Number(rest % 32n)] + key
    rest /= 32n
  }
  return key
}

const uriOf = ({ account, attempt_key }: Publication) => `at://${account.external_id}/${COLLECTION}/${attempt_key}`

/** The address names the account by its DID, because handles change. */
const published = (publication: Publication) =>
  ({
    kind: 'published',
    external_id: uriOf(publication),
    url: `https://bsky.app/profile/${publication.account.external_id}/post/${publication.attempt_key}`,
  }) as const

/** A response about another record says nothing about ours. */
const otherRecord = 'The server responded about another record than the one it was asked for.'

export async function publish(deps: Deps, publication: Publication): Promise<Outcome> {
  const { account, attempt_key: rkey } = publication
  let isSent = false
  try {
    const { data } = await withAgent(deps, publication, async (agent) => {
      const record = await toRecord(agent, publication)
      isSent = true
      return agent.com.atproto.repo.createRecord({
        repo: account.external_id,
        collection: COLLECTION,
        rkey,
        record,
      })
    })
    return data.uri === uriOf(publication) ? published(publication) : { kind: 'unconfirmed', message: otherRecord }
  } catch (thrown) {
    const outcome = isSent ? sent(toFault(thrown)) : notSent(toFault(thrown))
    return isSent && outcome.kind === 'failed' ? refused(deps, publication, outcome) : outcome
  }
}

export async function find(deps: Deps, publication: Publication): Promise<Finding> {
  const { account, attempt_key: rkey } = publication
  try {
    const { data } = await withAgent(deps, publication, (agent) =>
      agent.com.atproto.repo.getRecord({ repo: account.external_id, collection: COLLECTION, rkey }),
    )
    return data.uri === uriOf(publication) ? published(publication) : { kind: 'unknown', message: otherRecord }
  } catch (thrown) {
    const fault = toFault(thrown)
    // Servers use either form.
    const absent = fault.error === 'RecordNotFound' || /could not locate record/i.test(fault.message)
    return absent ? { kind: 'absent' } : { kind: 'unknown', message: fault.message, ...postponement(fault) }
  }
}

/**
 * Checks a refusal. A server also refuses a key that it has already, from an earlier attempt that arrived after the
 * lookup. So it counts only if the record is absent.
 */
async function refused(deps: Deps, publication: Publication, outcome: Outcome & { kind: 'failed' }): Promise<Outcome> {
  if (outcome.code !== 'rejected_by_network') return outcome
  const finding = await find(deps, publication)
  if (finding.kind === 'published') return finding
  return finding.kind === 'absent' ? outcome : { ...finding, kind: 'unconfirmed', message: outcome.message }
}

/** Makes the record of a post. Resolving its mentions takes calls. */
async function toRecord(agent: AtpAgent, { content, options, now }: Publication) {
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

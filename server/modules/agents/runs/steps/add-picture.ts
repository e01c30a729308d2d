import { Problem, problem } from '../../../../errors.ts'
import { inTransaction, type Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { CREDITS } from '../../../ai/generate.ts'
import { makeImages } from '../../../ai/images.ts'
import { storeCard } from '../../../media/card.ts'
import { readMediaForPost } from '../../../media/media.ts'
import { assertRoom, assertStorage, recordMedia } from '../../../media/upload/upload.ts'
import { verdictOf } from '../../drafts/checks.ts'
import type { Draft } from '../../drafts/draft.ts'
import { accountsThatAccept, accountsWithPictures, altOf, cardOf, imagePromptOf } from '../../pictures/picture.ts'
import { wantedPicture } from '../../record/agent-config.ts'
import { chargeTo } from '../../record/budget.ts'
import type { Step } from './begin-step.ts'
import { holdClaim } from './claim.ts'
import { placePost } from './place-post.ts'
import { settleItem } from './settle-item.ts'

type Accepted = Step & { item: { draft: Draft } }

const CARD_BYTES = 1_000_000

/** Whether the next call of a run is for the picture of a text that is accepted. */
export const isForPicture = (step: Step): step is Accepted =>
  step.item.draft !== null && (step.item.picture === 'image' || step.item.picture === 'card')

/** Returns what to make for a text that was accepted, or the reason for making nothing. null: its agent wants nothing. */
export function nextPicture({ config, accounts }: Pick<Step, 'config' | 'accounts'>, draft: Draft) {
  const picture = wantedPicture(config)
  if (picture === null) return null
  if (accountsWithPictures(accounts, draft).length === 0) return leftOut('not_accepted')
  if (picture === 'card' && !cardOf(config, draft)) return leftOut('letters')
  return { picture, picture_reason: null }
}

const leftOut = (picture_reason: string) => ({ picture: 'left_out' as const, picture_reason })

/** Makes the picture of a text, and writes the post with it in the transaction that keeps the picture. */
export const addPicture = (deps: Deps, step: Accepted) =>
  step.item.picture === 'image' ? addImage(deps, step) : addCard(deps, step)

const isDoubtful = ({ item }: Accepted) => verdictOf(item.checks, item.generation_ids.length) === 'review'

function addImage(deps: Deps, step: Accepted) {
  const { item, member, config, accounts } = step
  const { draft } = item
  const prompt = imagePromptOf(config, draft)
  const alt = altOf(draft.image_alt || draft.topic, accounts)
  const charge = chargeTo(step.agent_id, deps.clock.now())
  const options = { signals: [], complete: async () => undefined, charge }
  return makeImages(deps, member, { prompt }, options, async (tx, { keep }) => {
    await holdClaim(tx, step)
    const [file] = await keep({ alt, sent_name: draft.topic })
    if (!file?.media_id) throw problem('ai_unavailable', { detail: 'The AI provider did not return an image.' })
    await placeWith(deps, tx, step, file.media_id, CREDITS.image)
  })
}

async function addCard(deps: Deps, step: Accepted) {
  const { item, member, config, accounts, workspace_id } = step
  const card = cardOf(config, item.draft)
  if (!card) return inTransaction(deps.db, (tx) => leaveOut(deps, tx, step, 'letters'))
  await assertRoom(deps, member, CARD_BYTES)
  const stored = await storeCard(deps, workspace_id, card)
  await inTransaction(deps.db, async (tx) => {
    await holdClaim(tx, step)
    const fields = { alt: altOf(card.text, accounts), sent_name: card.text }
    const { id, isNew } = await recordMedia(tx, deps, member, stored, fields)
    if (isNew) await assertStorage(tx, workspace_id, stored.facts.bytes, deps.clock.now())
    await placeWith(deps, tx, step, id, 0)
  })
}

/** Writes the post with its picture, for the accounts that accept it. */
async function placeWith(deps: Deps, tx: Tx, step: Accepted, media_id: string, credits: number) {
  const { item, accounts, workspace_id } = step
  const [media] = await readMediaForPost(tx, workspace_id, [media_id])
  const accepting = media ? accountsThatAccept(accounts, item.draft, media) : []
  const picture = media && accepting.length > 0 ? { media_id: media.id, accounts: accepting } : undefined
  const placed = await placePost(deps, tx, step, { draft: item.draft, isDoubtful: isDoubtful(step), picture })
  const noted = picture ? { picture: 'added' as const } : leftOut('not_accepted')
  await settleItem(deps, tx, step, { ...placed, ...noted }, credits)
}

/** Goes on without the picture that failed: with a card in place of an image, or else with the text alone. */
export async function leaveOut(deps: Deps, tx: Tx, step: Accepted, reason: string) {
  const { item, config } = step
  if (item.picture === 'image' && config.design && cardOf(config, item.draft))
    return settleItem(deps, tx, step, { picture: 'card', picture_reason: reason }, 0)
  const placed = await placePost(deps, tx, step, { draft: item.draft, isDoubtful: isDoubtful(step) })
  await settleItem(deps, tx, step, { ...placed, ...leftOut(reason) }, 0)
}

/** The reason for leaving a picture out, from that of the failed call, where a run would name another. */
export function pictureReasonOf(error: unknown, reason: string) {
  if (reason === 'no_model') return 'no_image_model'
  const isStorage = error instanceof Problem && error.options.extra?.meter === 'storage_mb'
  return reason === 'budget' && isStorage ? 'storage_full' : reason
}

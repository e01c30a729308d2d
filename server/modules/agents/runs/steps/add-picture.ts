import { Problem, problem } from '../../../../errors.ts'
import { inTransaction, type Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { makeImages } from '../../../ai/images.ts'
import { prepareVideo, readVideo, startVideo } from '../../../ai/videos.ts'
import { storeCard } from '../../../media/card.ts'
import { readMediaForPost } from '../../../media/media.ts'
import { assertRoom, assertStorage, recordMedia } from '../../../media/upload/upload.ts'
import { verdictOf } from '../../drafts/checks.ts'
import type { Draft } from '../../drafts/draft.ts'
import { accountsThatAccept, accountsWith, altOf, cardOf, imagePromptOf } from '../../pictures/picture.ts'
import { type PictureKind, wantedPictures } from '../../record/agent-config.ts'
import { chargeTo } from '../../record/budget.ts'
import { isFailReason } from '../../record/run-status.ts'
import { notifyOfBudget } from '../finishing/notify-of-budget.ts'
import { enqueueStep } from '../run-queue.ts'
import type { Step } from './begin-step.ts'
import { holdClaim } from './claim.ts'
import { placePost } from './place-post.ts'
import { settleItem } from './settle-item.ts'

type Accepted = Step & { item: { draft: Draft; picture: PictureKind } }

const CARD_BYTES = 1_000_000
/** Time between two looks at a video. */
const LOOK_MS = 10_000

/** Whether the next call of a run is for the picture of a text that is accepted. */
export const isForPicture = (step: Step): step is Accepted =>
  step.item.draft !== null && ['video', 'image', 'card'].some((kind) => kind === step.item.picture)

/** The first of these kinds that an account takes beside the text, and whose letters can be drawn. */
const firstPossible = (
  kinds: readonly PictureKind[],
  { config, accounts }: Pick<Step, 'config' | 'accounts'>,
  draft: Draft,
) =>
  kinds.find(
    (kind) =>
      accountsWith(kind === 'video' ? 'video' : 'image', accounts, draft).length > 0 &&
      (kind !== 'card' || cardOf(config, draft) !== undefined),
  )

/** Returns what to make for a text that was accepted, or the reason for making nothing. null: its agent wants nothing. */
export function nextPicture(step: Pick<Step, 'config' | 'accounts'>, draft: Draft) {
  const kinds = wantedPictures(step.config)
  if (kinds.length === 0) return null
  const picture = firstPossible(kinds, step, draft)
  if (picture) return { picture, picture_reason: null }
  const isCard = kinds.includes('card') && accountsWith('image', step.accounts, draft).length > 0
  return leftOut(isCard ? 'letters' : 'not_accepted')
}

const leftOut = (picture_reason: string) => ({ picture: 'left_out' as const, picture_reason })

/** Makes the picture of a text, and writes the post with it in the transaction that keeps the picture. */
export function addPicture(deps: Deps, step: Accepted) {
  if (step.item.picture === 'video') return addVideo(deps, step)
  return step.item.picture === 'image' ? addImage(deps, step) : addCard(deps, step)
}

/** Starts the video of a text, or looks how far it is. The run waits in between, and holds no worker. */
async function addVideo(deps: Deps, step: Accepted) {
  const { video_id } = step.item
  if (video_id === null) return startVideoOf(deps, step)
  const video = await readVideo(deps.db, video_id)
  await inTransaction(deps.db, async (tx) => {
    await holdClaim(tx, step)
    if (video?.state === 'running') return lookLater(deps, tx, step)
    if (video?.media_id) return placeWith(deps, tx, step, video.media_id, video_id)
    const reason = video?.state === 'canceled' ? 'canceled' : isFailReason(video?.error_code ?? '')
    await leaveOut(deps, tx, step, reason ?? 'ai_unavailable')
  })
}

async function startVideoOf(deps: Deps, step: Accepted) {
  const { item, member, config, accounts } = step
  const { draft } = item
  const file = { alt: altOf(draft.image_alt || draft.topic, accounts), sent_name: draft.topic }
  // A full workspace has no room for another file: refused before the provider is called.
  await assertRoom(deps, member, 1)
  const prepared = await prepareVideo(deps, { prompt: imagePromptOf(config, draft), file })
  await inTransaction(deps.db, async (tx) => {
    await holdClaim(tx, step)
    const video_id = await startVideo(deps, tx, member, prepared, chargeTo(step.agent_id, deps.clock.now()))
    await tx
      .updateTable('agent_item')
      .set({ video_id, updated_at: deps.clock.now() })
      .where('run_id', '=', step.run_id)
      .where('position', '=', item.position)
      .execute()
    await notifyOfBudget(deps, tx, step.agent_id)
    await lookLater(deps, tx, step)
  })
}

async function lookLater(deps: Deps, tx: Tx, { run_id }: Accepted) {
  const now = deps.clock.now()
  await enqueueStep(tx, { id: run_id }, { now, at: new Date(now.getTime() + LOOK_MS) })
}

const isDoubtful = ({ item }: Accepted) => verdictOf(item.checks, item.generation_ids.length) === 'review'

function addImage(deps: Deps, step: Accepted) {
  const { item, member, config, accounts } = step
  const { draft } = item
  const prompt = imagePromptOf(config, draft)
  const alt = altOf(draft.image_alt || draft.topic, accounts)
  const charge = chargeTo(step.agent_id, deps.clock.now())
  const options = { signals: [], complete: async () => undefined, charge }
  return makeImages(deps, member, { prompt }, options, async (tx, { id, keep }) => {
    await holdClaim(tx, step)
    const [file] = await keep({ alt, sent_name: draft.topic })
    if (!file?.media_id) throw problem('ai_unavailable', { detail: 'The AI provider did not return an image.' })
    await placeWith(deps, tx, step, file.media_id, id)
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
    await placeWith(deps, tx, step, id, null)
  })
}

/** Writes the post with its picture, for the accounts that accept it. */
async function placeWith(deps: Deps, tx: Tx, step: Accepted, media_id: string, generation_id: string | null) {
  const { item, accounts, workspace_id } = step
  const [media] = await readMediaForPost(tx, workspace_id, [media_id])
  const accepting = media ? accountsThatAccept(accounts, item.draft, media) : []
  if (!media || accepting.length === 0) return leaveOut(deps, tx, step, 'not_accepted', generation_id)
  const picture = { media_id: media.id, accounts: accepting }
  const placed = await placePost(deps, tx, step, { draft: item.draft, isDoubtful: isDoubtful(step), picture })
  await settleItem(deps, tx, step, { ...placed, picture: 'added' }, generation_id)
}

/**
 * Goes on without the picture that failed, or that no account takes: with the next kind that the agent wants, or else with the text alone. A text
 * that was meant for a video waits for a person then. `generation_id`: that of the picture.
 */
export async function leaveOut(
  deps: Deps,
  tx: Tx,
  step: Accepted,
  reason: string,
  generation_id: string | null = null,
) {
  const { item, config } = step
  const kinds = wantedPictures(config)
  const rest = kinds.slice(kinds.indexOf(item.picture) + 1)
  const picture = firstPossible(rest, step, item.draft)
  if (picture) return settleItem(deps, tx, step, { picture, picture_reason: reason }, generation_id)
  const placed = await placePost(deps, tx, step, { draft: item.draft, isDoubtful: config.video || isDoubtful(step) })
  await settleItem(deps, tx, step, { ...placed, ...leftOut(reason) }, generation_id)
}

/** The reason for leaving a picture out, from that of the failed call, where a run would name another. */
export function pictureReasonOf({ item: { picture } }: Accepted, error: unknown, reason: string) {
  if (reason === 'no_model') return picture === 'video' ? 'no_video_model' : 'no_image_model'
  const isStorage = error instanceof Problem && error.options.extra?.meter === 'storage_mb'
  return reason === 'budget' && isStorage ? 'storage_full' : reason
}

import { randomUUID } from 'node:crypto'
import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf, jsonOf } from '../calls/call.ts'
import { NetworkFault, type Part, type Publication, type Published, type PublishedPost } from '../network.ts'
import { publishedIds, publishThread } from '../publish-thread.ts'
import { findStatus } from './look-up.ts'
import { POLL_S, uploadAll } from './media.ts'
import { ask, type Body, keepsKeys, ReplayedFault, type Status, statusOf, takesKeys } from './server.ts'

/**
 * Two keys, because Pleroma repeats an error under its key for hours. `body` is absent if an earlier version committed
 * the keys only.
 */
type Intent = { keys: [string, string]; body?: Body }

type Reply = { part: Part; in_reply_to_id: string | null }

export async function publish(deps: Deps, publication: Publication): Promise<Published> {
  const { parts, first_comment, step } = publication
  const send = async (name: string, reply: Reply, index?: number) => {
    const toBody = async () =>
      bodyOf(
        publication,
        reply,
        index === undefined ? [] : await uploadAll(deps, publication, { part: reply.part, index }),
      )
    return step(name, {
      ...(index !== undefined && { part: index }),
      intent: async (former?: Intent) => ({
        keys: former?.keys ?? [randomUUID(), randomUUID()],
        body: await toBody(),
      }),
      run: ({ keys, body }) => createStatus(deps, publication, { keys, body }),
      ifLost: {
        find: async ({ body }, begunAt) => findStatus(deps, publication, { body: body ?? (await toBody()), begunAt }),
        get ifAbsent() {
          return keepsKeys(publication) ? 'repeat' : 'wait'
        },
      },
    })
  }

  const root = await publishThread<Status>(parts, ({ name, part, index, before }) =>
    send(name, { part, in_reply_to_id: before?.parent.id ?? null }, index),
  )
  if (first_comment !== null) {
    const part = { text: first_comment, media: [] }
    await send('comment', { part, in_reply_to_id: root.id })
  }
  return { external_id: root.id, url: root.url }
}

/** Every part has the settings of the post: a reply would be public otherwise. */
function bodyOf({ options }: Publication, { part, in_reply_to_id }: Reply, media_ids: string[]): Body {
  const { visibility = 'public', spoiler_text, sensitive, language } = options
  return {
    status: part.text,
    visibility,
    ...(media_ids.length > 0 && { media_ids }),
    ...(in_reply_to_id !== null && { in_reply_to_id }),
    ...(spoiler_text !== undefined && spoiler_text !== '' && { spoiler_text }),
    ...(sensitive === true && { sensitive }),
    ...(language !== undefined && language !== '' && { language }),
  }
}

/** Whether a server still works on a file that it has reported as ready. */
const isNotProcessed = (thrown: unknown): thrown is NetworkFault =>
  thrown instanceof NetworkFault && /have not finished processing/i.test(thrown.message)

async function createStatus(
  deps: Deps,
  publication: Publication,
  { keys: [key, other], body }: Intent,
): Promise<Status> {
  const post = (idempotencyKey: string) =>
    ask(deps, publication, '/api/v1/statuses', {
      method: 'POST',
      json: body,
      headers: takesKeys(publication) ? { 'idempotency-key': idempotencyKey } : {},
    })
  try {
    return statusOf(jsonOf(await post(key)))
  } catch (thrown) {
    if (isNotProcessed(thrown))
      throw new NetworkFault({ kind: 'unavailable', message: thrown.message, retry_after_s: POLL_S })
    // The error of an earlier run, which has had no effect: otherwise its status would have been found.
    if (!(thrown instanceof ReplayedFault)) throw thrown
    return statusOf(jsonOf(await post(other)))
  }
}

/** Changes the text. A change without the files, the warning and the language would remove them. */
export async function edit(deps: Deps, post: PublishedPost, text: string) {
  const path = `/api/v1/statuses/${encodeURIComponent(post.external_id)}`
  const status = fieldsOf(jsonOf(await ask(deps, post, path)))
  const files = Array.isArray(status.media_attachments) ? status.media_attachments.map(fieldsOf) : []
  // The post itself has the warning as HTML on some servers.
  const source = fieldsOf(jsonOf(await ask(deps, post, `${path}/source`)))
  const json = {
    status: text,
    spoiler_text: source.spoiler_text ?? status.spoiler_text ?? '',
    sensitive: status.sensitive === true,
    media_ids: files.map(({ id }) => id),
    ...(typeof status.language === 'string' && { language: status.language }),
  }
  await ask(deps, post, path, { method: 'PUT', json })
}

/** Deletes the comment and the parts of the thread, the last first, so that nothing is left in reply to nothing. */
export async function remove(deps: Deps, post: PublishedPost) {
  for (const id of publishedIds(post).reverse()) {
    const path = `/api/v1/statuses/${encodeURIComponent(id)}?delete_media=true`
    await ask(deps, post, path, { method: 'DELETE', accept: 404 })
  }
}

import type { Part, Publication } from './network.ts'

/** A part of a thread, as an adapter sends it. `Sent`: what the adapter keeps of a part that is sent. */
export type ThreadPart<Sent> = {
  part: Part
  /** 0 for the post itself. */
  index: number
  /** Name of its step. It never changes, because journals of posts in flight contain it. */
  name: string
  /** The first part and the part before this one. Undefined for the first part. */
  before: { root: Sent; parent: Sent } | undefined
}

/**
 * Publishes the post and the other parts of its thread, one after another, because a part names the ones before it.
 * Returns the first, which stands for the whole thread.
 *
 * A later attempt begins at the first part again. The step of a part that is published calls nothing, and returns what
 * the journal has stored. So a thread goes on after its last published part, in reply to the same posts.
 */
export async function publishThread<Sent>(
  [post, ...others]: Publication['parts'],
  send: (part: ThreadPart<Sent>) => Promise<Sent>,
): Promise<Sent> {
  const root = await send({ part: post, index: 0, name: 'post 0', before: undefined })
  let parent = root
  for (const [number, part] of others.entries()) {
    const index = number + 1
    parent = await send({ part, index, name: `post ${index}`, before: { root, parent } })
  }
  return root
}

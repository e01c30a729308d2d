import { describe, expect, test } from 'vitest'
import { consoleModule } from './console-module.ts'
import { until } from './until.ts'

type Values = Record<string, unknown> & { content: string }
type Post = {
  id: string
  status: string
  review: string | null
  updated_at: string
  content: string
  labels: string[]
  scheduled_at: string | null
}
type Version = { record: Post; etag: string }
type State = {
  values: Values
  stored: Values
  phase: string
  conflict?: { open: string[] }
  refusal?: { error: unknown }
}
type Draft = {
  get: () => State & { post?: Post; autosaved?: unknown }
  edit: (change: object) => void
  see: (post: Post) => void
  decide: (parts: string[], choice: string) => void
  beginUpload: () => () => void
  autosave: () => Promise<void>
  submit: () => Promise<Post | undefined>
  saveBeforeLeaving: () => Promise<boolean>
  blockedBy: () => string | undefined
  isDue: () => boolean
  isDraft: () => boolean
  isTooLate: () => boolean
  isUnsaved: () => boolean
  abandoned: () => Post | undefined
}
type Module = { createPostDraft: (input: object) => Draft }
type Api = { ApiProblem: new (problem: object) => Error }

// One graph of modules, so that both know the same class.
const { createPostDraft, ApiProblem } = await consoleModule<Module & Api>(
  'features/posts/form/draft/post-draft.ts',
  'api.ts',
)

const blank: Values = {
  ...{ content: '', media_ids: [], thread: [], first_comment: '', labels: [] },
  ...{ own: {}, options: {}, accounts: ['sky'], when: 'draft', wall: null },
}
const toValues = ({ content, labels, scheduled_at }: Post): Values => ({
  ...blank,
  ...{ content, labels, when: scheduled_at ? 'later' : 'draft', wall: scheduled_at },
})
const problem = (status: number, code: string) => new ApiProblem({ status, code, detail: code })
const isLater = (time: unknown) => time !== undefined && time !== null

/** A server with one post, whose next responses can be lost, refused or held back. */
function server(begun?: Partial<Post>) {
  const calls: string[] = []
  const keys = new Map<string, Post>()
  let version = 0
  const store = (change: Partial<Post>, post?: Post): Post => ({
    ...{ id: 'post', status: 'draft', review: null, content: '', labels: [], scheduled_at: null },
    ...post,
    ...change,
    updated_at: `2026-01-01T00:00:0${version++}Z`,
  })
  const state: { post: Post | undefined; next: ('lost' | 'refused')[]; hold: Promise<void> } = {
    ...{ post: begun && store(begun), next: [], hold: Promise.resolve() },
  }
  const loaded = (post: Post): Version => ({ record: post, etag: post.updated_at })
  const respond = async <T>(name: string, work: () => T): Promise<T> => {
    calls.push(name)
    await state.hold
    const next = state.next.shift()
    if (next === 'refused') throw problem(400, 'validation_failed')
    const result = work()
    if (next === 'lost') throw new TypeError('Failed to fetch')
    return result
  }
  const current = () => {
    if (!state.post) throw problem(404, 'not_found')
    return state.post
  }
  type Body = { content: string; labels: string[]; scheduled_at?: string | null; publish_now?: boolean }
  const contentOf = ({ content, labels, scheduled_at, publish_now }: Body): Partial<Post> => ({
    ...{ content, labels },
    ...(scheduled_at !== undefined && { scheduled_at, status: isLater(scheduled_at) ? 'scheduled' : 'draft' }),
    ...(publish_now && { status: 'published' }),
  })
  return {
    ...{ state, calls },
    /** Another user changes the post. */
    change(change: Partial<Post>) {
      state.post = store(change, current())
      return state.post
    },
    created: () => keys.size,
    api: {
      read: () => respond('read', () => loaded(current())),
      create: (body: Body) =>
        respond(`create ${body.content}`, () => {
          const key = JSON.stringify(body)
          const post = keys.get(key) ?? store(contentOf(body))
          keys.set(key, post)
          state.post = post
          return loaded(post)
        }),
      change: ({ etag }: Version, body: Body) =>
        respond(`change ${body.content}`, () => {
          if (current().updated_at !== etag) throw problem(412, 'version_conflict')
          state.post = store(contentOf(body), current())
          return loaded(state.post)
        }),
      publish: () => respond('publish', () => (state.post = store({ status: 'published' }, current()))),
      requestApproval: () => respond('request approval', () => (state.post = store({ review: 'pending' }, current()))),
      show: () => undefined,
    },
  }
}

function draftOf(from: ReturnType<typeof server>, mayEdit = ({ status }: Post) => status !== 'published') {
  const drafts: string[] = []
  const { post } = from.state
  const draft = createPostDraft({
    ...{ calls: from.api, zone: 'UTC', toValues, mayEdit, onDraft: (id: string) => drafts.push(id) },
    ...(post ? { opened: { record: post, etag: post.updated_at } } : { start: blank }),
  })
  return { draft, drafts }
}

describe('a new post', () => {
  test('becomes one draft with its first content, and is changed from then on', async () => {
    const from = server()
    const { draft, drafts } = draftOf(from)
    expect(draft.isDue()).toBe(false)
    draft.edit({ content: 'Simit' })
    expect(draft.isDue()).toBe(true)
    await draft.autosave()
    draft.edit({ content: 'Simit!' })
    await draft.autosave()
    expect(from.calls).toEqual(['create Simit', 'change Simit!'])
    expect(drafts).toEqual(['post'])
    expect(draft.isUnsaved()).toBe(false)
    expect(draft.abandoned()).toMatchObject({ id: 'post' })
  })

  test('whose creation had no response is sent again as it was, so that there is only one', async () => {
    const from = server()
    const { draft } = draftOf(from)
    from.state.next = ['lost']
    draft.edit({ content: 'Simit' })
    await draft.autosave()
    expect(draft.get().autosaved).toMatchObject({ error: expect.any(TypeError) })
    draft.edit({ content: 'Simit and tea' })
    expect(await draft.submit()).toMatchObject({ content: 'Simit and tea' })
    expect(from.calls).toEqual(['create Simit', 'create Simit', 'change Simit and tea'])
    expect(from.created()).toBe(1)
    expect(draft.abandoned()).toBeUndefined()
  })

  test('that was refused is not sent again before it is changed', async () => {
    const from = server()
    const { draft } = draftOf(from)
    from.state.next = ['refused']
    draft.edit({ content: 'Simit' })
    await draft.autosave()
    expect(draft.isDue()).toBe(false)
    draft.edit({ content: 'Tea' })
    expect(draft.isDue()).toBe(true)
  })

  test('whose submission had no response is not saved as a draft, which would be a second one', async () => {
    const from = server()
    const { draft } = draftOf(from)
    from.state.next = ['lost']
    draft.edit({ content: 'Simit', when: 'now' })
    expect(await draft.submit()).toBeUndefined()
    expect(draft.get()).toMatchObject({ phase: 'editing', refusal: { error: expect.any(TypeError) } })
    expect(draft.isDraft()).toBe(false)
    expect(draft.isDue()).toBe(false)
    expect(await draft.submit()).toMatchObject({ status: 'published' })
    expect(from.created()).toBe(1)
  })
})

describe('saves', () => {
  test('run one after the other, and a post is submitted once', async () => {
    const from = server({ content: 'Old' })
    const { draft } = draftOf(from)
    const { promise, resolve } = Promise.withResolvers<void>()
    from.state.hold = promise
    draft.edit({ content: 'One' })
    const saved = draft.autosave()
    await until(async () => expect(from.calls).toEqual(['change One']))
    draft.edit({ content: 'Two', when: 'now' })
    const first = draft.submit()
    expect(draft.blockedBy()).toBe('done')
    expect(await draft.submit()).toBeUndefined()
    resolve()
    await saved
    expect(await first).toMatchObject({ status: 'published' })
    expect(from.calls).toEqual(['change One', 'change Two', 'publish'])
  })

  test('wait for files that are uploaded', async () => {
    const from = server({ content: 'Old' })
    const { draft } = draftOf(from)
    const ends = [draft.beginUpload(), draft.beginUpload()]
    ends[0]?.()
    expect(draft.blockedBy()).toBe('uploads')
    expect(await draft.submit()).toBeUndefined()
    ends[1]?.()
    expect(await draft.submit()).toBeDefined()
  })

  test('before the form is left report whether anything is left unsaved', async () => {
    const from = server({ content: 'Old' })
    const { draft } = draftOf(from)
    draft.edit({ content: 'New' })
    expect(await draft.saveBeforeLeaving()).toBe(true)
    from.state.next = ['lost']
    draft.edit({ content: 'Newer' })
    expect(await draft.saveBeforeLeaving()).toBe(false)
  })

  test('of a scheduled post are made on purpose only, its time included', async () => {
    const from = server({ status: 'scheduled', scheduled_at: '2026-03-01 09:00:00' })
    const { draft } = draftOf(from)
    draft.edit({ wall: '2026-03-02 09:00:00' })
    expect(draft.isDue()).toBe(false)
    expect(draft.isUnsaved()).toBe(true)
    expect(await draft.saveBeforeLeaving()).toBe(false)
    expect(await draft.submit()).toMatchObject({ scheduled_at: '2026-03-02T09:00:00.000Z' })
  })

  test('of a rejected post ask for an approval', async () => {
    const from = server({ review: 'rejected' })
    const { draft } = draftOf(from)
    draft.edit({ when: 'now' })
    expect(await draft.submit()).toMatchObject({ review: 'pending' })
  })
})

describe('a version of another user', () => {
  test('is taken over where only they changed the post', async () => {
    const from = server({ content: 'Old' })
    const { draft } = draftOf(from)
    draft.edit({ content: 'Mine' })
    draft.see(from.change({ labels: ['bakery'] }))
    await draft.autosave()
    expect(from.state.post).toMatchObject({ content: 'Mine', labels: ['bakery'] })
    expect(draft.get()).toMatchObject({ conflict: { open: [] } })
  })

  test('that changed the same part keeps the post from being saved until the user decides', async () => {
    for (const [choice, content] of [
      ['mine', 'Mine'],
      ['theirs', 'Theirs'],
      ['both', 'Mine\n\nTheirs'],
    ] as const) {
      const from = server({ content: 'Old' })
      const { draft } = draftOf(from)
      draft.edit({ content: 'Mine' })
      draft.see(from.change({ content: 'Theirs' }))
      await draft.autosave()
      expect(draft.get().conflict?.open).toEqual(['content'])
      expect(draft.isDue()).toBe(false)
      expect(draft.blockedBy()).toBe('conflict')
      expect(await draft.submit()).toBeUndefined()
      draft.decide(['content'], choice)
      expect(await draft.submit()).toMatchObject({ content })
      expect(from.calls.filter((call) => call.startsWith('change'))).toEqual([`change ${content}`])
    }
  })

  test('that is met only by a save is merged, and the save is sent again', async () => {
    const from = server({ content: 'Old' })
    const { draft } = draftOf(from)
    from.change({ labels: ['bakery'] })
    draft.edit({ content: 'Mine' })
    expect(await draft.submit()).toMatchObject({ content: 'Mine', labels: ['bakery'] })
    expect(from.calls).toEqual(['change Mine', 'read', 'change Mine'])
  })

  test('that changed the same part fails the save, and nothing is replaced', async () => {
    const from = server({ content: 'Old' })
    const { draft } = draftOf(from)
    from.change({ content: 'Theirs' })
    draft.edit({ content: 'Mine' })
    expect(await draft.submit()).toBeUndefined()
    expect(from.state.post?.content).toBe('Theirs')
    expect(draft.get()).toMatchObject({
      phase: 'editing',
      values: { content: 'Mine' },
      conflict: { open: ['content'] },
    })
  })

  test('is not read while the own one is saved', async () => {
    const from = server({ content: 'Old' })
    const { draft } = draftOf(from)
    const { promise, resolve } = Promise.withResolvers<void>()
    from.state.hold = promise
    draft.edit({ content: 'Mine' })
    const saved = draft.autosave()
    const seen = { ...from.state.post, content: 'Mine', updated_at: '2026-01-01T00:00:01Z' }
    draft.see(seen as Post)
    resolve()
    await saved
    await draft.saveBeforeLeaving()
    expect(from.calls).toEqual(['change Mine'])
    expect(draft.get().conflict).toBeUndefined()
  })

  test('that was published leaves the text to a new post', async () => {
    const from = server({ content: 'Old' })
    const { draft } = draftOf(from)
    draft.edit({ content: 'Mine', when: 'now' })
    draft.see(from.change({ status: 'published' }))
    expect(draft.isTooLate()).toBe(true)
    expect(draft.isDue()).toBe(false)
    expect(await draft.submit()).toMatchObject({ content: 'Mine', status: 'published' })
    expect(from.calls).toEqual(['create Mine'])
  })
})

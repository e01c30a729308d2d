import { expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, memberOf, playgroundAccount, withWorkspace } from '../../../../test/factories.ts'
import { uploaded } from '../../../../test/media.ts'
import { randomNumbers } from '../../../../test/random.ts'
import { SEED, timesOf } from '../../../../test/torture/settings.ts'
import { commitIntent } from '../publishing/publish-intent.ts'
import { handleMissedTimes } from '../review/missed-times.ts'

const RUNS = timesOf('APPROVAL_RUNS', 12)
/** Acts in one history. */
const ACTS = 24

const t = await testApp()
const owner = await withWorkspace(t)
const [one, other] = [await playgroundAccount(owner), await playgroundAccount(owner)]
const editors = [await memberOf(t, owner.workspace_id, 'editor'), await memberOf(t, owner.workspace_id, 'editor')]
const author = await memberOf(t, owner.workspace_id, 'author')
const people = [owner, ...editors, author]
const { id: media_id } = await uploaded(owner)

/** A small model, which knows nothing of hashes: what somebody approved, as texts, and the policies as they were set. */
type Step = { need: 'any' | 'all'; ids: string[] }
type Policy = { own: boolean; steps: Step[] } | null
type Decision = { key: string; by: string; approves: boolean }
type State = { fallback: Policy; ofOne: Policy | 'inherit'; alt: string }
type Post = { content: string; accounts: string[]; hasMedia: boolean }

const anyEditor: Step = { need: 'any', ids: [owner, ...editors].map(({ id }) => id) }
const keyOf = ({ content, accounts, hasMedia }: Post, alt: string) =>
  JSON.stringify([content, accounts.toSorted(), hasMedia ? alt : null])

const policiesOf = ({ fallback, ofOne }: State, accounts: string[]) =>
  accounts.flatMap((account) => (account === one && ofOne !== 'inherit' ? ofOne : fallback) ?? [])

/** Whether these approvals, in their order, meet a policy. */
function meets({ own, steps }: NonNullable<Policy>, approvers: string[], author_id: string) {
  const left = approvers.filter((id) => own || id !== author_id)
  for (const { need, ids } of steps) {
    const needed = new Set(ids.filter((id) => own || id !== author_id))
    let isMet = false
    while (!isMet && left.length > 0) {
      const id = left.shift() ?? ''
      if (needed.delete(id)) isMet = need === 'any' || needed.size === 0
    }
    if (!isMet) return false
  }
  return true
}

function mayGoOut(state: State, post: Post, { decisions, asked }: { decisions: Decision[]; asked: boolean }) {
  const policies = policiesOf(state, post.accounts)
  if (policies.length === 0 && !asked) return true
  const key = keyOf(post, state.alt)
  const since = decisions.findLastIndex(({ approves }) => !approves)
  const approvers = decisions.slice(since + 1).flatMap((one) => (one.key === key ? one.by : []))
  const asking = policies.length > 0 ? policies : [{ own: true, steps: [anyEditor] }]
  return asking.every((policy) => meets(policy, approvers, author.id))
}

const random = randomNumbers(SEED)
const pick = <Item>(items: readonly Item[]): Item => {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('Nothing to pick from')
  return item
}
const counts = { published: 0, needed: 0, unapproved: 0 }

const randomPolicy = (): Policy => {
  const kind = pick(['none', 'one', 'own', 'steps', 'steps'])
  if (kind === 'none') return null
  if (kind !== 'steps') return { own: kind === 'own', steps: [anyEditor] }
  const steps = Array.from({ length: pick([1, 2]) }, (): Step => {
    const named = [owner, ...editors].filter(() => random() < 0.5)
    return { need: pick(['any', 'all']), ids: (named.length > 0 ? named : [owner]).map(({ id }) => id) }
  })
  return { own: pick([true, false]), steps }
}
const bodyOf = (policy: Policy, more: object = {}) =>
  policy === null
    ? { mode: 'none', ...more }
    : {
        ...{ mode: 'steps', own_posts: policy.own, ...more },
        steps: policy.steps.map(({ need, ids }) => ({ need, user_ids: ids })),
      }

async function history() {
  const when_unapproved = pick(['wait', 'wait', 'expire', 'next_slot'])
  let state: State = { fallback: null, ofOne: 'inherit', alt: '' }
  const setPolicies = async () => {
    const [fallback, ofOne] = [randomPolicy(), pick(['inherit' as const, randomPolicy()])]
    expectStatus(await owner.put('/api/v1/workspace/approval-policy', bodyOf(fallback, { when_unapproved })), 200)
    const body = ofOne === 'inherit' ? { mode: 'inherit' } : bodyOf(ofOne)
    expectStatus(await owner.put(`/api/v1/accounts/${one}/approval-policy`, body), 200)
    state = { ...state, fallback, ofOne }
  }
  await setPolicies()
  const path = (id: string, act = '') => `/api/v1/posts/${id}${act}`
  const inMinutes = (minutes: number) => new Date(t.clock.now().getTime() + minutes * 60_000).toISOString()
  const body = {
    content: 'v0',
    media_ids: pick([[], [media_id]]),
    account_ids: [one, ...(random() < 0.5 ? [other] : [])],
  }
  const time = pick([{}, { scheduled_at: inMinutes(5) }, { publish_now: true }])
  expectStatus(await owner.patch(`/api/v1/media/${media_id}`, { alt: 'alt' }), 200)
  state = { ...state, alt: 'alt' }
  const { id } = expectStatus(await author.post('/api/v1/posts', { ...body, ...time }), 201).body
  const decisions: Decision[] = []
  let [asked, texts] = [false, 0]
  const told: string[] = []

  const read = async () => {
    const { body, headers } = expectStatus(await owner.get(path(id)), 200)
    const accounts: string[] = body.targets.map(({ account_id }: { account_id: string }) => account_id)
    asked ||= body.review !== 'none'
    return {
      post: { content: body.content, accounts, hasMedia: body.media_ids.length > 0 },
      etag: headers.get('etag') ?? '',
      body,
    }
  }
  const decide = async (approves: boolean) => {
    const person = pick(people)
    const { alt } = state
    const { post, etag } = await read()
    const response = await person.call('POST', path(id, approves ? '/approve' : '/reject'), {
      body: approves ? pick([{}, { scheduled_at: inMinutes(3) }]) : { reason: 'No' },
      headers: { 'if-match': etag },
    })
    if (response.status === 200) decisions.push({ key: keyOf(post, alt), by: person.id, approves })
  }
  const edit = () => {
    const content = `v${++texts}`
    const changed = { account_ids: pick([[one], [one, other], [other]]) }
    const fields = pick([{ content }, { content, ...changed }, changed, { scheduled_at: inMinutes(2) }])
    return pick([author, ...editors]).patch(path(id), fields)
  }
  const changeAlt = async () => {
    const alt = pick(['alt', 'other alt'])
    expectStatus(await owner.patch(`/api/v1/media/${media_id}`, { alt }), 200)
    state = { ...state, alt }
  }
  const pass = async () => {
    await t.advance(pick([1, 2, 5, 70]) * 60_000)
    if (random() < 0.7) await handleMissedTimes(t.deps)
    await t.runJobs()
  }
  /** A worker that dies after it began an attempt. */
  const kill = async () => {
    const { body } = await read()
    for (const target of body.targets.slice(0, 1)) await commitIntent(t.deps, target.id)
  }
  const behind = () =>
    t.deps.db
      .updateTable('post')
      .set({ content: `v${++texts}` })
      .where('id', '=', id)
  const acts: [name: string, weight: number, act: () => Promise<unknown>][] = [
    ['edit', 8, edit],
    ['approve', 20, () => decide(true)],
    ['reject', 2, () => decide(false)],
    ['ask', 4, () => pick([author, ...editors]).post(path(id, '/request-approval'), {})],
    ['publish', 4, () => pick([author, owner]).post(path(id, '/publish'), {})],
    ['retry', 4, () => author.post(path(id, '/retry'), {})],
    ['policies', 2, setPolicies],
    ['alt', 2, changeAlt],
    ['time', 8, pass],
    ['kill', 2, kill],
    ['behind', 1, async () => (await read()).body.status === 'publishing' || behind().execute()],
    ['race edit', 2, () => Promise.all([edit(), decide(true), t.runJobs()])],
    ['race alt', 1, () => Promise.all([changeAlt(), t.runJobs()])],
    ['race policies', 1, () => Promise.all([setPolicies(), decide(true), t.runJobs()])],
    ['race publish', 1, () => Promise.all([author.post(path(id, '/publish'), {}), edit(), t.runJobs()])],
  ]
  const weighted = acts.flatMap((act) => Array.from({ length: act[1] }, () => act))
  const seen = new Set<string>()
  let before = { state, ...(await read()) }
  for (let step = 0; step < ACTS; step++) {
    const [name, , act] = pick(weighted)
    told.push(name)
    await act()
    const after = { state, ...(await read()) }
    for (const target of after.body.targets) {
      if (target.status !== 'published' || seen.has(target.id)) continue
      seen.add(target.id)
      counts.published++
      const sent = await t.deps.db
        .selectFrom('playground_post')
        .select('content')
        .where('id', '=', target.external_id)
        .executeTakeFirstOrThrow()
      // A post that goes out during another change may be as it was before the change, or as it is after it.
      const states = [before, after].flatMap((one) =>
        [before, after].map(({ state }) => ({ ...one.state, ...pickAlt(state) })),
      )
      const posts = [before.post, after.post].filter(({ content }) => content === sent.content)
      if (states.every((one) => policiesOf(one, after.post.accounts).length > 0)) counts.needed++
      if (!states.some((one) => posts.some((post) => mayGoOut(one, post, { decisions, asked })))) {
        counts.unapproved++
        throw new Error(
          `Published unapproved: ${JSON.stringify({ told, sent, before: before.post, after: after.post, state, decisions })}`,
        )
      }
    }
    before = after
  }
  await owner.delete(path(id))
}
const pickAlt = ({ alt }: State) => ({ alt })

test(`no history of changes, decisions and policies publishes what was not approved (seed ${SEED})`, async () => {
  for (let run = 0; run < RUNS; run++) await history()
  process.stdout.write(`approvals: ${JSON.stringify({ seed: SEED, histories: RUNS, ...counts })}\n`)
  expect(counts.unapproved).toBe(0)
  if (RUNS >= 100) expect(counts.needed).toBeGreaterThan(RUNS / 20)
}, 3_600_000)

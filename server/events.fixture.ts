/** Workspaces whose events reach a receiver. */
import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { afterAll, beforeAll, expect } from 'vitest'
import { type TestApp, testApp } from '../test/app.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from '../test/factories.ts'
import { type Received, webhookReceiver } from '../test/receiver.ts'
import { type BlueskyServer, blueskyServer } from '../test/stand-ins/bluesky.ts'

export type Hooked = WorkspaceOwner & { webhook_id: string }

export const byOwner = ({ id, email }: Hooked) => ({ id, email, token_id: null })

export const write = async (owner: Hooked, body: object) =>
  expectStatus(await owner.post('/api/v1/posts', { content: 'Fresh simit', ...body }), 201).body

/** Registers an instance with a receiver and a stand-in for Bluesky for the tests of a file. */
export function receivedEvents() {
  let t: TestApp
  let bluesky: BlueskyServer
  let receiver: Awaited<ReturnType<typeof webhookReceiver>>
  let validators: Map<string, ValidateFunction>
  beforeAll(async () => {
    t = await testApp()
    bluesky = await blueskyServer()
    receiver = await webhookReceiver()
    t.dispatch()
    const ajv = formats.default(new Ajv({ strict: false, allErrors: true }))
    const { body } = expectStatus(await (await withWorkspace(t)).get('/api/v1/webhooks/event-types'), 200)
    validators = new Map(
      body.data.map(({ type, schema }: { type: string; schema: object }) => [type, ajv.compile(schema)]),
    )
  })
  afterAll(async () => {
    await t.close()
    bluesky.close()
    receiver.close()
  })

  /** Fails with the errors of `data` against the published schema of `type`. */
  function expectFits(type: string, data: unknown) {
    const validate = validators.get(type)
    expect(validate?.(data), JSON.stringify(validate?.errors)).toBe(true)
  }

  /** A workspace with a webhook to its own path of the receiver. */
  async function subscribe(events: string[] = ['*']): Promise<Hooked> {
    const owner = await withWorkspace(t)
    const url = `${receiver.url}/${owner.workspace_id}`
    const { body } = expectStatus(await owner.post('/api/v1/webhooks', { url, events }), 201)
    return { ...owner, webhook_id: body.id }
  }

  const receivedBy = ({ workspace_id }: Hooked) => receiver.received.filter(({ path }) => path.endsWith(workspace_id))

  async function waitForEvents(owner: Hooked, wanted: (message: Received) => boolean): Promise<Received> {
    await receiver.until(() => receivedBy(owner).some(wanted))
    const message = receivedBy(owner).find(wanted)
    if (!message) throw new Error('unreachable')
    return message
  }

  async function blueskyAccount(owner: Hooked) {
    const fields = bluesky.addAccount()
    const input = { network: 'bluesky', service: bluesky.url, name: 'Bakery', ...fields }
    return expectStatus(await owner.post('/api/v1/accounts', input), 201).body
  }

  /** Makes Bluesky refuse the next post. Due posts are published first. */
  async function refuseNext() {
    await t.runJobs()
    bluesky.failNext({ kind: 'response', status: 400, error: 'InvalidRequest' })
  }

  return {
    /** Exists once the tests run. */
    get instance() {
      return { t, bluesky, eventTypes: [...validators.keys()] }
    },
    expectFits,
    subscribe,
    receivedBy,
    waitForEvents,
    blueskyAccount,
    refuseNext,
  }
}

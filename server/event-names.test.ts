import { beforeAll, expect, test } from 'vitest'
import type { TestApp } from '../test/app.ts'
import { expectStatus } from '../test/factories.ts'
import type { Received } from '../test/receiver.ts'
import { receivedEvents, write } from './events.fixture.ts'
import { aliases } from './events.ts'

const events = receivedEvents()
const { expectFits, subscribe, receivedBy, waitForEvents, blueskyAccount, refuseNext } = events
let t: TestApp
beforeAll(() => {
  ;({ t } = events.instance)
})

test.each(
  Object.entries(aliases).flatMap(([alias, type]) => [
    { alias, type, events: [alias], name: alias },
    { alias, type, events: [type], name: type },
    { alias, type, events: [alias, type], name: type },
    { alias, type, events: [type, alias], name: type },
    { alias, type, events: [alias, '*'], name: type },
  ]),
)(
  '$name is sent once to a webhook that subscribes to $events, and GET /events lists it as $type',
  async ({ type, events, name }) => {
    const owner = await subscribe(events)
    const account = await blueskyAccount(owner)
    if (type === 'post.failed') await refuseNext()
    await write(owner, { account_ids: [account.id], publish_now: true, content: `"type":"${type}"` })
    await t.runJobs()
    const isOutcome = (message: Received) => /^(publish\.|post\.(published|failed))/.test(message.type)
    await waitForEvents(owner, isOutcome)
    // Events are sent in about the order of their causes: when a later one has arrived, a duplicate would have too.
    expectStatus(await owner.post(`/api/v1/webhooks/${owner.webhook_id}/test`), 200)
    const messages = receivedBy(owner).filter(isOutcome)
    expect(messages.map((message) => message.type)).toEqual([name])
    const payload = JSON.parse(messages[0]?.raw.toString() ?? '')
    expect(payload.data.post.content).toBe(`"type":"${type}"`)
    expectFits(type, payload.data)
    const { body } = expectStatus(await owner.get(`/api/v1/events?type=${type}`), 200)
    expect(body.data).toEqual([{ ...payload, type }])
  },
)

import { Writable } from 'node:stream'
import pino from 'pino'
import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { expectStatus, withWorkspace } from '../../../test/factories.ts'
import { discordServer } from '../../../test/stand-ins/discord.ts'
import type { Failure } from '../../../test/stand-ins/server.ts'
import { slackServer } from '../../../test/stand-ins/slack.ts'
import { telegramServer } from '../../../test/stand-ins/telegram.ts'

const failures: Failure[] = [
  { kind: 'hang_up', arrives: false },
  { kind: 'garbage' },
  { kind: 'flood' },
  { kind: 'response', status: 500 },
  { kind: 'response', status: 302, headers: { location: 'http://127.0.0.1:1/' } },
]

test('no credential is in the log, an event or a response, however a call fails', async () => {
  const [telegram, discord, slack] = await Promise.all([telegramServer(), discordServer(), slackServer()])
  const lines: string[] = []
  const sink = new Writable({
    write: (line: Buffer, _, done) => {
      lines.push(line.toString())
      done()
    },
  })
  const NETWORK_ORIGINS = `telegram=${telegram.url},discord=${discord.url},slack=${slack.url}`
  const t = await testApp({ NETWORK_ORIGINS }, { log: pino({ level: 'trace' }, sink) })
  const owner = await withWorkspace(t)
  telegram.setImage(`/file/bot${telegram.token}/avatar.bin`, { status: 200, body: Buffer.from('no image') })
  const webhook = discord.addWebhook()
  const hook = slack.addWebhook(slack.addChannel()).replace(slack.url, 'https://hooks.slack.com')
  const token = slack.addBot()
  const connect = async (network: string, fields: object) =>
    expectStatus(await owner.post('/api/v1/accounts', { network, ...fields }), 201).body.id
  const accounts = [
    await connect('telegram', { token: telegram.token, chat: String(telegram.addChat().id) }),
    await connect('discord', { webhook_url: `https://discord.com/api/webhooks/${webhook.id}/${webhook.token}` }),
    await connect('slack', { webhook_url: hook }),
    await connect('slack', { token, channel: slack.addChannel().id }),
  ]
  const seen: string[] = []
  for (const failure of failures) {
    telegram.failNext(failure)
    discord.failNext(failure)
    slack.failNext(failure, failure)
    const post = { content: 'Hello', account_ids: accounts, publish_now: true }
    const { body } = expectStatus(await owner.post('/api/v1/posts', post), 201)
    await t.runJobs()
    seen.push(JSON.stringify((await owner.get(`/api/v1/posts/${body.id}`)).body))
  }
  telegram.failAlways({ kind: 'response', status: 401 })
  discord.failAlways({ kind: 'response', status: 401 })
  for (const id of accounts) await owner.post(`/api/v1/accounts/${id}/check`)
  const rows = await t.deps.db.selectFrom('event').select('payload').execute()
  const all = [...lines, ...seen, ...rows.map(({ payload }) => payload.toString())].join('\n')
  expect(lines.length).toBeGreaterThan(0)
  expect(seen.join()).toContain('unconfirmed')
  for (const secret of [telegram.token, webhook.token, String(hook.split('/').at(-1)), token])
    expect(all).not.toContain(secret)
  await t.close()
  for (const server of [telegram, discord, slack]) server.close()
})

import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { testApp } from './app.ts'
import { withToken, withWorkspace } from './factories.ts'
import { webhookReceiver } from './receiver.ts'

const guide = readFileSync(join(import.meta.dirname, '..', 'docs', 'start.md'), 'utf8')
const commands = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, command = '']) => command)
const END = '--- end of a command ---'

test('the commands of docs/start.md lead from a token to a webhook when they are pasted in order', async () => {
  const t = await testApp()
  const receiver = await webhookReceiver()
  const folder = mkdtempSync(join(tmpdir(), 'meydan-start-'))
  try {
    t.dispatch()
    const owner = await withWorkspace(t)
    const scopes = [...guide.matchAll(/`([a-z]+:write)`/g)].map(([, scope = '']) => scope)
    const { token } = await withToken(t, owner, scopes)
    const script = commands
      .join(`echo '${END}'\n`)
      .replaceAll('http://localhost:3000', t.url)
      .replaceAll('meydan_pat_…', token)
      .replaceAll('https://example.com/meydan', receiver.url)
    const { stdout } = await promisify(execFile)('sh', ['-ec', script], { cwd: folder })
    const [, own, account, accountId, post, webhook, attempt, events] = stdout.split(END).map((text) => text.trim())
    const read = (text = '') => JSON.parse(text)
    expect(read(own)).toMatchObject({ scopes, team_id: owner.workspace_id })
    expect(read(account)).toMatchObject({ network: 'playground', status: 'connected', id: accountId })
    expect(read(post)).toMatchObject({ status: 'scheduled', targets: [{ account_id: accountId }] })
    expect(read(webhook)).toMatchObject({ url: receiver.url, secret: expect.stringMatching(/^whsec_/) })
    expect(read(attempt)).toMatchObject({ type: 'webhook.test', ok: true, status: 200 })
    expect(read(events).data).toMatchObject([{ type: 'post.created', data: { post: { id: read(post).id } } }])

    await t.runJobs()
    await receiver.until((received) => received.some(({ type }) => type === 'post.published'))
  } finally {
    rmSync(folder, { recursive: true })
    receiver.close()
    await t.close()
  }
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, withWorkspace } from '../../../../test/factories.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { freePort } from '../../../../test/processes.ts'
import { until } from '../../../../test/until.ts'
import { newWebhookSecret } from '../../../lib/crypto/webhook-signature.ts'

const guide = readFileSync(new URL('../../../../docs/networks/http.md', import.meta.url), 'utf8')

/** Runs the receiver that the guide shows. `shown`: its posts after each message. */
async function startReceiver(secret: string) {
  const [, code = ''] = /^```js\n(.*?)^```$/ms.exec(guide) ?? []
  const folder = mkdtempSync(join(tmpdir(), 'meydan-receiver-'))
  const file = join(folder, 'receiver.mjs')
  writeFileSync(file, code)
  const port = await freePort()
  const child = spawn(process.execPath, [file], { env: { SECRET: secret, PORT: String(port) } })
  onTestFinished(() => {
    child.kill()
    rmSync(folder, { recursive: true })
  })
  const shown: string[] = []
  const lines = createInterface({ input: child.stdout })
  await once(lines, 'line')
  lines.on('line', (line) => shown.push(line))
  return { url: `http://127.0.0.1:${port}/`, shown }
}

test('the receiver of docs/networks/http.md verifies, keeps, changes and deletes posts', async () => {
  // The receiver checks the time of a signature by the real clock.
  const t = await testApp({}, { origin: new Date() })
  onTestFinished(t.close)
  const secret = newWebhookSecret()
  const { url, shown } = await startReceiver(secret)
  const owner = await withWorkspace(t)
  const connect = (fields: object) => owner.post('/api/v1/accounts', { network: 'http', url, secret, ...fields })
  expectProblem(await connect({ secret: newWebhookSecret() }), 400, 'account_unreachable', '/url')
  const { body: account } = expectStatus(await connect({}), 201)

  const post = { content: 'Hello', account_ids: [account.id], publish_now: true }
  const { body } = expectStatus(await owner.post('/api/v1/posts', post), 201)
  await t.runJobs()
  const [target] = (await owner.get(`/api/v1/posts/${body.id}`)).body.targets
  expect(target).toMatchObject({ status: 'published', url: `https://example.org/posts/${target.id}` })
  expectStatus(await owner.patch(`/api/v1/posts/${body.id}/targets/${target.id}`, { content: 'Changed' }), 200)
  expectStatus(await owner.post(`/api/v1/posts/${body.id}/unpublish`), 200)
  await until(() => expect(shown).toEqual(['[]', '["Hello"]', '["Changed"]', '[]']))
})

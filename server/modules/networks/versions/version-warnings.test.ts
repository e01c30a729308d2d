import { expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, signedIn } from '../../../../test/factories.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'

const t = await testApp({ SMTP_URL: 'smtp://127.0.0.1:9', NETWORK_VERSIONS: 'linkedin=202608,facebook=v26.0' })
const admin = await signedIn(t, { instanceAdmin: true })

async function dayAt(time: string) {
  t.clock.advance(Date.parse(time) - t.clock.now().getTime())
  await inTransaction(t.deps.db, (tx) => addJob(tx, 'warn-of-versions', {}))
  await t.runJobs()
  const mails = t.deps.db.selectFrom('mail').select('subject').where('key', '=', 'network-version-ending')
  return (await mails.where('to_address', '=', admin.email).orderBy('id').execute()).map(({ subject }) => subject)
}

test('admins get one mail months before a version ends, one when it has ended, and the status says so', async () => {
  for (const network of ['linkedin', 'facebook'])
    expectStatus(
      await admin.put(`/api/v1/admin/network-apps/${network}`, { client_id: 'id', client_secret: 'secret' }),
      200,
    )
  expect(await dayAt('2027-04-16T00:00:00Z')).toEqual([])
  const ending = ['LinkedIn serves version 202608 of its API until 2027-08-15']
  expect(await dayAt('2027-04-18T00:00:00Z')).toEqual(ending)
  expect(await dayAt('2027-08-14T00:00:00Z')).toEqual(ending)
  expect(await dayAt('2027-08-15T00:00:00Z')).toHaveLength(2)
  expect(await dayAt('2027-08-16T00:00:00Z')).toHaveLength(2)
  const person = await signedIn(t, { instanceAdmin: true })
  const { checks } = expectStatus(await person.get('/api/v1/admin/status'), 200).body
  expect(checks.find(({ name }: { name: string }) => name === 'network_versions')).toMatchObject({
    ...{ code: 'network_versions.ended', level: 'error' },
    values: { network: 'LinkedIn', version: '202608', served_until: '2027-08-15' },
  })
})

test('a version that no app of this instance uses is no matter of theirs', async () => {
  const other = await testApp({ NETWORK_VERSIONS: 'facebook=v20.0' })
  await signedIn(other, { instanceAdmin: true })
  await inTransaction(other.deps.db, (tx) => addJob(tx, 'warn-of-versions', {}))
  await other.runJobs()
  expect(await other.deps.db.selectFrom('network_version_warning').selectAll().execute()).toEqual([])
  await other.close()
})

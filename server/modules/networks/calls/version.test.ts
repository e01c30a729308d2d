import { expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { signedIn } from '../../../../test/factories.ts'

const withVersions = async (NETWORK_VERSIONS: string) => {
  const t = await testApp({ NETWORK_VERSIONS })
  // Signs in each time: sessions end while the clock is moved.
  const versionOf = async (network: string) => {
    const admin = await signedIn(t, { instanceAdmin: true })
    return (await admin.get(`/api/v1/admin/network-apps/${network}`)).body.api_version
  }
  return { t, versionOf }
}

test('the app of a network shows the version of its API, and until when the network serves it', async () => {
  const { t, versionOf } = await withVersions('')
  expect(await versionOf('linkedin')).toMatchObject({ version: '202608', served_until: '2027-08-15' })
  expect(await versionOf('linkedin_page')).toEqual(await versionOf('linkedin'))
  expect(await versionOf('facebook')).toMatchObject({ version: 'v26.0', served_until: '2028-07-29' })
  expect(await versionOf('instagram_facebook')).toEqual(await versionOf('facebook'))
  expect(await versionOf('threads')).toEqual({ version: 'v1.0', served_until: null, state: 'served' })
  expect(await versionOf('x')).toBeNull()
  await t.close()
})

test('a version is reported as ending 120 days before its end, and as ended from its last day on', async () => {
  const { t, versionOf } = await withVersions('linkedin=202608,instagram=v99.0')
  const stateAt = async (time: string) => {
    t.clock.advance(Date.parse(time) - t.clock.now().getTime())
    return (await versionOf('linkedin')).state
  }
  expect(await stateAt('2027-04-16T00:00:00Z')).toBe('served')
  expect(await stateAt('2027-04-18T00:00:00Z')).toBe('ending')
  expect(await stateAt('2027-08-14T23:59:00Z')).toBe('ending')
  expect(await stateAt('2027-08-15T00:00:00Z')).toBe('ended')
  expect(await versionOf('instagram')).toEqual({ version: 'v99.0', served_until: null, state: 'served' })
  await t.close()
})

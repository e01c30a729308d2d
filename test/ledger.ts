import { expect } from 'vitest'
import type { TestApp } from './app.ts'
import { expectStatus, signedIn } from './factories.ts'

/** Every check of the ledger passes. The stand-ins of payment providers may be closed already. */
export async function expectLedger(t: TestApp) {
  const admin = await signedIn(t, { instanceAdmin: true })
  const { body } = expectStatus(await admin.get('/api/v1/admin/ledger/check'), 200)
  expect(body.problems.filter(({ code }: { code: string }) => code !== 'checkouts_not_compared')).toEqual([])
}

/** Closes an instance, after all tests of a file, and fails unless every check of its ledger passes. */
export async function closeWithLedger(t: TestApp) {
  try {
    await expectLedger(t)
  } finally {
    await t.close()
  }
}

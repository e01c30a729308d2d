import { sql } from 'kysely'
import { audit, system } from '../../lib/db/audit.ts'
import { FIRST_ID, inTransaction, type Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import { storableJson } from '../../lib/text.ts'
import { listInstanceAdmins } from '../auth/instance-admin.ts'
import { queueMail } from '../mail/mail.ts'
import { notify } from '../notifications/notify.ts'
import { checkLedger, type LedgerProblem, type LedgerRules } from './check.ts'

/** A provider that does not respond at night is no problem of the ledger. */
const PASSING = 'checkouts_not_compared'
/** Problems that only the comparison with a provider finds. */
const COMPARED = 'paid_checkout'

/** Checks the ledger and keeps the result. Instance admins are told of a problem of a new kind, and not while it stays. */
export async function checkLedgerNightly(deps: Deps, rules: LedgerRules) {
  const report = await checkLedger(deps, rules)
  const found = report.problems.filter(({ code }) => code !== PASSING)
  await inTransaction(deps.db, async (tx) => {
    const former = await lockFormer(tx)
    // While its provider does not respond, a payment that was missing is still missing.
    const hidden = found.length === report.problems.length ? [] : former.filter(({ code }) => code === COMPARED)
    const problems = [...found, ...hidden.filter(({ detail }) => !found.some((one) => one.detail === detail))]
    const now = deps.clock.now()
    await store(tx, problems, now)
    const first = problems.find(({ code }) => !former.some((one) => one.code === code))
    if (first) {
      await mailAdmins(tx, deps, { count: problems.length, first })
      const about = { kind: 'ledger.check_failed' as const, workspace_id: null, subject: { id: FIRST_ID, name: '' } }
      await notify(tx, { ...about, detail: first.detail, cause: now.toISOString() }, now)
    }
    const hadProblems = former.length > 0
    const hasProblems = problems.length > 0
    if (hasProblems === hadProblems) return
    const action = hasProblems ? 'ledger.check_failed' : 'ledger.check_passed'
    await audit(tx, system(), action, null, { problems: problems.length })
  })
}

/** Locks the result of the last check, and returns its problems. */
async function lockFormer(tx: Tx) {
  const former = await tx
    .selectFrom('ledger_check')
    .select(sql<LedgerProblem[]>`problems`.as('problems'))
    .forUpdate()
    .executeTakeFirst()
  return former?.problems ?? []
}

async function store(tx: Tx, problems: LedgerProblem[], checked_at: Date) {
  const values = { checked_at, problems: JSON.stringify(storableJson(problems)) }
  await tx
    .insertInto('ledger_check')
    .values(values)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
}

async function mailAdmins(tx: Tx, deps: Deps, { count, first }: { count: number; first: LedgerProblem }) {
  for (const { email, name, locale } of await listInstanceAdmins(tx))
    await queueMail(tx, deps, {
      key: 'ledger-check-failed',
      to: { address: email, name },
      locale,
      variables: { count: String(count), problem: first.detail, ledger_url: `${deps.baseUrl}/admin/ledger` },
    })
}

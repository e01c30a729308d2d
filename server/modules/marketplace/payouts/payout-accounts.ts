import { electronicFormatIBAN, isValidIBAN } from 'ibantools'
import type { Selectable } from 'kysely'
import type { Static } from 'typebox'
import { HOUR } from '../../../../shared/time.ts'
import { invalid, notFound } from '../../../errors.ts'
import { type Keyring, seal, unseal } from '../../../lib/crypto/crypto.ts'
import { audit, changedFields } from '../../../lib/db/audit.ts'
import { inTransaction, newId, type Tx } from '../../../lib/db/database.ts'
import type { PayoutAccount } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { mailSeller } from './payout-mails.ts'
import type { ChangePayoutAccount } from './payouts.schema.ts'

/**
 * Milliseconds for which no payout can be requested after a change. Payment companies wait as well: whoever took over a
 * session is found out before money leaves.
 */
const HOLD_MS = 48 * HOUR

type Details = { iban: string | null; note: string | null }
type Sealed = Details & { id: string }

/** Opens the details of a row of `payout_account` or `payout`. */
export function openDetails(keyring: Keyring, table: 'payout_account' | 'payout', { id, iban, note }: Sealed): Details {
  const open = (sealed: string | null, column: string) => sealed && unseal(keyring, sealed, `${table}|${id}|${column}`)
  return { iban: open(iban, 'iban'), note: open(note, 'note') }
}

export function sealDetails(keyring: Keyring, table: 'payout_account' | 'payout', { id, iban, note }: Sealed): Details {
  const sealed = (text: string | null, column: string) => text && seal(keyring, text, `${table}|${id}|${column}`)
  return { iban: sealed(iban, 'iban'), note: sealed(note, 'note') }
}

const maskIban = (iban: string | null) => iban && `${iban.slice(0, 2)}••••${iban.slice(-4)}`

const recordOf = (row: Selectable<PayoutAccount>, { note }: Details) => ({ ...row, note })

const accountOf = (tx: Deps['db'], { user_id, workspace_id }: Member) =>
  tx.selectFrom('payout_account').selectAll().where('user_id', '=', user_id).where('workspace_id', '=', workspace_id)

export async function readPayoutAccount({ db, keyring }: Deps, caller: Member) {
  const row = await accountOf(db, caller).executeTakeFirst()
  if (!row) throw notFound()
  return recordOf(row, openDetails(keyring, 'payout_account', row))
}

/** The payout account of the caller, locked until the commit; undefined without one. */
export const lockPayoutAccount = (tx: Tx, caller: Member) => accountOf(tx, caller).forUpdate().executeTakeFirst()

/** The details that were sent: an IBAN in electronic format, or a note. */
function detailsOf({ iban, note }: Static<typeof ChangePayoutAccount>): Details {
  if (iban && note)
    throw invalid('/note', {
      en: 'Send an IBAN or a note, not both.',
      tr: 'IBAN ya da açıklama gönderin, ikisini birden değil.',
    })
  if (note) return { iban: null, note: note.trim() }
  if (!iban)
    throw invalid('/iban', { en: 'Send an IBAN, or a note.', tr: 'Bir IBAN ya da açıklama gönderin.' }, 'required')
  const electronic = electronicFormatIBAN(iban)
  if (!electronic || !isValidIBAN(electronic))
    throw invalid('/iban', {
      en: 'This is not a valid IBAN. Check the country, the length and the digits.',
      tr: 'Bu geçerli bir IBAN değil. Ülke kodunu, uzunluğu ve rakamları kontrol edin.',
    })
  return { iban: electronic, note: null }
}

/** Sets or replaces the payout account of the caller. A change holds payouts, and is mailed to them. */
export const setPayoutAccount = (
  deps: Deps,
  caller: Member,
  input: Static<typeof ChangePayoutAccount>,
  ifMatch: IfMatch,
) => {
  const details = detailsOf(input)
  const holder = input.holder.trim()
  return inTransaction(deps.db, async (tx) => {
    // Without an account there is nothing else to lock.
    await tx.selectFrom('user').select('id').where('id', '=', caller.user_id).forNoKeyUpdate().execute()
    const former = await lockPayoutAccount(tx, caller)
    ifMatch(former?.version ?? 0)
    const before = former && openDetails(deps.keyring, 'payout_account', former)
    if (former?.holder === holder && before?.iban === details.iban && before.note === details.note)
      return recordOf(former, details)
    const now = deps.clock.now()
    const id = former?.id ?? (await newId(tx))
    const values = {
      holder,
      ...sealDetails(deps.keyring, 'payout_account', { id, ...details }),
      iban_masked: maskIban(details.iban),
      held_until: former ? new Date(now.getTime() + HOLD_MS) : null,
      updated_at: now,
    }
    const { user_id, workspace_id } = caller
    const after = await tx
      .insertInto('payout_account')
      .values({ id, user_id, workspace_id, ...values })
      .onConflict((conflict) => conflict.constraint('payout_account_key').doUpdateSet(values))
      .returningAll()
      .executeTakeFirstOrThrow()
    const fields = ['holder', 'iban_masked']
    await audit(tx, caller, 'payout_account.changed', id, changedFields(former ?? {}, after, fields))
    await mailSeller(tx, deps, caller, 'payout-account-changed', {
      account: after.iban_masked ?? holder,
      changed_at: now,
    })
    return recordOf(after, details)
  })
}

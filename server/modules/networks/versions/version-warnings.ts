import { audit, system } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { listInstanceAdmins } from '../../auth/instance-admin.ts'
import { queueMail } from '../../mail/mail.ts'
import { networksInUse, providerOf } from '../apps/apps.ts'
import { apiVersionInUse } from '../calls/version.ts'
import { networks } from '../registry.ts'

/** Versions in use that their network has stopped serving, or will within `WARNING_MS`. Only of networks whose app is set up. */
export async function endingVersions(db: Db, deps: Pick<Deps, 'config' | 'clock'>) {
  const inUse = await networksInUse(db)
  return networks.flatMap((network) => {
    const apiVersion = providerOf(network)?.apiVersion
    if (!apiVersion || !inUse.has(network.id)) return []
    const { version, served_until, state } = apiVersionInUse(deps, apiVersion)
    if (state === 'served' || served_until === null) return []
    return [{ network: network.name, setting: apiVersion.setting, version, served_until, state }]
  })
}

type EndingVersion = Awaited<ReturnType<typeof endingVersions>>[number]

/** Mails instance admins once that a version ends, and once more when it has ended. */
export const warnOfVersions = (deps: Deps) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    for (const ending of await endingVersions(tx, deps)) {
      const { setting, version, state } = ending
      const warned = await tx
        .insertInto('network_version_warning')
        .values({ setting, version, state, warned_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .returning('setting')
        .executeTakeFirst()
      if (!warned) continue
      await audit(tx, system(), 'network.version_ending', null, { network: ending.network, version, state })
      await mailAdmins(tx, deps, ending)
    }
  })

async function mailAdmins(tx: Tx, deps: Deps, { network, setting, version, served_until }: EndingVersion) {
  for (const { email, name, locale } of await listInstanceAdmins(tx))
    await queueMail(tx, deps, {
      key: 'network-version-ending',
      to: { address: email, name },
      locale,
      variables: { network, setting, version, served_until, status_url: `${deps.baseUrl}/admin/status` },
    })
}

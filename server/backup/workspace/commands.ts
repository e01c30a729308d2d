import { withKeys } from '../../commands/database-commands.ts'
import type { Config } from '../../config/config.ts'
import { Problem } from '../../errors.ts'
import { loadKeyring } from '../../lib/crypto/keyring.ts'
import type { SealedColumn } from '../../lib/crypto/re-encrypt.ts'
import { readSecret } from '../../lib/crypto/secret-file.ts'
import type { ConnectionConfig } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import { createInvalidationBus } from '../../lib/runtime/caches/invalidation-bus.ts'
import { startDatabaseClock } from '../../lib/runtime/clock.ts'
import { createLog, sayStep } from '../../lib/runtime/logging/log.ts'
import { StartError } from '../../lib/runtime/start-error.ts'
import { lifecycle, sealedColumns } from '../../lifecycle.ts'
import { contentOf, progressOf, stopSignal, withStorage } from '../commands.ts'
import { passphraseOf } from '../passphrase.ts'
import { openFile } from '../targets/open-target.ts'

/** Gives `work` what an export or import of a workspace needs, whether Meydan runs or not. */
const withWorkspaces = (config: Config, work: (deps: WorkspaceDeps) => Promise<void>) =>
  withKeys(config, ({ db }, connection) =>
    withStorage(config, async (storage) => {
      const log = createLog(config)
      const keyring = await loadKeyring(db, await readSecret(config, db), config.SECRET_KEY_PREVIOUS)
      const clock = await startDatabaseClock(db, log)
      const invalidationBus = createInvalidationBus(connection, log)
      try {
        await work({ db, connection, storage, keyring, clock, invalidationBus, lifecycle, sealedColumns })
      } catch (error) {
        throw error instanceof Problem ? new StartError(error.message, { cause: error }) : error
      } finally {
        await invalidationBus.close()
        clock.stop?.()
      }
    }),
  )

type WorkspaceDeps = Pick<Deps, 'db' | 'storage' | 'keyring' | 'clock' | 'invalidationBus' | 'lifecycle'> & {
  connection: ConnectionConfig
  sealedColumns: SealedColumn[]
}

/** Exports a workspace to a file, and reads it whole. `close`: also deletes the workspace, because it moves. */
export async function exportWorkspaceTo(config: Config, workspace: string, name: string, { close = false } = {}) {
  const passphrase = passphraseOf(config)
  await withWorkspaces(config, async (deps) => {
    const { exportAndClose, exportWorkspace, findWorkspace } = await import('./export-workspace.ts')
    const { closeWorkspace, noteExport } = await import('../../modules/workspaces/deletion.ts')
    const { id, name: title } = await findWorkspace(deps.db, workspace)
    const { target, file } = await openFile(name, config)
    const source = { ...deps, passphrase, onProgress: progressOf('Exporting'), signal: stopSignal() }
    try {
      const { manifest, missing, unreadable } = close
        ? await exportAndClose(file, id, source, (tx) => closeWorkspace(deps, tx, id))
        : await exportWorkspace(file, id, source)
      if (!close) await noteExport(deps.db, id)
      sayStep(`Exported ${title} to ${file.address} and verified: ${contentOf(manifest)}.`)
      if (missing > 0) sayStep(`${missing} files of the media library are missing in the storage, and so in this file.`)
      if (unreadable > 0)
        sayStep(`${unreadable} credentials could not be decrypted. Their accounts have to be connected again.`)
      sayStep(
        close
          ? 'The workspace is closed here: it is deleted, and its scheduled posts are drafts. Its owners can restore it for 30 days.'
          : 'The workspace goes on here. To move it, export it with --close: otherwise both installations may publish its posts.',
      )
      sayStep(
        'Not exported: API tokens, client links, invitations, the audit log, billing, gigs, orders and recipes. See the guide "Operate Meydan".',
      )
    } finally {
      target.close()
    }
  })
}

/** Imports a workspace from a file into this installation, beside others. It is held. */
export async function importWorkspaceFrom(config: Config, name: string) {
  const passphrase = passphraseOf(config)
  await withWorkspaces(config, async (deps) => {
    const { importWorkspace } = await import('./import-workspace.ts')
    const { target, file } = await openFile(name, config)
    try {
      const { manifest, workspace, members, existing, created, held } = await importWorkspace(file, {
        ...deps,
        dataDir: config.DATA_DIR,
        passphrase,
        onProgress: progressOf('Importing'),
        signal: stopSignal(),
      })
      sayStep(`Imported ${workspace.name} as /w/${workspace.slug}: ${contentOf(manifest)}, ${members} members.`)
      if (existing.length > 0) sayStep(`Members by accounts that were here already: ${existing.join(', ')}.`)
      if (created.length > 0)
        sayStep(`New accounts, whose owners choose a password by "Forgot password": ${created.join(', ')}.`)
      sayStep(
        `Nothing of it goes out yet: ${held.paused_accounts} accounts are paused, ${held.disabled_agents} agents and ${held.disabled_webhooks} webhooks are disabled, and ${held.late_posts} posts that were due are held. ${held.scheduled_posts} posts keep their times. Resume the accounts at /w/${workspace.slug}/accounts.`,
      )
    } finally {
      target.close()
    }
  })
}

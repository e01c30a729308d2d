import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { expectStatus, openSession, type WorkspaceOwner } from '../../../test/factories.ts'
import { userOf } from '../../../test/people.ts'
import { sealedColumns } from '../../lifecycle.ts'
import { closeWorkspace } from '../../modules/workspaces/deletion.ts'
import { localFile } from '../targets/folder-target.ts'
import { exportAndClose, exportWorkspace } from './export-workspace.ts'
import { importWorkspace } from './import-workspace.ts'

/** Two installations with other keys, between which workspaces move. `origin`: the time at which their clocks begin. */
export async function twoInstallations(options: { origin?: Date } = {}) {
  const passphrase = 'simit ve çay her sabah'
  const quiet = { passphrase, onProgress: () => undefined, log: () => undefined }

  const folder = await mkdtemp(join(tmpdir(), 'meydan-workspace-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const source = await testApp({}, options)
  const target = await testApp({ SECRET_KEY: 'another secret key, long enough too' }, options)

  let number = 0
  const newPath = () => join(folder, `${++number}.workspace`)

  const depsOf = ({ deps, database: { connection } }: TestApp) => ({
    ...deps,
    ...quiet,
    connection,
    sealedColumns,
  })

  const exported = async ({ workspace_id }: WorkspaceOwner, path = newPath()) => {
    const result = await exportWorkspace(localFile(path), workspace_id, depsOf(source))
    return { path, ...result }
  }
  /** `meanwhile` is called when the workspace is closed but for the commit. */
  const closed = async (
    { workspace_id }: WorkspaceOwner,
    path = newPath(),
    meanwhile: () => void = () => undefined,
  ) => {
    const result = await exportAndClose(localFile(path), workspace_id, depsOf(source), async (tx) => {
      await closeWorkspace(source.deps, tx, workspace_id)
      meanwhile()
    })
    return { path, ...result }
  }
  const imported = (path: string, more: object = {}) =>
    importWorkspace(localFile(path), { ...depsOf(target), dataDir: target.deps.config.DATA_DIR, ...more })

  /** The same person in the target. */
  async function there(person: { email: string; workspace_id: string }): Promise<WorkspaceOwner> {
    const { id } = await userOf(target, person.email)
    return { ...person, ...target.anyone.with(await openSession(target, id)), id }
  }

  const readPost = async (who: WorkspaceOwner, id: string) =>
    expectStatus(await who.get(`/api/v1/posts/${id}`), 200).body

  /** Fails if anything of a workspace is in the target. */
  async function expectNothingImported({ workspace_id }: WorkspaceOwner) {
    const { db, storage, config } = target.deps
    expect(await db.selectFrom('workspace').select('id').where('id', '=', workspace_id).execute()).toEqual([])
    expect(await Array.fromAsync(storage.list(workspace_id))).toEqual([])
    const announced = await db
      .selectFrom('storage_erasure')
      .select('folder')
      .where('folder', '=', workspace_id)
      .execute()
    expect(announced).toEqual([])
    expect((await readdir(config.DATA_DIR)).filter((name) => name.startsWith('import-'))).toEqual([])
  }
  return {
    closed,
    expectNothingImported,
    exported,
    folder,
    imported,
    newPath,
    passphrase,
    quiet,
    readPost,
    source,
    target,
    there,
  }
}

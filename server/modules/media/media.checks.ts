import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { codesOf } from '../../lib/error-code.ts'
import { check, error, ok } from '../../lib/runtime/checks/check.ts'
import { reasonOf } from '../../lib/runtime/checks/run-checks.ts'

const files = check({
  name: 'files',
  group: 'storage',
  outcomes: {
    folder: ok('A file was written to the folder of the media library, read and erased.'),
    bucket: ok('A file was written to the bucket {{bucket}}, read and erased.'),
    unusable: error(
      'Files cannot be stored: {{reason}}',
      'Check STORAGE_URL: the name of the folder or bucket, the region, and what its credentials may do.',
    ),
    timed_out: error(
      'The storage of files does not respond within {{seconds}} s.',
      'Check the endpoint of STORAGE_URL, and the network between it and this machine.',
    ),
    full: error('The disk for files is full.', 'Free some space. Until then uploads are refused.'),
    differs: error(
      'A file that was written to the storage was read back with another content.',
      'Check the server of the storage, and that no cache stands in front of it.',
    ),
  },
  find: async ({ storage: open }) => {
    const folder = `check-${randomUUID()}`
    const written = Buffer.from(folder)
    try {
      const storage = await open()
      await storage.put(`${folder}/probe`, written, 'text/plain')
      let isSame: boolean
      try {
        isSame = (await buffer(await storage.open(`${folder}/probe`))).equals(written)
      } finally {
        await storage.erase(folder)
      }
      if (!isSame) return { outcome: 'differs' }
      const bucket = storage.bucket?.bucket
      return bucket === undefined ? { outcome: 'folder' } : { outcome: 'bucket', values: { bucket } }
    } catch (fault) {
      if (codesOf(fault).some((code) => code === 'ENOSPC' || code === 'EDQUOT')) return { outcome: 'full' }
      return { outcome: 'unusable', values: { reason: reasonOf(fault) } }
    }
  },
})

export const mediaChecks = [files]

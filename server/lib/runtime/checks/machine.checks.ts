import { statfs } from 'node:fs/promises'
import { LOW_BYTES } from '../logging/disk-watch.ts'
import { check, error, ok, tenths, warning } from './check.ts'
import { reasonOf } from './run-checks.ts'

/** Bytes with which neither the database nor uploads can go on for long. */
const FULL_BYTES = 100 * 1024 ** 2

const disk = check({
  name: 'disk',
  group: 'storage',
  outcomes: {
    ok: ok('The disk of DATA_DIR has {{free_gb}} GB of free space.'),
    low: warning(
      'The disk of DATA_DIR has only {{free_mb}} MB of free space.',
      'Free some space, or enlarge the disk.',
    ),
    full: error(
      'The disk of DATA_DIR is full: {{free_mb}} MB are free.',
      'Free some space, or enlarge the disk. Meydan goes on by itself.',
    ),
    unreadable: error('DATA_DIR cannot be used: {{reason}}', 'Let DATA_DIR name a folder that Meydan may use.'),
  },
  find: async ({ config }) => {
    try {
      const { bavail, bsize } = await statfs(config.DATA_DIR)
      const free = bavail * bsize
      if (free >= LOW_BYTES) return { outcome: 'ok', values: { free_gb: tenths(free / 1e9) } }
      return { outcome: free < FULL_BYTES ? 'full' : 'low', values: { free_mb: tenths(free / 1e6) } }
    } catch (fault) {
      return { outcome: 'unreadable', values: { reason: reasonOf(fault) } }
    }
  },
})

export const machineChecks = [disk]

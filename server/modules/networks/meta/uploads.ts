import type { Deps } from '../../../lib/deps.ts'
import type { Publication } from '../network.ts'

/** Files and containers that no post has end after a day. */
const KEPT_MS = 12 * 3600_000

/** Uploads a file in a step, and once more when the former upload is too old for a post. */
export async function freshUpload<Upload extends object>(
  { clock }: Pick<Deps, 'clock'>,
  { step, now }: Publication,
  name: string,
  upload: () => Promise<Upload>,
): Promise<Upload> {
  for (let time = 1; ; time++) {
    const made = await step(time === 1 ? name : `${name} again ${time}`, {
      run: async () => ({ ...(await upload()), uploaded_at: clock.now().toISOString() }),
      ifLost: 'repeat',
    })
    if (now.getTime() - Date.parse(made.uploaded_at) <= KEPT_MS) return made
  }
}

import { withMentionNames } from '../../../../shared/text/mentions.ts'
import { DAY } from '../../../../shared/time.ts'
import { Problem } from '../../../errors.ts'
import { sha256 } from '../../../lib/crypto/crypto.ts'
import type { Deps } from '../../../lib/deps.ts'
import { openAccount } from '../../accounts/open-account.ts'
import type { StoredMedia } from '../../media/media.ts'
import { mediaUrl, openMedia } from '../../media/renditions.ts'
import { NetworkFault, type Part, type PartMedia, type Publication } from '../../networks/network.ts'
import { capabilitiesOf, networkOf, textFor } from '../../networks/registry.ts'
import type { MediaById } from '../record/post-media.ts'
import type { Target } from './publish-intent.ts'
import type { StepJournal } from './step-journal.ts'

/** Time for which a network can fetch a file. */
const URL_MS = DAY

/** A target as its network gets it. */
export const toPublication = (
  deps: Deps,
  target: Target,
  { journal: { step, prepare }, media }: { journal: StepJournal; media: MediaById },
): Publication => ({
  ...openAccount(deps, {
    id: target.account_id,
    workspace_id: target.workspace_id,
    external_id: target.account_external_id,
    handle: target.handle,
    credentials: target.credentials,
    version: target.account_version,
  }),
  // An attempt of an earlier version of Meydan chose the key.
  key: target.attempt_key ?? target.id,
  parts: [toPart(deps, target, media), ...target.thread.map((part) => toPart(deps, { ...target, ...part }, media))],
  // Comments are plain text everywhere.
  first_comment: target.first_comment && withMentionNames(target.first_comment),
  options: target.options,
  now: deps.clock.now(),
  step,
  prepare,
})

/** A file that has a record and no bytes, as after a restore without the folder of files. No retry brings it back. */
function refuseMissing(thrown: unknown): never {
  if (!(thrown instanceof Problem) || thrown.code !== 'not_found') throw thrown
  const message = 'A file of the post is missing in the storage of Meydan. Upload it again, or restore it.'
  throw new NetworkFault({ kind: 'failed', code: 'media_missing', message }, { cause: thrown })
}

type StoredTarget = Pick<Target, 'content' | 'media_ids' | 'network' | 'account_limits' | 'options'>

/** A part with its files, made to fit the account when they are opened. */
function toPart(deps: Deps, target: StoredTarget, media: MediaById): Part {
  const { content, media_ids } = target
  const rules = capabilitiesOf({ ...target, limits: target.account_limits }).media
  const toFile = (file: StoredMedia): PartMedia => ({
    ...file,
    version: sha256(JSON.stringify([file.id, file.name, rules])),
    open: () => openMedia(deps, file, rules).catch(refuseMissing),
    url: async () => {
      // The network would only report that it could not fetch the file.
      const { stream } = await openMedia(deps, file, rules).catch(refuseMissing)
      stream.destroy()
      return mediaUrl(deps, file, { expires: new Date(deps.clock.now().getTime() + URL_MS) }, rules)
    },
  })
  return {
    text: textFor(networkOf(target), content),
    media: media_ids.flatMap((id) => media.get(id) ?? []).map(toFile),
  }
}

import { cardText } from '../../media/card.ts'
import { mediaProblems } from '../../media/files/client/media-problems.ts'
import type { Card } from '../../media/files/rules/protocol.ts'
import type { StoredMedia } from '../../media/media.ts'
import { networkNames } from '../../networks/network.ts'
import { capabilitiesOf, networkOf } from '../../networks/registry.ts'
import { textProblems } from '../../posts/validation/problems.ts'
import type { Draft } from '../drafts/draft.ts'
import type { AgentConfig } from '../record/agent-config.ts'
import type { AgentAccount } from '../record/agent-record.ts'
import { cardColours } from './card-colours.ts'

const MAX_TITLE = 120

/** The card of a post: its topic, or else the beginning of its text. undefined: the font lacks its letters. */
export function cardOf(config: AgentConfig, { topic, content }: Draft): Card | undefined {
  const text = cardText(topic) ?? cardText([...content].slice(0, MAX_TITLE).join(''))
  return text === undefined ? undefined : { text, ...cardColours(config) }
}

const MAX_PROMPT = 2000

export const imagePromptOf = ({ image_style }: AgentConfig, { image_prompt, topic, content }: Draft) =>
  `${image_prompt || `${topic}. ${content}`}\n${image_style}`.trim().slice(0, MAX_PROMPT).toWellFormed()

/** The alternative text of the picture of a post, cut to the strictest of its networks. */
export function altOf(text: string, accounts: readonly AgentAccount[]) {
  const limits = accounts.flatMap((account) => capabilitiesOf(account).media?.max_alt_length ?? [])
  return [...text].slice(0, Math.min(...limits, 1500)).join('')
}

/** Whether the text of a post for an account fits beside a picture there. */
function hasRoomBeside(account: AgentAccount, { content, variants }: Draft) {
  const text = variants.find(({ network }) => network === account.network)?.content ?? content
  const capabilities = capabilitiesOf(account)
  const name = networkNames(networkOf(account))
  return textProblems(text, { pointer: '', name, capabilities, hasMedia: true }).length === 0
}

/** Accounts that take files of this kind, and the text of a post beside one. */
export const accountsWith = (kind: 'image' | 'video', accounts: readonly AgentAccount[], draft: Draft) =>
  accounts.filter((account) => capabilitiesOf(account).media?.kinds[kind] && hasRoomBeside(account, draft))

export const accountsThatAccept = (accounts: readonly AgentAccount[], draft: Draft, picture: StoredMedia) =>
  accountsWith(picture.kind === 'video' ? 'video' : 'image', accounts, draft).filter(
    (account) => mediaProblems([picture], capabilitiesOf(account).media).length === 0,
  )

import { domainToASCII } from 'node:url'

const atom = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+"
const label = '[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]*[\\p{L}\\p{M}\\p{N}])?'

/**
 * Pattern of e-mail addresses (RFC 6531), without quoted names, comments and IP addresses. It requires a dot in the
 * domain, so `admin@localhost` is invalid. For the flag `u`.
 */
export const emailPattern = `^${atom}(?:\\.${atom})*@(?:${label}\\.)+(?:\\p{L}[\\p{L}\\p{M}]+|[Xx][Nn]--[A-Za-z0-9-]*[A-Za-z0-9])$`

const pattern = new RegExp(emailPattern, 'u')

const split = (email: string) => {
  const at = email.lastIndexOf('@')
  return { name: email.slice(0, at), domain: email.slice(at + 1) }
}

/** RFC 5321, section 4.5.3.1. */
const MAX_NAME_BYTES = 64
const MAX_BYTES = 254

/** Whether the text is an e-mail address that a mail server takes, with a domain that DNS can be asked for. */
export function isEmail(text: string) {
  if (!pattern.test(text) || domainToASCII(split(text).domain) === '') return false
  const stored = storedEmail(text)
  return Buffer.byteLength(stored) <= MAX_BYTES && Buffer.byteLength(split(stored).name) <= MAX_NAME_BYTES
}

/**
 * An e-mail address as it is stored and compared: in small letters, its domain in ASCII. `ada@türkçe.com` and
 * `ada@xn--trke-2oa7j.com` are the same.
 */
export function storedEmail(email: string) {
  // A Turkish keyboard writes it for the capital of i. In small letters it would keep its dot as a sign of its own.
  const { name, domain } = split(email.normalize('NFC').replaceAll('İ', 'i'))
  return `${name}@${domainToASCII(domain) || domain}`.toLowerCase()
}

/** Parses `name@example.com` or `Name <name@example.com>`, without quotes around the name. Rejects server addresses. */
export function parseMailbox(text: string): { name: string; address: string } | undefined {
  const [, named, inBrackets, bare] =
    /^(?:([^<>\p{Cc}]*?) *<([^\s@<>"(),:;\\]+@[^\s@<>",]+)>|([^\s@<>"(),:;\\]+@[^\s@<>",]+))$/u.exec(text) ?? []
  const address = inBrackets ?? bare
  const name = (named ?? '').trim()
  return address === undefined ? undefined : { name: /^".*"$/.test(name) ? name.slice(1, -1) : name, address }
}

/** Domains whose mailboxes ignore dots, and where both names lead to the same mailbox. */
const gmail = ['gmail.com', 'googlemail.com']

/**
 * The mailbox that mails to an address count for: without `+tag`, and without dots at Gmail. Limits use it; accounts
 * keep their address as written, because some servers deliver these addresses to different people.
 */
export function mailboxOf(email: string) {
  const { name, domain } = split(storedEmail(email))
  const untagged = name.replace(/(?<=.)\+.*$/, '')
  return gmail.includes(domain) ? `${untagged.replaceAll('.', '')}@gmail.com` : `${untagged}@${domain}`
}

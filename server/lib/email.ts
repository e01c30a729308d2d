/**
 * Pattern of e-mail addresses, the same everywhere: the one of better-auth. It requires a dot in the domain, so
 * `admin@localhost` is invalid.
 */
export const emailPattern = "^[A-Za-z0-9_'+.-]*[A-Za-z0-9_+-]@.*[.][A-Za-z]{2,}$"

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
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1).toLowerCase()
  const name = email.slice(0, at).toLowerCase()
  const untagged = name.replace(/(?<=.)\+.*$/, '')
  return gmail.includes(domain) ? `${untagged.replaceAll('.', '')}@gmail.com` : `${untagged}@${domain}`
}

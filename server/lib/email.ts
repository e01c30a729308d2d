/**
 * What counts as an e-mail address everywhere: what better-auth takes for one. It asks for a dot in the domain, so
 * `admin@localhost` is none.
 */
export const emailPattern = "^[A-Za-z0-9_'+.-]*[A-Za-z0-9_+-]@.*[.][A-Za-z]{2,}$"

/** One mailbox, as `name@example.com` or `Name <name@example.com>`; a name in quotes is without them. The address of a server is none. */
export function parseMailbox(text: string): { name: string; address: string } | undefined {
  const [, named, inBrackets, bare] =
    /^(?:([^<>\p{Cc}]*?) *<([^\s@<>"(),:;\\]+@[^\s@<>",]+)>|([^\s@<>"(),:;\\]+@[^\s@<>",]+))$/u.exec(text) ?? []
  const address = inBrackets ?? bare
  const name = (named ?? '').trim()
  return address === undefined ? undefined : { name: /^".*"$/.test(name) ? name.slice(1, -1) : name, address }
}

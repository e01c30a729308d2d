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

/**
 * What counts as an e-mail address everywhere: what better-auth takes for one. It asks for a dot in the domain, so
 * `admin@localhost` is none.
 */
export const emailPattern = "^[A-Za-z0-9_'+.-]*[A-Za-z0-9_+-]@.*[.][A-Za-z]{2,}$"

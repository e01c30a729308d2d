/**
 * Keys by their form. Wider than `SECRETS`: this only hides, and refuses no text. A text may have been cut within a key, so
 * the ends of these are not asked for.
 */
const FORMS = [
  /-----BEGIN [A-Z0-9 ]*KEY[\s\S]*?(?:-----END [A-Z0-9 ]*KEY[A-Z ]*-{0,5}|$)/,
  /\b(?:meydan_pat_|github_pat_|glpat-|npm_|hf_|gh[oprsu]_|whsec_|xox[a-z]-|xapp-|sk-|ya29\.|SG\.)[\w.-]{8,}/,
  /\b[prs]k_(?:live|test)_\w{8,}/,
  /\b(?:AIza[\w-]{8,}|EAA[A-Za-z0-9]{16,}|(?:AKIA|ASIA)[0-9A-Z]{8,})/,
  /\beyJ[\w-]{8,}(?:\.[\w-]*){1,4}/,
  /\b\d{8,10}:[\w-]{30,}/,
]

const NAMES = '(?:key|token|secret|passw(?:or)?d|pwd|auth|sig|signature)'

/** Keys by what is before or behind them. */
const PLACES = [
  // Parameters of an address, such as `?api_key=`.
  String.raw`(?<=[?&;#][\w.-]{0,40}${NAMES}=)[^\s&#"'<>]+`,
  // Settings, such as `API_KEY=` and `client-secret: `.
  String.raw`(?<=\b(?:\w{1,40}[_-])?${NAMES}["']?(?:=|: ?(?=\S{0,64}\d))["']?)[^\s&"'<>,;]{8,}`,
  String.raw`(?<=\b(?:Bearer|Basic) )[\w.~+/=-]{16,}`,
  // A user with a password, before a host.
  String.raw`(?<=\/\/)[^\s/?#@]+(?=@)`,
  String.raw`\b[\w.+-]{1,64}:(?=\D{0,64}\d)[^\s:@/]{6,64}(?=@\w)`,
]

const forms = new RegExp(FORMS.map(({ source }) => source).join('|'), 'g')
const places = new RegExp(PLACES.join('|'), 'gi')

/** The text without what looks like a key. */
export const withoutKeys = (text: string) => text.replace(forms, '•••').replace(places, '•••')

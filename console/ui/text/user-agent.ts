/** Names in user agents. Order matters: Edge's also contains Chrome, for example. */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['CriOS', 'Chrome'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const
const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const

/** The browser and system, `Firefox, Windows`; else the program's name. */
export function browserName(agent: string) {
  const found = (names: typeof browsers | typeof systems) => names.find(([sign]) => agent.includes(sign))?.[1]
  const browser = found(browsers)
  return [browser ?? agent.split(/[/\s]/, 1)[0], browser && found(systems)].filter(Boolean).join(', ')
}

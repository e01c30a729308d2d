/** The section of a released version in a changelog in the form of keepachangelog.com; undefined if it has no entries. */
export function sectionOf(changelog: string, version: string) {
  for (const section of changelog.split(/^(?=## )/m)) {
    const [, name, date] = /^## \[(.+?)\] - (\d{4}-\d{2}-\d{2})\n/.exec(section) ?? []
    if (name !== version || !date) continue
    // Links to the versions stand at the end of the file.
    const entries = section
      .replace(/^.*\n/, '')
      .replace(/^\[.+?\]: .*\n?/gm, '')
      .trim()
    return /^- /m.test(entries) ? { date, entries } : undefined
  }
  return undefined
}

/** Days on which versions of APIs end, by the notices of their networks. A new notice is entered here. */

/** Meta serves a version for two years or more, and announces its end a year before. */
const graphEnds: Record<string, string> = {
  'v20.0': '2026-09-24',
  'v21.0': '2027-01-21',
  'v22.0': '2027-05-20',
  // Two years after its release on 29 July 2026, the least that Meta promises.
  'v26.0': '2028-07-29',
}

export const graphServedUntil = (version: string) => graphEnds[version] ?? null

/** LinkedIn has a version for each month, such as `202608`, and serves it for a year. */
export const linkedinServedUntil = (version: string) =>
  /^20\d\d(0[1-9]|1[0-2])$/.test(version) ? `${Number(version.slice(0, 4)) + 1}-${version.slice(4)}-15` : null

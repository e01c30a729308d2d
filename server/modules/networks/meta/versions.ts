/** Ends of versions of the Graph API. Meta serves a version for two years or more, and announces its end a year before. */
const ends: Record<string, string> = {
  'v20.0': '2026-09-24',
  'v21.0': '2027-01-21',
  'v22.0': '2027-05-20',
  // Two years after its release on 29 July 2026, the least that Meta promises.
  'v26.0': '2028-07-29',
}

export const graphServedUntil = (version: string) => ends[version] ?? null

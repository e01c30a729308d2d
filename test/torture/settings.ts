/** The number of rounds of a crash test. `npm run torture` sets it for a longer run. */
export const timesOf = (setting: string, usual: number) => Number(process.env[setting] ?? usual)

/** Repeats the random choices of a run. Its tests print it. */
export const SEED = Number(process.env.TORTURE_SEED ?? Math.floor(Math.random() * 2 ** 31))

/** Whether this run repeats another one. */
export const isRepeated = process.env.TORTURE_SEED !== undefined

/** The only kind of hit of this run. */
export const ONLY_KIND = process.env.TORTURE_KIND

/** Whether upgrades start from each set of migrations, not only from some. */
export const EVERY_UPGRADE = process.env.UPGRADES === 'every'

/** Whether each route is tried with all credentials, not with some. */
export const EVERY_CREDENTIAL = process.env.ROUTES === 'every'

const EVERY_CASE = process.env.CASES === 'every'

/** The cases of a run: every third, from another one in each run. All of them in a longer run. */
export const thirdOf = <Case>(cases: readonly Case[]) =>
  cases.filter((_, index) => EVERY_CASE || (index + SEED) % 3 === 0)

/** Whether a function with two routes is called through both, not through one. */
export const EVERY_MOUNT = EVERY_CREDENTIAL
